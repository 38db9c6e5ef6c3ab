package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorEvent.DrainRequested;
import io.shardbus.core.coordinator.CoordinatorEvent.Received;
import io.shardbus.core.coordinator.CoordinatorEvent.UndrainRequested;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToCoordinator.GetShardHomes;
import io.shardbus.core.protocol.ToCoordinator.Goodbye;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Leave;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** For how long a region is one that is to have no shards. */
class DrainTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final RegionProfile PROFILE = new RegionProfile(false, 10, "1", "1", 1, 1);
    private static final long FIRST = ToCoordinator.firstAttempt(1);
    private static final long OF_THE_NEXT = ToCoordinator.firstAttempt(2);

    private final Coordinator coordinator = new Coordinator(
            new TermId(7, 1),
            new CoordinatorSettings(new LeaseTimes(1_000, 300, true), 2_000, 400, 100_000, 10),
            0,
            0,
            Set.of(A, B));
    private long now;

    private List<CoordinatorCommand> step(CoordinatorEvent event) {
        return coordinator.step(event, now);
    }

    private static List<ShardReport> reports(int... shards) {
        return IntStream.of(shards)
                .mapToObj(shard -> new ShardReport(shard, new FencingToken(6, 1, shard)))
                .toList();
    }

    private void register(NodeId node, long attempt, int... shards) {
        step(new Received(node, new Register(attempt, PROFILE, reports(shards), 1)));
    }

    /** Until earlier leases have run out; A has shards 1 and 2. */
    private void open() {
        for (int beat = 2; now <= 1_200; now += 100, beat++) {
            step(new CoordinatorEvent.Confirmed(now));
            step(new Received(A, new Heartbeat(FIRST, beat, beat - 1, reports(1, 2))));
            step(new Received(B, new Heartbeat(FIRST, beat, beat - 1, List.of())));
            step(new CoordinatorEvent.Ticked());
        }
    }

    /** Whether it is to have no shards. */
    private boolean isLeaving(NodeId node) {
        return coordinator.inspect(now).regions().stream()
                .filter(region -> region.node().equals(node))
                .findFirst()
                .orElseThrow()
                .leaving();
    }

    @Test
    void drainsANodeOnRequest() {
        register(A, FIRST, 1, 2);
        register(B, FIRST);
        open();
        List<CoordinatorCommand> commands = step(new DrainRequested(A));
        assertTrue(
                commands.stream()
                        .anyMatch(command -> command instanceof CoordinatorCommand.Send send
                                && send.to().equals(A)
                                && send.message() instanceof ToRegion.BeginHandoff),
                commands::toString);
        assertTrue(isLeaving(A));
        assertEquals(Set.of(1, 2), coordinator.snapshot().inHandoff());
    }

    @Test
    void aNodeWhoseRegionRegistersLaterIsEmptiedToo() {
        step(new DrainRequested(A));
        register(A, FIRST, 1, 2);
        register(B, FIRST);
        assertTrue(isLeaving(A));
        assertFalse(isLeaving(B));
        assertEquals(Set.of(), coordinator.snapshot().inHandoff(), "who has not registered could still send");
        open();
        assertEquals(Set.of(1, 2), coordinator.snapshot().inHandoff());
    }

    @Test
    void noShardGetsAHomeBeforeTheOrdersOfOperatorsAreKnown() {
        step(new CoordinatorEvent.OrdersAwaited(true));
        register(A, FIRST, 1, 2);
        register(B, FIRST);
        open();
        assertTrue(coordinator.isOpen());
        assertEquals(List.of(), placed(step(new Received(B, new ToCoordinator.GetShardHomes(FIRST, List.of(5))))));
        step(new DrainRequested(A));
        assertEquals(List.of(5), placed(step(new CoordinatorEvent.OrdersAwaited(false))));
    }

    private static List<Integer> placed(List<CoordinatorCommand> commands) {
        return commands.stream()
                .filter(CoordinatorCommand.PlaceShard.class::isInstance)
                .map(command -> ((CoordinatorCommand.PlaceShard) command).shard())
                .toList();
    }

    @Test
    void aRegionThatRegistersAgainIsStillDrained() {
        register(A, FIRST);
        step(new DrainRequested(A));
        register(A, FIRST + 1);
        assertTrue(isLeaving(A));
        now = 900;
        step(new CoordinatorEvent.Confirmed(now));
        step(new CoordinatorEvent.ViewChanged(Set.of(B)));
        now = 2_300;
        step(new CoordinatorEvent.Confirmed(now));
        step(new CoordinatorEvent.Ticked());
        assertEquals(List.of(), coordinator.inspect(now).regions());
        step(new CoordinatorEvent.ViewChanged(Set.of(A, B)));
        register(A, FIRST + 2);
        assertTrue(isLeaving(A), "it was silent for a while");
    }

    @Test
    void aRegionThatIsStartedInPlaceOfADrainedOneMayHaveShards() {
        register(A, FIRST);
        register(B, FIRST);
        step(new DrainRequested(A));
        step(new DrainRequested(B));
        hearAGrant(A);
        hearAGrant(B);
        step(new Received(A, new Goodbye(FIRST)));
        register(A, OF_THE_NEXT);
        register(B, OF_THE_NEXT);
        assertFalse(isLeaving(A));
        assertFalse(isLeaving(B), "though its goodbye was lost");
        assertEquals(Set.of(), drained());
    }

    /** The region's second heartbeat is granted, and the third one says that it has heard that. */
    private void hearAGrant(NodeId node) {
        step(new Received(node, new Heartbeat(FIRST, 2, 1, List.of())));
        step(new Received(node, new Heartbeat(FIRST, 3, 2, List.of())));
    }

    @Test
    void aDrainThatTheRegionMayNotHaveLivedToSeeHoldsForTheNextOne() {
        register(A, FIRST);
        register(B, FIRST);
        step(new Received(B, new Leave(FIRST)));
        step(new DrainRequested(A));
        step(new DrainRequested(B));
        // sent before the order: the first heartbeat was granted then
        step(new Received(A, new Heartbeat(FIRST, 2, 1, List.of())));
        step(new Received(A, new Goodbye(FIRST)));
        assertEquals(Set.of(A, B), drained());
        register(A, OF_THE_NEXT);
        register(B, OF_THE_NEXT);
        assertTrue(isLeaving(A), "it may have been there when the order was given");
        assertTrue(isLeaving(B), "it may have been there when the order was given");
        step(new Received(A, new Heartbeat(OF_THE_NEXT, 2, 1, List.of())));
        register(A, ToCoordinator.firstAttempt(3));
        assertFalse(isLeaving(A), "the one before had heard the coordinator");
    }

    @Test
    void aRegionThatHeardTheCoordinatorAfterTheOrderEndsTheDrainAlsoIfItRegisteredAgain() {
        register(A, FIRST);
        register(B, FIRST);
        step(new DrainRequested(A));
        hearAGrant(A);
        register(A, FIRST + 1);
        assertTrue(isLeaving(A));
        register(A, OF_THE_NEXT);
        assertFalse(isLeaving(A));
    }

    @Test
    void aNodeThatLeftIsDrainedNoLonger() {
        register(A, FIRST);
        step(new DrainRequested(A));
        step(new Received(A, new Goodbye(FIRST)));
        step(new CoordinatorEvent.NodeLeft(A, now));
        assertEquals(Set.of(), drained());
        register(A, OF_THE_NEXT);
        assertFalse(isLeaving(A));
    }

    @Test
    void aRegionThatIsStartedInPlaceOfOneThatWasLeavingIsNot() {
        register(A, FIRST);
        step(new Received(A, new Leave(FIRST)));
        register(A, FIRST + 1);
        assertTrue(isLeaving(A), "it will say so again");
        register(A, OF_THE_NEXT);
        assertFalse(isLeaving(A), "the goodbye of the one before was lost");
    }

    @Test
    void aRegionInThePlaceOfADrainedOneWhoseGoodbyeWasLostMayHaveShards() {
        register(A, FIRST, 1, 2);
        register(B, FIRST);
        open();
        step(new DrainRequested(A));
        assertTrue(isLeaving(A));
        step(new CoordinatorEvent.NodeLeft(A, now));
        register(A, OF_THE_NEXT);
        assertFalse(isLeaving(A));
    }

    @Test
    void aDrainThatWasOrderedBeforeARegionRegisteredOutlastsTheGoodbyeOfAnEarlierOne() {
        register(B, FIRST);
        step(new DrainRequested(A));
        step(new Received(A, new Goodbye(FIRST)));
        register(A, OF_THE_NEXT);
        assertTrue(isLeaving(A), "the one that left may have ended before the order");
    }

    private Set<NodeId> drained() {
        return coordinator.inspect(now).drained();
    }

    @Test
    void whatHasNotHadItsTurnStaysWhenADrainIsTakenBack() {
        register(A, FIRST, 1, 2);
        register(B, FIRST);
        open();
        step(new DrainRequested(A));
        assertEquals(Set.of(A), drained());
        assertEquals(Set.of(1, 2), coordinator.snapshot().inHandoff());
        step(new UndrainRequested(A));
        assertEquals(Set.of(), drained());
        assertFalse(isLeaving(A));
        assertEquals(Set.of(1), coordinator.snapshot().inHandoff(), "the first is on its way");
    }

    @Test
    void aNodeWhoseDrainIsTakenBackIsGivenShardsThatHadToWait() {
        register(A, FIRST, 1, 2);
        register(B, FIRST);
        open();
        step(new DrainRequested(A));
        step(new DrainRequested(B));
        List<CoordinatorCommand> wanted = step(new Received(A, new GetShardHomes(FIRST, List.of(3))));
        CoordinatorCommand place = new CoordinatorCommand.PlaceShard(3, A);
        assertFalse(wanted.contains(place), "no node takes it");
        assertTrue(step(new UndrainRequested(B)).contains(place));
        assertEquals(Set.of(A), drained());
    }

    @Test
    void theStrategyIsAskedWhenADrainIsTakenBack() {
        register(A, FIRST, 1, 2);
        register(B, FIRST);
        open();
        step(new DrainRequested(B));
        CoordinatorCommand choose = new CoordinatorCommand.ChooseMoves();
        assertFalse(step(new CoordinatorEvent.Ticked()).contains(choose));
        step(new UndrainRequested(B));
        assertTrue(step(new CoordinatorEvent.Ticked()).contains(choose));
    }

    @Test
    void movesOfANodeThatIsNotDrainedGoOn() {
        register(A, FIRST, 1, 2);
        register(B, FIRST);
        open();
        step(new CoordinatorEvent.MovesChosen(Set.of(1, 2)));
        step(new UndrainRequested(A));
        step(new UndrainRequested(new NodeId("unknown")));
        assertEquals(Set.of(1, 2), coordinator.snapshot().inHandoff());
    }

    private static boolean beginsAMove(List<CoordinatorCommand> commands) {
        return commands.stream()
                .anyMatch(command -> command instanceof CoordinatorCommand.Send send
                        && send.message() instanceof ToRegion.BeginHandoff);
    }

    @Test
    void aDrainedNodeKeepsItsShardsWhileNoOtherTakesThem() {
        register(A, FIRST, 1, 2);
        register(B, FIRST);
        open();
        step(ordered(OperatorOrder.Kind.CORDON, 0, B));
        assertFalse(beginsAMove(step(new DrainRequested(A))), "the shards would have no home");
        List<CoordinatorCommand> reported = step(new CoordinatorEvent.Ticked());
        assertFalse(beginsAMove(reported));
        assertTrue(
                reported.contains(new CoordinatorCommand.Report(
                        true,
                        "node a is drained, and no other node takes 2 shards of it now: they"
                                + " stay there until one does")),
                reported::toString);
        assertEquals(Map.of(A, 2), coordinator.inspect(now).stranded());
        assertFalse(step(new CoordinatorEvent.Ticked()).stream().anyMatch(CoordinatorCommand.Report.class::isInstance));
        assertTrue(beginsAMove(step(ordered(OperatorOrder.Kind.UNCORDON, 0, B))));
        assertEquals(Map.of(), coordinator.inspect(now).stranded());
    }

    @Test
    void aMoveThatWaitsIsForgottenWithItsDrain() {
        register(A, FIRST, 1, 2);
        register(B, FIRST);
        open();
        step(new DrainRequested(A));
        step(ordered(OperatorOrder.Kind.MOVE, 2, B));
        step(new UndrainRequested(A));
        step(new Received(A, new ToCoordinator.ShardStopped(2, new FencingToken(6, 1, 2))));
        step(new CoordinatorEvent.ShardPlaced(2, A));
        assertEquals(A, coordinator.inspect(now).row(2).orElseThrow().home(), "the order is over");
    }

    private static CoordinatorEvent ordered(OperatorOrder.Kind kind, int shard, NodeId node) {
        return new CoordinatorEvent.Ordered(new OperatorOrder(kind, "type", node, shard));
    }

    @Test
    void aDrainIsTakenBackBeforeTheRegionRegisters() {
        step(new DrainRequested(A));
        assertEquals(Set.of(A), drained());
        step(new UndrainRequested(A));
        register(A, FIRST);
        assertFalse(isLeaving(A));
        assertEquals(Set.of(), drained());
    }
}
