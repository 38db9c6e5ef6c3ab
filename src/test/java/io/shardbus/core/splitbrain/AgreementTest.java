package io.shardbus.core.splitbrain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.splitbrain.SplitCommand.GoOn;
import io.shardbus.core.splitbrain.SplitCommand.Hold;
import io.shardbus.core.splitbrain.SplitCommand.Stop;
import io.shardbus.core.splitbrain.SplitCommand.Warn;
import io.shardbus.model.NodeId;
import io.shardbus.model.SafetyOptions;
import io.shardbus.model.SplitMember;
import io.shardbus.model.SplitMember.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Members that decide about splits by different options. */
class AgreementTest {
    private static final SplitTimes TIMES = new SplitTimes(1_000, 4_000, 0, 40_000);
    private static final long SETTLED = 5_000;
    private static final SafetyOptions OLDEST = options("keep-oldest");
    private static final SafetyOptions MAJORITY = options("keep-majority");

    private final SplitMember a = member("a", OLDEST);
    private final SplitMember b = member("b", OLDEST);
    private final SplitMember c = member("c", OLDEST);
    private final SplitMember d = member("d", OLDEST);
    private final SplitMember odd = member("odd", MAJORITY);

    private static SafetyOptions options(String strategy) {
        return SafetyOptions.of(Map.of("splitBrain", strategy));
    }

    private static SplitMember member(String name, @Nullable SafetyOptions options) {
        return new SplitMember(new NodeId(name), Set.of(), options == null ? Status.JOINING : Status.UP, options);
    }

    private static SplitResolver keepOldest(SplitMember self) {
        return new SplitResolver(self.node(), new KeepOldest(true, ""), TIMES, OLDEST);
    }

    private static List<SplitCommand> see(SplitResolver resolver, boolean available, long now, SplitMember... members) {
        return resolver.viewChanged(List.of(members), available, false, now);
    }

    /** What is decided when a side has lost some, at 10,000. */
    private static SplitCommand lose(SplitResolver resolver, boolean available, SplitMember... left) {
        assertEquals(Hold.class, see(resolver, available, 10_000, left).get(0).getClass());
        List<SplitCommand> decided = resolver.tick(11_000).stream()
                .filter(command -> !(command instanceof Warn))
                .toList();
        assertEquals(1, decided.size(), decided.toString());
        return decided.get(0);
    }

    @Test
    void aMinorityGoesOnWhereAllDecideAlike() {
        SplitResolver resolver = keepOldest(a);
        see(resolver, true, 0, a, b, c, d, member("e", OLDEST));
        assertEquals(GoOn.class, lose(resolver, false, a, b).getClass());
    }

    @Test
    void noMinorityGoesOnWhereOneOfTheLostDecidesOtherwise() {
        SplitResolver resolver = keepOldest(a);
        see(resolver, true, 0, a, b, c, d, odd);
        assertEquals(Stop.class, lose(resolver, false, a, b).getClass());
    }

    @Test
    void noMinorityGoesOnWhereTheOptionsOfOneOfTheLostAreNotKnown() {
        SplitResolver resolver = keepOldest(a);
        see(resolver, true, 0, a, b, c, d, member("e", null));
        assertEquals(Stop.class, lose(resolver, false, a, b).getClass());
    }

    @Test
    void aMinorityGoesOnAgainWhenTheOddOneHasLeft() {
        SplitResolver resolver = keepOldest(a);
        see(resolver, true, 0, a, b, c, d, odd);
        resolver.excused(odd.node(), 100);
        see(resolver, true, 200, a, b, c, d);
        assertEquals(GoOn.class, lose(resolver, false, a, b).getClass());
    }

    @Test
    void theMajorityGoesOnBesideAnOddOneIfItsOwnRuleSaysSo() {
        SplitResolver resolver = keepOldest(a);
        see(resolver, true, 0, a, b, c, d, odd);
        assertEquals(GoOn.class, lose(resolver, true, a, b, c).getClass());
    }

    @Test
    void theMajorityStopsBesideAnOddOneIfItsOwnRuleSaysSo() {
        SplitResolver resolver = keepOldest(c);
        see(resolver, true, 0, a, b, c, d);
        see(resolver, true, 100, a, b, c, d, odd);
        Stop stop = (Stop) lose(resolver, true, c, d, odd);
        assertTrue(stop.yield(), "the other side may not have known the odd one");
    }

    @Test
    void anOddOneThatStopsTakesNoCachesAway() {
        SplitMember self = member("self", OLDEST);
        SplitResolver resolver = keepOldest(self);
        SplitMember[] all = new SplitMember[] {
            member("v", MAJORITY), member("w", MAJORITY), member("x", MAJORITY), member("y", MAJORITY), self
        };
        see(resolver, true, 0, all);
        see(resolver, true, SETTLED, all);
        Stop stop = (Stop) lose(resolver, true, all[2], all[3], self);
        assertFalse(stop.yield());
    }

