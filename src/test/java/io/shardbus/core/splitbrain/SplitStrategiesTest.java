package io.shardbus.core.splitbrain;

import static io.shardbus.core.splitbrain.SplitScenes.split;
import static io.shardbus.core.splitbrain.TieBreak.LOWEST_ADDRESS;
import static io.shardbus.core.splitbrain.TieBreak.NONE;
import static io.shardbus.core.splitbrain.TieBreak.OLDEST;
import static io.shardbus.model.SplitDecision.ASK_ARBITER;
import static io.shardbus.model.SplitDecision.ASK_ARBITER_LATER;
import static io.shardbus.model.SplitDecision.GO_ON;
import static io.shardbus.model.SplitDecision.STOP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each strategy makes of a split, by the tables of the behaviours. Their "other" is GO_ON; their "own" and "all"
 * are STOP, since a node decides for its own side only. The side that decides stands on the left: "lA,B | C" is a
 * leaving A and a full B that have lost C.
 */
class SplitStrategiesTest {
    private static final SplitStrategy QUORUM_3 = new StaticQuorum(3, "");
    private static final SplitStrategy MAJORITY = new KeepMajority("", NONE);
    private static final SplitStrategy MAJORITY_OR_LOWEST = new KeepMajority("", LOWEST_ADDRESS);
    private static final SplitStrategy OLDEST_ALONE_GOES = new KeepOldest(true, "");
    private static final SplitStrategy OLDEST_STAYS = new KeepOldest(false, "");
    private static final SplitStrategy LEASE = new LeaseMajority("");

    @ParameterizedTest(name = "{0} static-quorum: {2} -> {3}")
    @MethodSource
    void staticQuorum(String id, SplitStrategy strategy, String scene, SplitDecision verdict) {
        assertEquals(verdict, strategy.decide(split(scene)));
    }

    static Stream<Arguments> staticQuorum() {
        SplitStrategy role3 = new StaticQuorum(2, "role3");
        return Stream.of(
                arguments("SPLIT-09", QUORUM_3, "A,C,E | B,D", GO_ON),
                arguments("SPLIT-09", QUORUM_3, "B,D | A,C,E", STOP),
                arguments("SPLIT-09", QUORUM_3, "A,B | C,D", STOP),
                arguments("SPLIT-09", QUORUM_3, "C,D | A,B", STOP),
                arguments("SPLIT-10", role3, "A,B,C | D,E", GO_ON),
                arguments("SPLIT-10", role3, "D,E | A,B,C", STOP),
                arguments("SPLIT-11", QUORUM_3, "A,B,C | D,E,F", STOP),
                arguments("SPLIT-11", QUORUM_3, "D,E,F | A,B,C", STOP),
                arguments("SPLIT-12", QUORUM_3, "A,B,jC | D,E,jF", STOP),
                arguments("SPLIT-12", QUORUM_3, "D,E,jF | A,B,jC", STOP),
                arguments("SPLIT-12", QUORUM_3, "A,B,C | D,E,jF", GO_ON),
                arguments("SPLIT-12", QUORUM_3, "D,E,jF | A,B,C", STOP),
                arguments("SPLIT-12", QUORUM_3, "A,B,jC | D,E,F", STOP),
                arguments("SPLIT-12", QUORUM_3, "D,E,F | A,B,jC", GO_ON),
                arguments("SPLIT-12", QUORUM_3, "A,B,C | D,E,F", STOP),
                arguments("SPLIT-13", QUORUM_3, "A,B,lC | D,E", GO_ON),
                arguments("SPLIT-13", QUORUM_3, "D,E | A,B,lC", STOP),
                arguments("SPLIT-13", QUORUM_3, "A,B,xC | D,E", STOP),
                arguments("SPLIT-13", QUORUM_3, "D,E | A,B,xC", STOP));
    }

    @ParameterizedTest(name = "{0} keep-majority: {2} -> {3}")
    @MethodSource
    void keepMajority(String id, SplitStrategy strategy, String scene, SplitDecision verdict) {
        assertEquals(verdict, strategy.decide(split(scene)));
    }

