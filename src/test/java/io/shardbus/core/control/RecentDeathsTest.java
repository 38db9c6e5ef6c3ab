package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.splitbrain.KeepOldest;
import io.shardbus.core.splitbrain.LeaseMajority;
import io.shardbus.core.splitbrain.SplitResolver;
import io.shardbus.core.splitbrain.SplitStrategy;
import io.shardbus.core.splitbrain.SplitTimes;
import io.shardbus.core.splitbrain.StoreMajority;
import io.shardbus.core.time.ClockReading;
import io.shardbus.core.time.ElapsedTime;
import io.shardbus.model.NodeId;
import io.shardbus.model.SafetyOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When the proof that a lost node is dead stands in for a decision about its loss. */
class RecentDeathsTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final LeaseTimes TIMES = new LeaseTimes(2_000, 300, true);
    private static final ElapsedTime CLOCK = ElapsedTime.from(new ClockReading(0, 0, ClockReading.NO_BOOT, 0));
    private static final SafetyOptions ALIKE = SafetyOptions.of(Map.of("splitBrain", "alike"));

    private NodeControl control;
    private long now;

    private void start(SplitStrategy strategy, NodeId... members) {
        control = new NodeControl(
                new NodeSetup(A, 1, true, Seats.ALONE, TIMES, 0, true, strategy.overridesMajority(), "a strategy"),
                new SplitResolver(A, strategy, new SplitTimes(300, 1_000, 100, 40_000), ALIKE),
                (type, begin) -> new CoordinatorSettings(TIMES, 3_000, 100, 0),
                at());
        see(true, members);
        control.attributesChanged(
                Stream.of(members)
                        .collect(Collectors.toMap(
                                member -> member, member -> new PeerAttributes(Set.of(), true, ALIKE))),
                at());
    }

    private Moment at() {
        return new Moment(now, now, CLOCK);
    }

    private void see(boolean available, NodeId... members) {
        control.viewChanged(List.of(members), available, false, at());
    }

    /** Whether the caches are told to do without the node. */
    private boolean excuses(NodeId dead) {
        return control.provenDead(dead, at()).contains(new NodeCommand.Excuse(dead));
    }

    private void pass(long millis) {
        now += millis;
        control.tick(at());
    }

    @Test
    void oneThatIsMissingAloneCannotHaveGoneOnHoweverLongAgoItWasLost() {
        start(new StoreMajority(), A, B);
        see(false, A);
        pass(600_000);
        assertTrue(excuses(B));
    }

    @Test
    void ofSeveralThatAreMissingSomeMayHaveGoneOn() {
        start(new StoreMajority(), A, B, C);
        see(false, A);
        assertFalse(excuses(B));
        assertFalse(excuses(C));
        pass(1_000);
        assertFalse(control.mayAct());
        assertNull(control.deadlock(), "all seats may agree to found the cluster anew");
    }

    @Test
    void whoIsSeenToGoLaterMayHaveGoneWithTheFirst() {
        start(new StoreMajority(), A, B, C);
        see(true, A, B);
        assertTrue(excuses(C));
        see(false, A);
        assertFalse(excuses(B));
    }

    @Test
    void aNodeThatTookPartAfterTheFirstDeathWasNotLeftBehindByThat() {
        start(new StoreMajority(), A, B, C);
        see(true, A, B);
        assertTrue(excuses(C));
        long longest = TIMES.lease() + 2 * TIMES.margin();
        control.leaseGranted(now + longest);
        see(false, A);
        assertFalse(excuses(B), "the term may have been confirmed just before the death");
        see(true, A, B);
        control.leaseGranted(now + longest + 1);
        see(false, A);
        assertTrue(excuses(B));
    }

    @Test
    void aSideThatGoesOnByADecisionIsRidOfItsDead() {
        start(new StoreMajority(), A, B, C, new NodeId("d"), new NodeId("e"));
        see(true, A, B, C);
        assertFalse(excuses(new NodeId("d")), "e is missing, too");
        now += 300;
        assertEquals(
                List.of(new NodeCommand.Excuse(new NodeId("d"))),
                control.tick(at()).stream()
                        .filter(NodeCommand.Excuse.class::isInstance)
                        .toList());
        assertTrue(excuses(new NodeId("e")), "it is left behind, and no decision is open");
    }

    @Test
    void whereAMinorityMayGoOnTheArbiterDecides() {
        start(new LeaseMajority(""), A, B);
        see(true, A);
        assertFalse(excuses(B));
        pass(1_000);
        assertTrue(control.isUndecided(), "it asks the arbiter");
    }

    @Test
    void aWeakerStrategyCountsTheDeadForAWhile() {
        start(new KeepOldest(false, ""), B, C, A);
        see(false, A);
        assertTrue(excuses(B));
        pass(TIMES.lease() + 2 * TIMES.margin());
        assertFalse(excuses(C));
    }
}
