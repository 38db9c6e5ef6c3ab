package io.shardbus.core.passivation;

import static io.shardbus.core.passivation.PassivationRig.ids;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.passivation.PassivationSettings.Order;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Least frequently used, without and with aging. */
class FrequencyPoliciesTest {
    private static int[] rising(int first, int last) {
        return IntStream.of(ids(first, last))
                .flatMap(id -> IntStream.rangeClosed(0, (id - 1) % 4).map(i -> id))
                .toArray();
    }

    private static int[] falling(int first, int last) {
        return IntStream.of(ids(first, last))
                .flatMap(id -> IntStream.range(0, 4 - (id - 1) % 4).map(i -> id))
                .toArray();
    }

    private static PassivationRig inOneShard() {
        PassivationRig rig = PassivationRig.limited(10, Order.LEAST_FREQUENT);
        assertEquals(List.of(1, 5, 9, 13, 2, 6, 10, 17, 14, 18), rig.touch(1, rising(1, 20)));
        assertEquals(Set.of(3, 7, 11, 15, 19, 4, 8, 12, 16, 20), rig.active(1));
        assertEquals(List.of(3, 7, 11, 15, 19), rig.touch(2, 21));
        return rig;
    }

    private static PassivationRig inTwoShards() {
        PassivationRig rig = inOneShard();
        List<Integer> expected = IntStream.of(ids(1, 20))
                .mapToObj(id -> id % 4 == 1 ? id + 3 : id - 1)
                .toList();
        assertEquals(expected, rig.touch(1, rising(1, 20)));
        assertEquals(Set.of(4, 8, 12, 16, 20), rig.active(1));
        return rig;
    }

    private static PassivationRig inThreeShards() {
        PassivationRig rig = inTwoShards();
        assertEquals(List.of(), rig.touch(2, 21, 22, 23, 24));
        assertEquals(List.of(4, 8, 22), rig.touch(3, 31));
        assertEquals(Set.of(12, 16, 20), rig.active(1));
        assertEquals(Set.of(23, 24, 21), rig.active(2));
        return rig;
    }

    private static PassivationRig withThreeEach() {
        PassivationRig rig = inThreeShards();
        assertEquals(List.of(23, 24, 22, 21, 25, 26, 23, 27, 29), rig.touch(2, rising(21, 30)));
        assertEquals(Set.of(30, 24, 28), rig.active(2));
        assertEquals(List.of(32, 31, 35, 36, 34, 38, 39), rig.touch(3, falling(31, 40)));
        assertEquals(Set.of(40, 33, 37), rig.active(3));
        return rig;
    }

    @Test
    @DisplayName("PASS-16 least frequently used: among those with the fewest touches the oldest goes")
    void fewestTouchesGoFirst() {
        inOneShard();
    }

    @Test
    @DisplayName("PASS-17 least frequently used: the one being activated is never the victim")
    void theNewcomerIsNeverTheVictim() {
        inTwoShards();
    }

    @Test
    @DisplayName("PASS-18 least frequently used: a third shard takes from both others")
    void thirdShard() {
        inThreeShards();
    }

    @Test
    @DisplayName("PASS-19 least frequently used: three per shard")
    void threePerShard() {
        withThreeEach();
    }

    @Test
    @DisplayName("PASS-20 least frequently used: who is passivated by hand is forgotten")
    void passivatedByHandIsForgotten() {
        PassivationRig rig = withThreeEach();
        rig.end(1, 16);
        rig.end(2, 24);
        rig.end(3, 33);
        assertEquals(List.of(11), rig.touch(1, 11, 12, 12, 13, 13, 13));
        assertEquals(List.of(21, 30), rig.touch(2, 21, 22, 22, 23, 23, 23));
        assertEquals(List.of(40, 31), rig.touch(3, 31, 32, 32, 33, 33, 33));
        assertEquals(Set.of(13, 20, 12), rig.active(1));
        assertEquals(Set.of(22, 23, 28), rig.active(2));
        assertEquals(Set.of(32, 33, 37), rig.active(3));
    }

    private static PassivationRig aging() {
        PassivationRig rig = PassivationRig.limited(10, Order.LEAST_FREQUENT_AGING);
        assertEquals(List.of(), rig.touchTimes(1, 5, 1, 2));
        assertEquals(List.of(), rig.touchTimes(1, 10, 3, 4, 5));
        assertEquals(List.of(6, 7, 8, 9, 10, 11, 12, 13, 14, 15), rig.touch(1, ids(6, 20)));
        assertEquals(List.of(16, 17, 18, 19, 20), rig.touch(2, 21));
        assertEquals(Set.of(1, 2, 3, 4, 5), rig.active(1));
        return rig;
    }

    @Test
    @DisplayName("PASS-21 aging: newcomers begin with the uses of the last victim")
    void agingGivesNewcomersTheAge() {
        aging();
    }

    @Test
    @DisplayName("PASS-22 aging: old favourites give way")
    void oldFavouritesGiveWay() {
        PassivationRig rig = aging();
        rig.touch(1, ids(6, 10));
        assertEquals(Set.of(3, 4, 5, 9, 10), rig.active(1));
        rig.touch(1, ids(11, 15));
        assertEquals(Set.of(3, 4, 5, 14, 15), rig.active(1));
        rig.touch(1, ids(16, 20));
        assertEquals(Set.of(16, 17, 18, 19, 20), rig.active(1));
    }
}
