package io.shardbus.core.passivation;

import static io.shardbus.core.passivation.PassivationRig.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.passivation.PassivationSettings.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Least and most recently used, plain and segmented. */
class RecencyPoliciesTest {
    private static List<Integer> list(int first, int last) {
        return IntStream.of(ids(first, last)).boxed().toList();
    }

    private static Set<Integer> set(int... ids) {
        return Set.copyOf(IntStream.of(ids).boxed().toList());
    }

    private static Set<Integer> range(int first, int last) {
        return Set.copyOf(list(first, last));
    }

    private static PassivationRig leastRecent() {
        PassivationRig rig = PassivationRig.limited(10, Order.LEAST_RECENT);
        assertEquals(list(1, 10), rig.touch(1, ids(1, 20)));
        assertEquals(range(11, 20), rig.active(1));
        assertEquals(list(11, 15), rig.touch(2, 21));
        return rig;
    }

    private static PassivationRig leastRecentInThreeShards() {
        PassivationRig rig = leastRecent();
        List<Integer> expected = new ArrayList<>(list(16, 20));
        expected.addAll(list(1, 15));
        assertEquals(expected, rig.touch(1, ids(1, 20)));
        assertEquals(range(16, 20), rig.active(1));
        assertEquals(List.of(), rig.touch(2, ids(22, 24)));
        assertEquals(List.of(16, 17, 21), rig.touch(3, 31));
        assertEquals(list(22, 27), rig.touch(2, ids(25, 30)));
        assertEquals(list(31, 37), rig.touch(3, ids(31, 40)));
        assertEquals(set(18, 19, 20), rig.active(1));
        assertEquals(set(28, 29, 30), rig.active(2));
        assertEquals(set(38, 39, 40), rig.active(3));
        return rig;
    }

    @Test
    @DisplayName("PASS-02 least recently used: the oldest goes, and a second shard halves the limit of the first")
    void leastRecentlyUsed() {
        assertEquals(range(16, 20), leastRecent().active(1));
    }

    @Test
    @DisplayName("PASS-03, PASS-04 least recently used: the limit is shared by two shards, then by three")
    void leastRecentlyUsedInShards() {
        leastRecentInThreeShards();
    }

    @Test
    @DisplayName("PASS-05 least recently used: who was passivated by hand leaves a place")
    void leastRecentlyUsedAfterPassivationByHand() {
        PassivationRig rig = leastRecentInThreeShards();
        rig.end(1, 19);
        rig.end(2, 29);
        rig.end(3, 39);
        assertEquals(List.of(18, 20), rig.touch(1, ids(11, 13)));
        assertEquals(List.of(28, 30), rig.touch(2, ids(21, 23)));
        assertEquals(List.of(38, 40), rig.touch(3, ids(31, 33)));
    }

    private static PassivationRig segmented() {
        PassivationRig rig = PassivationRig.limited(10, Order.LEAST_RECENT, 0.2, 0.8);
        assertEquals(list(1, 10), rig.touch(1, ids(1, 20)));
        assertEquals(range(11, 20), rig.atRank(1, 0));
        assertEquals(List.of(), rig.touch(1, ids(11, 20)));
        assertEquals(range(13, 20), rig.atRank(1, 1));
        assertEquals(set(11, 12), rig.atRank(1, 0));
        return rig;
    }

    private static PassivationRig segmentedInTwoShards() {
        PassivationRig rig = segmented();
        assertEquals(List.of(11, 12, 1, 2, 3), rig.touch(1, ids(1, 5)));
        assertEquals(List.of(4, 5, 13, 14, 15), rig.touch(2, 21));
        return rig;
    }

    @Test
    @DisplayName("PASS-06 segmented: a second touch protects, and what does not fit falls back to the low level")
    void segmentedProtectsTheSecondTouch() {
        segmented();
    }

    @Test
    @DisplayName(
            "PASS-07 segmented: newcomers cycle through the low level; a shrinking limit takes the low level first")
    void segmentedShrinks() {
        PassivationRig rig = segmentedInTwoShards();
        assertEquals(set(16), rig.atRank(1, 0));
        assertEquals(range(17, 20), rig.atRank(1, 1));
    }

    @Test
    @DisplayName("PASS-08 segmented: touched downwards, each newcomer stops the one before")
    void segmentedTouchedDownwards() {
        PassivationRig rig = segmentedInTwoShards();
        assertEquals(List.of(20, 15, 14, 13, 12), rig.touch(1, ids(20, 11)));
        assertEquals(set(11), rig.atRank(1, 0));
        assertEquals(range(16, 19), rig.atRank(1, 1));
    }

    @Test
    @DisplayName("PASS-10 least recently used: the limit is changed while running")
    void leastRecentlyUsedWithAnotherLimit() {
        PassivationRig rig = leastRecent();
        assertEquals(List.of(16, 17), rig.limit(6));
        List<Integer> expected = new ArrayList<>(list(18, 20));
        expected.addAll(list(1, 7));
        assertEquals(expected, rig.touch(1, ids(1, 10)));
        assertEquals(range(8, 10), rig.active(1));
        assertEquals(List.of(), rig.limit(12));
        assertEquals(list(8, 14), rig.touch(1, ids(11, 20)));
        assertEquals(range(15, 20), rig.active(1));
    }