    static Stream<Arguments> keepMajority() {
        SplitStrategy role2 = new KeepMajority("role2", LOWEST_ADDRESS);
        SplitStrategy role3 = new KeepMajority("role3", NONE);
        return Stream.of(
                arguments("SPLIT-14", MAJORITY, "A,C,E | B,D", GO_ON),
                arguments("SPLIT-14", MAJORITY, "B,D | A,C,E", STOP),
                arguments("SPLIT-14", MAJORITY, "A,B | C,D,E", STOP),
                arguments("SPLIT-14", MAJORITY, "C,D,E | A,B", GO_ON),
                arguments("SPLIT-14", MAJORITY, "B | A,C", STOP),
                arguments("SPLIT-14", MAJORITY, "A,C | B", GO_ON),
                arguments("SPLIT-15 without a tie-break", MAJORITY, "A,B | C,D", STOP),
                arguments("SPLIT-15 without a tie-break", MAJORITY, "C,D | A,B", STOP),
                arguments("SPLIT-15", MAJORITY_OR_LOWEST, "A,B | C,D", GO_ON),
                arguments("SPLIT-15", MAJORITY_OR_LOWEST, "C,D | A,B", STOP),
                arguments("SPLIT-15", MAJORITY_OR_LOWEST, "A | B", GO_ON),
                arguments("SPLIT-15", MAJORITY_OR_LOWEST, "B | A", STOP),
                arguments("SPLIT-15 by age", new KeepMajority("", OLDEST), "A | B", STOP),
                arguments("SPLIT-15 by age", new KeepMajority("", OLDEST), "B | A", GO_ON),
                arguments("SPLIT-16", role3, "A,B | C,D,E", GO_ON),
                arguments("SPLIT-16", role3, "C,D,E | A,B", STOP),
                arguments("SPLIT-16", role2, "A,D,E | B,C", STOP),
                arguments("SPLIT-16", role2, "B,C | A,D,E", GO_ON),
                arguments("SPLIT-17", role3, "C | E", STOP),
                arguments("SPLIT-17", role3, "E | C", STOP),
                arguments("SPLIT-18", MAJORITY, "B,D | jA,C", GO_ON),
                arguments("SPLIT-18", MAJORITY, "jA,C | B,D", STOP),
                arguments(
                        "SPLIT-18 where a tie-break could let the others go on",
                        MAJORITY_OR_LOWEST,
                        "B,D | jA,C",
                        STOP),
                arguments("SPLIT-18", MAJORITY, "A,jB | C,D,E", STOP),
                arguments("SPLIT-18", MAJORITY, "C,D,E | A,jB", GO_ON),
                arguments("SPLIT-19", MAJORITY, "A,B | C,D,E", STOP),
                arguments("SPLIT-19", MAJORITY, "C,D | A,B,E", STOP),
                arguments("SPLIT-19", MAJORITY, "E | A,B,C,D", STOP),
                arguments("SPLIT-20", MAJORITY, "A,B,F,G | C,D,E", GO_ON),
                arguments("SPLIT-20", MAJORITY, "C,D,E | A,B,jF,jG", STOP),
                arguments("SPLIT-21", MAJORITY_OR_LOWEST, "A,B,F | C,D,E", GO_ON),
                arguments("SPLIT-21", MAJORITY_OR_LOWEST, "C,D,E | A,B,jF", STOP),
                arguments("SPLIT-21", MAJORITY_OR_LOWEST, "A,B | C,D,E,jF", STOP),
                arguments("SPLIT-21", MAJORITY_OR_LOWEST, "C,D,E,F | A,B", GO_ON),
                arguments("SPLIT-22", MAJORITY, "lA,B,jE | C,D", STOP),
                arguments("SPLIT-22", MAJORITY, "C,D | xA,B,jE", GO_ON),
                arguments("SPLIT-22 with a tie-break", MAJORITY_OR_LOWEST, "lA,B,jE | C,D", STOP));
    }

    @ParameterizedTest(name = "{0} keep-oldest: {2} -> {3}")
    @MethodSource
    void keepOldest(String id, SplitStrategy strategy, String scene, SplitDecision verdict) {
        assertEquals(verdict, strategy.decide(split(scene)));
    }