    @Test
    void noNodeAsksTheArbiterForAMinorityBesideAnOddOne() {
        SplitResolver resolver = new SplitResolver(a.node(), new LeaseMajority(""), TIMES, OLDEST);
        see(resolver, true, 0, a, b, odd);
        assertEquals(Stop.class, lose(resolver, false, a).getClass());
    }

    @Test
    void aNodeAmongItsLikeMayCoordinateAtOnce() {
        SplitResolver resolver = keepOldest(a);
        assertFalse(resolver.mayCoordinate(), "nothing is known yet");
        resolver.tick(0);
        assertFalse(resolver.mayCoordinate(), "no view has come");
        see(resolver, true, 10, a, member("b", null));
        assertFalse(resolver.mayCoordinate(), "the other's options are not known yet");
        assertNull(resolver.misfit());
        see(resolver, true, 20, a, b);
        assertTrue(resolver.mayCoordinate());
    }

    @Test
    void aNodeWhoseNeighbourNeverSaysAnythingMayCoordinateInTheEnd() {
        SplitResolver resolver = keepOldest(a);
        see(resolver, true, 10, a, member("b", null));
        resolver.tick(9 + SETTLED);
        assertFalse(resolver.mayCoordinate());
        resolver.tick(10 + SETTLED);
        assertTrue(resolver.mayCoordinate());
    }

    @Test
    void anOddNodeIsNeitherReadyNorCoordinator() {
        SplitResolver resolver = keepOldest(a);
        SplitMember[] all = {member("x", MAJORITY), member("y", MAJORITY), a};
        see(resolver, true, 0, all);
        assertEquals("x: splitBrain is 'keep-oldest' here and 'keep-majority' there", resolver.misfit());
        assertFalse(resolver.mayCoordinate());
        resolver.tick(SETTLED);
        assertEquals("the cluster: splitBrain is 'keep-oldest' here and 'keep-majority' there", resolver.misfit());
        assertFalse(resolver.mayCoordinate());
    }

    @Test
    void theFirstNodeIsTheOddOneWhenOthersOutnumberIt() {
        SplitResolver resolver = keepOldest(a);
        see(resolver, true, 0, a);
        assertTrue(resolver.mayCoordinate());
        SplitMember x = member("x", MAJORITY);
        see(resolver, true, 10, a, x);
        resolver.tick(10 + SETTLED);
        assertTrue(resolver.mayCoordinate(), "of two it is the oldest");
        see(resolver, true, 6_000, a, x, member("y", MAJORITY));
        resolver.tick(5_999 + SETTLED);
        assertTrue(resolver.mayCoordinate(), "they may have joined one side of a cut that was not noticed yet");
        resolver.tick(6_000 + SETTLED);
        assertFalse(resolver.mayCoordinate());
        assertNotNull(resolver.misfit());
    }

    @Test
    @DisplayName("time that the clock gained and that may not have passed is no time of being together")
    void membersThatDifferMustHaveBeenTogetherForTimeThatPassed() {
        SplitResolver resolver = keepOldest(a);
        see(resolver, true, 0, a);
        see(resolver, true, 10, a, member("x", MAJORITY), member("y", MAJORITY));
        resolver.timeDoubted(SETTLED);
        resolver.tick(9 + 2 * SETTLED);
        assertTrue(resolver.mayCoordinate());
        resolver.tick(10 + 2 * SETTLED);
        assertFalse(resolver.mayCoordinate());
    }

    @Test
    void newcomersOfASideThatLosesOthersDoNotOutnumberItsMembers() {
        SplitResolver resolver = keepOldest(c);
        see(resolver, true, 0, a, b, c, d);
        SplitMember x = member("x", MAJORITY);
        SplitMember y = member("y", MAJORITY);
        SplitMember z = member("z", MAJORITY);
        see(resolver, true, 9_000, a, b, c, d, x, y, z);
        Stop stop = (Stop) lose(resolver, true, c, d, x, y, z);
        assertTrue(stop.yield(), "the other side may not have seen the newcomers");
        resolver.tick(30_000);
        assertTrue(resolver.mayCoordinate(), "what the cluster has is not settled by a part of it");
    }

    @Test
    void aDifferenceIsToldOnce() {
        SplitResolver resolver = keepOldest(a);
        see(resolver, true, 0, a, b);
        List<SplitCommand> told = new ArrayList<>(see(resolver, true, 0, a, b, odd));
        for (long now = 100; now < 2 * SETTLED; now += 100) {
            told.addAll(resolver.tick(now));
        }
        assertEquals(
                List.of("options that must be the same on all nodes differ from odd: splitBrain"
                        + " is 'keep-oldest' here and"
                        + " 'keep-majority' there; no side of a split goes on without the"
                        + " majority until they are the same"),
                told.stream().map(command -> ((Warn) command).text()).toList());
    }
}