    @Test
    @DisplayName("PASS-10 least frequently used with single touches: the limit is changed while running")
    void leastFrequentlyUsedWithAnotherLimit() {
        PassivationRig rig = PassivationRig.limited(10, Order.LEAST_FREQUENT);
        assertEquals(list(1, 10), rig.touch(1, ids(1, 20)));
        assertEquals(list(11, 15), rig.touch(2, 21));
        assertEquals(List.of(16, 17), rig.limit(6));
        List<Integer> expected = new ArrayList<>(list(18, 20));
        expected.addAll(list(1, 7));
        assertEquals(expected, rig.touch(1, ids(1, 10)));
        assertEquals(List.of(), rig.limit(12));
        assertEquals(list(8, 14), rig.touch(1, ids(11, 20)));
        assertEquals(range(15, 20), rig.active(1));
    }

    @Test
    @DisplayName("PASS-11 segmented: the limit is changed while running")
    void segmentedWithAnotherLimit() {
        PassivationRig rig = PassivationRig.limited(20, Order.LEAST_RECENT, 0.2, 0.8);
        assertEquals(list(1, 10), rig.touch(1, ids(1, 30)));
        assertEquals(list(11, 20), rig.touch(2, 31));
        assertEquals(list(21, 25), rig.limit(10));
        List<Integer> expected = new ArrayList<>(list(26, 30));
        expected.addAll(list(1, 5));
        assertEquals(expected, rig.touch(1, ids(1, 10)));
        assertEquals(range(6, 10), rig.active(1));
        assertEquals(List.of(), rig.limit(30));
        assertEquals(list(6, 15), rig.touch(1, ids(11, 30)));
        assertEquals(range(16, 30), rig.active(1));
    }

    private static PassivationRig mostRecentInTwoShards() {
        PassivationRig rig = PassivationRig.limited(10, Order.MOST_RECENT);
        assertEquals(list(10, 19), rig.touch(1, ids(1, 20)));
        assertEquals(set(1, 2, 3, 4, 5, 6, 7, 8, 9, 20), rig.active(1));
        assertEquals(List.of(20, 9, 8, 7, 6), rig.touch(2, 21));
        return rig;
    }

    private static PassivationRig mostRecentInThreeShards() {
        PassivationRig rig = mostRecentInTwoShards();
        assertEquals(list(5, 19), rig.touch(1, ids(1, 20)));
        assertEquals(set(1, 2, 3, 4, 20), rig.active(1));
        assertEquals(List.of(), rig.touch(2, ids(22, 24)));
        assertEquals(Set.of(24, 20, 4), Set.copyOf(rig.touch(3, 31)));
        assertEquals(list(23, 29), rig.touch(2, ids(24, 30)));
        assertEquals(list(33, 39), rig.touch(3, ids(31, 40)));
        assertEquals(set(1, 2, 3), rig.active(1));
        assertEquals(set(21, 22, 30), rig.active(2));
        assertEquals(set(31, 32, 40), rig.active(3));
        return rig;
    }

    @Test
    @DisplayName("PASS-12, PASS-13 most recently used: the latest goes, in one shard, in two and in three")
    void mostRecentlyUsed() {
        mostRecentInThreeShards();
    }

    @Test
    @DisplayName("PASS-14 most recently used: who was passivated by hand leaves a place")
    void mostRecentlyUsedAfterPassivationByHand() {
        PassivationRig rig = mostRecentInThreeShards();
        rig.end(1, 2);
        rig.end(2, 22);
        rig.end(3, 32);
        assertEquals(List.of(12, 13), rig.touch(1, ids(12, 14)));
        assertEquals(List.of(23, 24), rig.touch(2, ids(23, 25)));
        assertEquals(List.of(34, 35), rig.touch(3, ids(34, 36)));
        assertEquals(set(1, 3, 14), rig.active(1));
        assertEquals(set(21, 25, 30), rig.active(2));
        assertEquals(set(31, 36, 40), rig.active(3));
    }

    @Test
    @DisplayName("PASS-15 most recently used: the limit is changed while running")
    void mostRecentlyUsedWithAnotherLimit() {
        PassivationRig rig = mostRecentInTwoShards();
        assertEquals(range(1, 5), rig.active(1));
        assertEquals(List.of(5, 4), rig.limit(6));
        assertEquals(list(3, 9), rig.touch(1, ids(1, 10)));
        assertEquals(set(1, 2, 10), rig.active(1));
        assertEquals(List.of(), rig.limit(12));
        assertEquals(list(13, 19), rig.touch(1, ids(11, 20)));
        assertEquals(set(1, 2, 10, 11, 12, 20), rig.active(1));
    }

    @Test
    void everyShardMayKeepOneEntity() {
        PassivationRig rig = PassivationRig.limited(2, Order.LEAST_RECENT, 0.2, 0.8);
        rig.touch(1, 1);
        rig.touch(2, 2);
        rig.touch(3, 3, 3, 4);
        assertEquals(set(1), rig.active(1));
        assertEquals(set(4), rig.active(3));
        rig.close(2);
        rig.close(3);
        assertEquals(List.of(), rig.touch(1, 5));
    }
}