    static Stream<Arguments> keepOldest() {
        SplitStrategy role2 = new KeepOldest(true, "role2");
        return Stream.of(
                arguments("SPLIT-30", OLDEST_ALONE_GOES, "A,E | B,C,D", GO_ON),
                arguments("SPLIT-30", OLDEST_ALONE_GOES, "B,C,D | A,E", STOP),
                arguments("SPLIT-30", role2, "A,E | B,C,D", STOP),
                arguments("SPLIT-30", role2, "B,C,D | A,E", GO_ON),
                arguments("SPLIT-31", OLDEST_ALONE_GOES, "E | A,B,C,D", STOP),
                arguments("SPLIT-31", OLDEST_ALONE_GOES, "A,B,C,D | E", GO_ON),
                arguments("SPLIT-31 off", OLDEST_STAYS, "E | A,B,C,D", GO_ON),
                arguments("SPLIT-31 off", OLDEST_STAYS, "A,B,C,D | E", STOP),
                arguments("SPLIT-32", OLDEST_ALONE_GOES, "B | A", GO_ON),
                arguments("SPLIT-32", OLDEST_ALONE_GOES, "A | B", STOP),
                arguments("SPLIT-33", OLDEST_ALONE_GOES, "A,B,D | C,xE", GO_ON),
                arguments("SPLIT-33", OLDEST_ALONE_GOES, "C,lE | A,B,D", STOP),
                arguments("SPLIT-33", OLDEST_ALONE_GOES, "A,lE | B,C,D", STOP),
                arguments("SPLIT-33", OLDEST_ALONE_GOES, "B,C,D | A,lE", STOP),
                arguments("SPLIT-33", OLDEST_ALONE_GOES, "A,E | lB,lC,D", GO_ON),
                arguments("SPLIT-33", OLDEST_ALONE_GOES, "lB,lC,D | A,E", STOP),
                arguments("SPLIT-34", OLDEST_ALONE_GOES, "lD,E | A,B,C", STOP),
                arguments("SPLIT-34", OLDEST_ALONE_GOES, "A,B,C | lD,E", STOP),
                arguments("SPLIT-34", OLDEST_ALONE_GOES, "E | A,B,lC", STOP),
                arguments("SPLIT-34", OLDEST_ALONE_GOES, "A,B,lC | E", GO_ON),
                arguments("SPLIT-34", OLDEST_ALONE_GOES, "E | A,lB,lC,lD", STOP),
                arguments("SPLIT-34", OLDEST_ALONE_GOES, "A,lB,lC,lD | E", STOP),
                arguments("SPLIT-35", OLDEST_ALONE_GOES, "D,xE | A,B,C", STOP),
                arguments("SPLIT-35", OLDEST_ALONE_GOES, "A,B,C | D,lE", STOP),
                arguments("SPLIT-35", OLDEST_ALONE_GOES, "A | xB", GO_ON),
                arguments("SPLIT-35", OLDEST_ALONE_GOES, "lB | A", STOP),
                arguments("SPLIT-36", OLDEST_ALONE_GOES, "jA,E | B,C,D", STOP),
                arguments("SPLIT-36", OLDEST_ALONE_GOES, "B,C,D | jA,E", STOP),
                arguments("SPLIT-36 off", OLDEST_STAYS, "jA,E | B,C,D", GO_ON),
                arguments("SPLIT-36 off", OLDEST_STAYS, "B,C,D | jA,E", STOP));
    }

    @ParameterizedTest(name = "{0} lease-majority: {2} -> {3}")
    @MethodSource
    void leaseMajority(String id, SplitStrategy strategy, String scene, SplitDecision verdict) {
        assertEquals(verdict, strategy.decide(split(scene)));
    }

    static Stream<Arguments> leaseMajority() {
        SplitStrategy role2 = new LeaseMajority("role2");
        return Stream.of(
                arguments("SPLIT-39", LEASE, "A,C,E | B,D", ASK_ARBITER),
                arguments("SPLIT-39", LEASE, "B,D | A,C,E", ASK_ARBITER_LATER),
                arguments("SPLIT-40", role2, "A,D,E | B,C", ASK_ARBITER_LATER),
                arguments("SPLIT-40", role2, "B,C | A,D,E", ASK_ARBITER),
                arguments("SPLIT-54", LEASE, "A,B,C,D | E,dF", ASK_ARBITER));
    }

