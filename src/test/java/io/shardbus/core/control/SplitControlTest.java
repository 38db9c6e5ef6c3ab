package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.splitbrain.DownAll;
import io.shardbus.core.splitbrain.KeepMajority;
import io.shardbus.core.splitbrain.KeepOldest;
import io.shardbus.core.splitbrain.SplitResolver;
import io.shardbus.core.splitbrain.SplitTimes;
import io.shardbus.core.splitbrain.TieBreak;
import io.shardbus.model.NodeId;
import io.shardbus.model.SafetyOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SplitControlTest {
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OTHER = new NodeId("b");
    private static final SafetyOptions ALIKE = SafetyOptions.of(Map.of("splitBrain", "down-all"));

    private final List<String> effects = new ArrayList<>();
    private final Peers peers = new Peers(10_000);
    private final Turn turn = new Turn(0);
    private final SplitControl split = new SplitControl(
            setup("down-all"),
            new SplitResolver(SELF, new DownAll(), new SplitTimes(0, 1_000, 0, 40_000), ALIKE),
            peers,
            turn,
            new Effects());

    private final class Effects implements SplitControl.Effects {
        @Override
        public void undecided(boolean undecided) {
            effects.add(undecided ? "undecided" : "decided");
        }

        @Override
        public void recordMayBeOld() {
            effects.add("the record may be old");
        }

        @Override
        public void permissionChanged(boolean mayAct, boolean viewFollows) {
            effects.add((mayAct ? "acts" : "stops") + (viewFollows ? ", the view follows" : ""));
        }

        @Override
        public void mayCoordinate(boolean may) {
            effects.add(may ? "stands" : "does not stand");
        }
    }

    private static NodeSetup setup(String strategy) {
        return setup(strategy, false);
    }

    private static NodeSetup setup(String strategy, boolean minorityMayGoOn) {
        LeaseTimes times = new LeaseTimes(2_000, 300, true);
        return new NodeSetup(SELF, 1, true, Seats.ALONE, times, 0, false, minorityMayGoOn, strategy);
    }

    private void view(long now, NodeId... members) {
        view(split, now, false, members);
    }

    private void view(SplitControl of, long now, boolean merged, NodeId... members) {
        turn.begin(now, 0);
        peers.viewChanged(List.of(members), now);
        of.viewChanged(List.of(members), true, merged);
    }

    private void meet() {
        PeerAttributes said = new PeerAttributes(Set.of(), true, ALIKE);
        split.attributesChanged(Map.of(SELF, said, OTHER, said));
    }

    @Test
    void aNodeAmongMembersWithItsOptionsMayCoordinate() {
        view(0, SELF, OTHER);
        assertEquals(List.of(), effects);
        meet();
        assertEquals(List.of("stands"), effects);
    }

    @Test
    void aSideThatStopsDoesSoBeforeItMayWriteAgain() {
        view(0, SELF, OTHER);
        meet();
        effects.clear();
        view(10, SELF);
        assertEquals(List.of("undecided", "stops, the view follows", "decided"), effects);
        assertFalse(split.mayAct());
        assertFalse(split.electionView().available());
        assertEquals(
                "split brain, down-all: this side [a] stops, without [b]: the strategy lets"
                        + " another side go on, or none",
                split.stopped());
    }

    @Test
    void aSideThatIsWholeAgainActsBeforeItsElectionHearsOfTheView() {
        view(0, SELF, OTHER);
        meet();
        view(10, SELF);
        effects.clear();
        view(20, SELF, OTHER);
        assertEquals(List.of("decided", "acts, the view follows"), effects);
        assertTrue(split.mayAct());
    }

    @Test
    @DisplayName("a member that said goodbye, was out of the view for a moment and then goes splits nothing")
    void aGoodbyeHoldsForAMemberThatComesBackBeforeItLeaves() {
        view(0, SELF, OTHER);
        meet();
        peers.saidGoodbye(OTHER);
        split.resolve(resolver -> resolver.excused(OTHER, 0));
        view(10, SELF);
        view(20, SELF, OTHER);
        effects.clear();
        view(30, SELF);
        assertEquals(List.of(), effects);
        assertTrue(split.mayAct());
    }

    @Test
    void theLastThatMayCoordinateHasDependents() {
        view(0, SELF, OTHER);
        assertEquals(List.of(), split.dependents().without(Set.of()), "the other may be able to");
        assertEquals(List.of(), split.dependents().without(Set.of(OTHER)), "none is left then");
        PeerAttributes own = new PeerAttributes(Set.of(), true, ALIKE);
        split.attributesChanged(Map.of(SELF, own, OTHER, new PeerAttributes(Set.of(), false, ALIKE)));
        assertEquals(List.of(OTHER), split.dependents().without(Set.of()));
        assertEquals(List.of(), split.dependents().without(Set.of(OTHER)), "the other leaves, too");
        peers.saidGoodbye(OTHER);
        assertEquals(List.of(), split.dependents().staying());
    }

    @Test
    void aStoppedSideWhoseLostAreAllDeadHelpsItselfNoMore() {
        view(0, SELF, OTHER);
        meet();
        split.diedTooLate(OTHER);
        view(10, SELF);
        assertNull(split.deadlock(), "it may go on yet");
        turn.begin(1_000, 0);
        split.resolve(resolver -> resolver.tick(1_000));
        assertNull(split.deadlock(), "the other may come back");
        split.diedTooLate(OTHER);
        String why = String.valueOf(split.deadlock());
        assertTrue(why.contains("[b]") && why.contains("restart all nodes of this side [a]"), why);
        view(1_010, SELF, OTHER);
        assertNull(split.deadlock(), "it was not dead");
    }

    @Test
    void whoWasLeftBehindAndDiedIsAwaitedNoMore() {
        NodeId third = new NodeId("c");
        SplitControl two = new SplitControl(
                setup("keep-majority"),
                new SplitResolver(
                        SELF, new KeepMajority("", TieBreak.NONE), new SplitTimes(0, 1_000, 0, 40_000), ALIKE),
                peers,
                turn,
                new Effects());
        view(two, 0, false, SELF, OTHER, third);
        PeerAttributes said = new PeerAttributes(Set.of(), true, ALIKE);
        two.attributesChanged(Map.of(SELF, said, OTHER, said, third, said));
        view(two, 10, false, SELF, OTHER);
        assertTrue(two.mayAct());
        two.diedTooLate(third);
        view(two, 1_000, false, SELF);
        assertFalse(two.mayAct());
        assertNull(two.deadlock(), "the other may come back");
        two.resolve(resolver -> resolver.excused(OTHER, 1_100));
        assertFalse(two.mayAct(), "the other may have gone on with the third");
        String why = String.valueOf(two.deadlock());
        assertTrue(why.contains("[c]"), why);
    }

    @Test
    void aDeathThatWasProvenTooLateCountsOnceTheSideHasMetAnother() {
        NodeId third = new NodeId("c");
        view(0, SELF, OTHER, third);
        PeerAttributes said = new PeerAttributes(Set.of(), true, ALIKE);
        split.attributesChanged(Map.of(SELF, said, OTHER, said, third, said));
        view(10, SELF);
        split.diedTooLate(OTHER);
        assertFalse(split.mayAct());
        effects.clear();
        view(split, 20, true, SELF, third);
        assertTrue(split.mayAct());
        assertEquals(List.of("decided", "acts, the view follows"), effects);
    }

    @Test
    void aDeathThatWasProvenTooLateDoesNotCountWhereAMinorityMayHaveGoneOnWithTheDead() {
        NodeId third = new NodeId("c");
        SplitControl oldest = new SplitControl(
                setup("keep-oldest", true),
                new SplitResolver(SELF, new KeepOldest(true, ""), new SplitTimes(0, 1_000, 0, 40_000), ALIKE),
                peers,
                turn,
                new Effects());
        view(oldest, 0, false, OTHER, SELF, third);
        PeerAttributes said = new PeerAttributes(Set.of(), true, ALIKE);
        oldest.attributesChanged(Map.of(SELF, said, OTHER, said, third, said));
        view(oldest, 10, false, SELF);
        oldest.diedTooLate(OTHER);
        view(oldest, 20, true, SELF, third);
        assertFalse(oldest.mayAct(), "a node that came to the dead one may reign");
    }

    @Test
    void aSideThatWaitsForANodeOfLongAgoIsADeadlockAfterTwoLeasesWhereAMinorityMayGoOn() {
        NodeId third = new NodeId("c");
        SplitControl two = new SplitControl(
                setup("keep-majority", true),
                new SplitResolver(
                        SELF, new KeepMajority("", TieBreak.NONE), new SplitTimes(0, 1_000, 0, 40_000), ALIKE),
                peers,
                turn,
                new Effects());
        view(two, 0, false, SELF, OTHER, third);
        PeerAttributes said = new PeerAttributes(Set.of(), true, ALIKE);
        two.attributesChanged(Map.of(SELF, said, OTHER, said, third, said));
        view(two, 10, false, SELF, OTHER);
        view(two, 1_000, false, SELF);
        turn.begin(1_100, 0);
        two.resolve(resolver -> resolver.excused(OTHER, 1_100));
        assertFalse(two.mayAct(), "the other may have gone on with the third");
        turn.begin(5_099, 0);
        assertNull(two.deadlock(), "a reign that goes on may still be seen");
        turn.begin(5_100, 0);
        String why = String.valueOf(two.deadlock());
        assertTrue(why.contains("[c]") && why.contains("restart all nodes of this side [a]"), why);
    }

    /** Members that joined later reign, and tell it again which nodes they go on without. */
    @Test
    void aSideThatStaysStoppedThoughItsSeatsHaveFoundedTheClusterIsADeadlock() {
        NodeId third = new NodeId("c");
        LeaseTimes times = new LeaseTimes(2_000, 300, true);
        SplitControl seated = new SplitControl(
                new NodeSetup(SELF, 1, true, Seats.ofHost("h"), times, 0, false, false, "down-all"),
                new SplitResolver(SELF, new DownAll(), new SplitTimes(0, 1_000, 0, 40_000), ALIKE),
                peers,
                turn,
                new Effects());
        NodeId leaver = new NodeId("d");
        view(seated, 0, false, SELF, OTHER, leaver);
        PeerAttributes said = new PeerAttributes(Set.of(), true, ALIKE);
        seated.attributesChanged(Map.of(SELF, said, OTHER, said, leaver, said));
        seated.told(Set.of(third), true);
        view(seated, 10, false, SELF, leaver);
        turn.begin(1_000, 0);
        seated.resolve(resolver -> resolver.tick(1_000));
        seated.diedTooLate(OTHER);
        // gives the caches back to a side that does not wait for those left behind yet: another founding may help it
        seated.founded();
        peers.saidGoodbye(leaver);
        seated.resolve(resolver -> resolver.excused(leaver, 1_000));
        view(seated, 1_000, false, SELF);
        assertNull(seated.deadlock(), "all seats may agree to found the cluster anew");
        seated.founded();
        seated.told(Set.of(third), true);
        String why = String.valueOf(seated.deadlock());
        assertTrue(why.contains("[b]") && why.contains("restart all nodes of this side [a]"), why);
    }

    @Test
    void aSideWithoutTheCachesMayBeRevivedByItsSeats() {
        view(0, SELF, OTHER);
        meet();
        turn.begin(10, 0);
        peers.viewChanged(List.of(SELF), 10);
        split.viewChanged(List.of(SELF), false, false);
        split.resolve(resolver -> resolver.tick(1_000));
        split.diedTooLate(OTHER);
        assertNull(split.deadlock());
    }

    @Test
    void aMemberThatSaidGoodbyeIsNotLost() {
        view(0, SELF, OTHER);
        meet();
        effects.clear();
        peers.saidGoodbye(OTHER);
        split.resolve(resolver -> resolver.excused(OTHER, turn.now()));
        view(10, SELF);
        assertEquals(List.of(), effects);
    }

    @Test
    void onlyMembersThatMayCoordinateAreCandidatesOnceTheySaySo() {
        view(0, SELF, OTHER);
        assertEquals(List.of(SELF, OTHER), split.electionView().candidates());
        split.attributesChanged(Map.of(OTHER, new PeerAttributes(Set.of(), false, ALIKE)));
        assertEquals(List.of(SELF), split.electionView().candidates());
    }

    @Test
    @DisplayName("members that have said goodbye are no candidates, though they stay in the view")
    void aMemberThatLeavesIsNoCandidate() {
        view(0, OTHER, SELF);
        meet();
        peers.saidGoodbye(OTHER);
        assertEquals(List.of(SELF), split.electionView().candidates());
    }

    @Test
    @DisplayName("members without attributes and without the term record are no candidates, the node itself always is")
    void aMemberWithoutShardingIsNoCandidate() {
        NodeId gateway = new NodeId("gateway");
        view(0, gateway, OTHER, SELF);
        split.counted(Set.of(OTHER));
        assertEquals(List.of(OTHER, SELF), split.electionView().candidates());
        split.counted(Set.of(OTHER, SELF, gateway));
        assertEquals(List.of(gateway, OTHER, SELF), split.electionView().candidates());
    }

    @Test
    @DisplayName("members that have said nothing of themselves for long are no candidates, as they have ended their"
            + " sharding without a goodbye; those that say it again are")
    void aMemberWhoseAttributesStayAwayIsNoCandidate() {
        view(0, OTHER, SELF);
        meet();
        split.counted(Set.of(OTHER, SELF));
        PeerAttributes said = new PeerAttributes(Set.of(), true, ALIKE);
        turn.begin(1_000, 0);
        split.attributesChanged(Map.of(SELF, said));
        turn.begin(1_000 + SilentMembers.LONGEST_PAUSE - 1, 0);
        assertFalse(split.tick());
        assertEquals(List.of(OTHER, SELF), split.electionView().candidates(), "they may be published again");
        turn.begin(1_000 + SilentMembers.LONGEST_PAUSE, 0);
        assertTrue(split.tick());
        assertFalse(split.tick(), "it is said once");
        assertEquals(List.of(SELF), split.electionView().candidates());
        assertEquals(List.of(), split.dependents().staying());
        meet();
        assertEquals(List.of(OTHER, SELF), split.electionView().candidates());
        split.attributesChanged(Map.of(SELF, said));
        assertFalse(split.tick(), "it is given time anew");
    }

    @Test
    @DisplayName("members without sharding neither depend on the last seat nor can replace it")
    void aMemberWithoutShardingIsNoDependent() {
        NodeId gateway = new NodeId("gateway");
        view(0, gateway, OTHER, SELF);
        PeerAttributes guest = new PeerAttributes(Set.of(), false, ALIKE);
        split.attributesChanged(Map.of(SELF, new PeerAttributes(Set.of(), true, ALIKE), OTHER, guest));
        split.counted(Set.of(OTHER, SELF));
        assertEquals(List.of(OTHER), split.dependents().without(Set.of()));
    }
}