    @Test
    @DisplayName("SPLIT-38 down-all: any cut stops all")
    void downAll() {
        assertEquals(STOP, new DownAll().decide(split("A,B,C,D | E")));
        assertEquals(STOP, new DownAll().decide(split("E | A,B,C,D")));
    }

    @Test
    @DisplayName("SPLIT-54 who is excluded or departing already does not count on either side")
    void theExcludedDoNotCount() {
        assertEquals(GO_ON, MAJORITY.decide(split("A,B | C,dD,dE")));
        assertEquals(STOP, MAJORITY.decide(split("C | A,B,dD,dE")));
        assertEquals(GO_ON, MAJORITY.decide(split("A,B,xC,xD | E")));
    }

    @Test
    void theCachesOwnMajorityIsTakenAtItsWord() {
        SplitSnapshot refused = split("A,B,C | D");
        assertEquals(STOP, new StoreMajority().decide(refused));
        assertEquals(GO_ON, new StoreMajority().decide(new SplitSnapshot(refused.members(), refused.lost(), true)));
    }

    @Test
    void onlyWhatOverridesTheMajorityCallsForCaution() {
        assertTrue(OLDEST_STAYS.caution().orElseThrow().contains("overrides the majority"));
        assertTrue(MAJORITY_OR_LOWEST.caution().isPresent());
        assertTrue(new KeepMajority("role2", NONE).caution().isPresent());
        for (SplitStrategy safe : List.of(MAJORITY, QUORUM_3, LEASE, new DownAll(), new StoreMajority())) {
            assertTrue(safe.caution().isEmpty());
        }
        assertTrue(LEASE.overridesMajority() && OLDEST_STAYS.overridesMajority());
        assertTrue(!QUORUM_3.overridesMajority() && !new DownAll().overridesMajority());
    }

    @Test
    @DisplayName("no two sides of the same members go on, however they are cut into up to three")
    void atMostOneSideGoesOn() {
        List<SplitStrategy> strategies = List.of(
                MAJORITY,
                MAJORITY_OR_LOWEST,
                new KeepMajority("role2", OLDEST),
                new KeepMajority("role3", LOWEST_ADDRESS),
                QUORUM_3,
                new StaticQuorum(2, "role3"),
                OLDEST_ALONE_GOES,
                OLDEST_STAYS,
                new KeepOldest(true, "role2"),
                new DownAll());
        for (SplitStrategy strategy : strategies) {
            for (int size = 2; size <= 6; size++) {
                for (List<String> sides : cuts("ABCDEFG".substring(0, size))) {
                    assertTrue(whoGoOn(strategy, sides) <= 1, strategy.getClass() + " " + sides);
                }
            }
        }
    }

    private static long whoGoOn(SplitStrategy strategy, List<String> sides) {
        return sides.stream()
                .filter(side -> !side.isEmpty())
                .filter(side -> strategy.decide(split(scene(side, sides))) == GO_ON)
                .count();
    }

    private static String scene(String side, List<String> sides) {
        String others = String.join(
                "", sides.stream().filter(other -> !other.equals(side)).toList());
        return String.join(",", side.split("")) + " | " + String.join(",", others.split(""));
    }

    private static List<List<String>> cuts(String members) {
        List<List<String>> cuts = new ArrayList<>();
        int all = (int) Math.pow(3, members.length());
        for (int code = 1; code < all; code++) {
            List<String> sides = new ArrayList<>(List.of("", "", ""));
            int rest = code;
            for (int i = 0; i < members.length(); i++) {
                sides.set(rest % 3, sides.get(rest % 3) + members.charAt(i));
                rest /= 3;
            }
            if (sides.stream().filter(side -> !side.isEmpty()).count() > 1) {
                cuts.add(sides);
            }
        }
        return cuts;
    }
}
