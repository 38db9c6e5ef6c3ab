package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.allocation.LeastShards;
import io.shardbus.core.allocation.RoundLimit;
import io.shardbus.core.coordinator.CoordinatorCommand.ChooseMoves;
import io.shardbus.core.coordinator.CoordinatorCommand.Send;
import io.shardbus.core.coordinator.CoordinatorEvent.DrainRequested;
import io.shardbus.core.coordinator.CoordinatorEvent.MovesChosen;
import io.shardbus.core.coordinator.CoordinatorEvent.Received;
import io.shardbus.core.coordinator.CoordinatorEvent.ShardPlaced;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator.Goodbye;
import io.shardbus.core.protocol.ToCoordinator.HandoffAborted;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Leave;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToCoordinator.ShardHosted;
import io.shardbus.core.protocol.ToCoordinator.ShardStopped;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shards 1 to 6 are at home at A; 7 and 8 at C; none at B. Two of them may move at a time. */
class MovesTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final NodeId D = new NodeId("d");
    private static final long HANDOFF_TIMEOUT = 2_000;
    private static final RegionProfile PROFILE = new RegionProfile(false, 10, "1", "1", 1, 1);

    private final Coordinator coordinator = new Coordinator(
            new TermId(7, 1),
            new CoordinatorSettings(new LeaseTimes(1_000, 300, true), HANDOFF_TIMEOUT, 400, 100_000, 2),
            0,
            0,
            Set.of(A, B, C, D));
    private final List<CoordinatorCommand> commands = new ArrayList<>();
    private long now;
    /** Of regions that have registered again. */
    private final Map<NodeId, Long> attempts = new HashMap<>();

    private long beats = 1;

    @BeforeEach
    void open() {
        register(A, 1, 2, 3, 4, 5, 6);
        register(B);
        register(C, 7, 8);
        pass(1_200);
        moveOne();
        pass(100);
        commands.clear();
    }

    /** One is through, so two may move at a time. */
    private void moveOne() {
        choose(8);
        stop(8);
        start(8, C);
    }

    private void registerAgain(NodeId node, int... shards) {
        attempts.put(node, 2L);
        register(node, shards);
    }

    private long attempt(NodeId node) {
        return attempts.getOrDefault(node, 1L);
    }

    private void register(NodeId node, int... shards) {
        step(new Received(
                node,
                new Register(
                        attempt(node),
                        PROFILE,
                        IntStream.of(shards)
                                .mapToObj(shard -> new ShardReport(shard, new FencingToken(6, 1, shard)))
                                .toList(),
                        beats)));
    }

    private void step(CoordinatorEvent event) {
        commands.addAll(coordinator.step(event, now));
    }

    private void pass(long millis, NodeId... silent) {
        for (long end = now + millis; now < end; now += 100) {
            beats++;
            step(new CoordinatorEvent.Confirmed(now));
            for (NodeId node : List.of(A, B, C)) {
                if (!Set.of(silent).contains(node)) {
                    step(new Received(node, new Heartbeat(attempt(node), beats, beats - 1, hosted(node))));
                }
            }
            step(new CoordinatorEvent.Ticked());
        }
    }

    private List<ShardReport> hosted(NodeId node) {
        return coordinator.inspect(now).rows().stream()
                .filter(row -> row.home().equals(node) && row.confirmed())
                .map(row -> new ShardReport(row.shard(), row.token()))
                .toList();
    }

    private CoordinatorView.Row row(int shard) {
        return coordinator.inspect(now).rows().stream()
                .filter(row -> row.shard() == shard)
                .findFirst()
                .orElseThrow();
    }

    private void choose(int... shards) {
        Set<Integer> chosen = new TreeSet<>();
        IntStream.of(shards).forEach(chosen::add);
        step(new MovesChosen(chosen));
    }

    /** The home has stopped the shard. */
    private void stop(int shard) {
        CoordinatorView.Row row = row(shard);
        step(new Received(row.home(), new ShardStopped(shard, row.token())));
    }

    private void start(int shard, NodeId home) {
        step(new ShardPlaced(shard, home));
        step(new Received(home, new ShardHosted(1, shard, row(shard).token(), beats)));
    }

    /** The handoffs that have begun since this was asked last, in their order. */
    private List<Integer> begun() {
        List<Integer> shards = new ArrayList<>();
        for (CoordinatorCommand command : commands) {
            if (command instanceof Send send
                    && send.to().equals(B)
                    && send.message() instanceof BeginHandoff begin
                    && !shards.contains(begin.shard())) {
                shards.add(begin.shard());
            }
        }
        commands.clear();
        return shards;
    }

    @Test
    void asksForMovesAtItsIntervalsAndOnRequest() {
        step(new CoordinatorEvent.RebalanceRequested());
        assertEquals(
                List.of(
                        new CoordinatorCommand.Report(false, "a rebalance is asked for"),
                        new CoordinatorCommand.ChooseMoves()),
                commands);
        commands.clear();
        pass(50_000);
        assertEquals(0, timesAsked());
        pass(100_000);
        assertEquals(1, timesAsked());
    }

    private long timesAsked() {
        return commands.stream()
                .filter(CoordinatorCommand.ChooseMoves.class::isInstance)
                .count();
    }

    @Test
    void noMoreMovesBeginAtOnceThanMayBeUnderWay() {
        choose(1, 2, 3, 4, 5);
        assertEquals(List.of(1, 2), begun());
        assertEquals(Set.of(1, 2, 3, 4, 5), coordinator.snapshot().inHandoff(), "a strategy sees the whole round");
    }

    @Test
    void whenARegionHasComeOneMovesAndThenMore() {
        step(new Received(D, new Register(1, PROFILE, List.of(), 1)));
        step(new Received(D, new Heartbeat(1, 2, 1, List.of())));
        choose(1, 2, 3, 4);
        assertEquals(List.of(1), begun());
        stop(1);
        step(new ShardPlaced(1, D));
        step(new Received(D, new ShardHosted(1, 1, row(1).token(), 2)));
        assertEquals(List.of(2, 3), begun());
    }

    @Test
    void aShardThatStayedIsNotThrough() {
        step(new Received(D, new Register(1, PROFILE, List.of(), 1)));
        step(new Received(D, new Heartbeat(1, 2, 1, List.of())));
        choose(1, 2, 3, 4);
        stay(1);
        stay(2);
        assertEquals(List.of(1, 2, 3), begun(), "each in the place of the one before");
        stop(3);
        assertEquals(List.of(), begun());
        start(3, B);
        assertEquals(List.of(4), begun());
    }

    @Test
    void aRegionThatRegistersAgainHasNotCome() {
        step(new Received(B, new Register(2, PROFILE, List.of(), 1)));
        step(new Received(B, new Heartbeat(2, 2, 1, List.of())));
        choose(1, 2, 3, 4);
        assertEquals(List.of(1, 2), begun());
    }

    @Test
    void theOthersDoNotWaitForAFirstOneThatTakesLong() {
        step(new Received(D, new Register(1, PROFILE, List.of(), 1)));
        step(new Received(D, new Heartbeat(1, 2, 1, List.of())));
        choose(1, 2, 3, 4);
        assertEquals(List.of(1), begun());
        pass(500);
        assertEquals(Set.of(1, 2), Set.copyOf(begun()));
    }

    @Test
    void theNextBeginsWhenANewHomeHasConfirmed() {
        choose(1, 2, 3, 4, 5);
        begun();
        stop(2);
        step(new ShardPlaced(2, B));
        assertEquals(List.of(), begun(), "shard 2 is not there yet");
        start(2, B);
        assertEquals(List.of(3), begun());
        stop(1);
        start(1, B);
        stop(3);
        start(3, B);
        assertEquals(List.of(4, 5), begun());
    }

    @Test
    void theNextRoundIsSoughtWhenAllHaveMoved() {
        choose(1, 2, 3);
        for (int shard = 1; shard <= 3; shard++) {
            pass(100);
            assertTrue(!commands.contains(new ChooseMoves()), "the round is not through");
            stop(shard);
            start(shard, B);
        }
        pass(100);
        assertTrue(commands.contains(new ChooseMoves()));
    }

    @Test
    void aShardThatWaitsOrMovesIsNotChosenTwice() {
        choose(1, 2, 3, 4);
        begun();
        choose(2, 3, 5);
        stop(1);
        start(1, B);
        stop(2);
        start(2, B);
        stop(3);
        start(3, B);
        assertEquals(List.of(3, 4, 5), begun());
    }

    @Test
    void theNextBeginsWhenAShardHasStayed() {
        choose(1, 2, 3);
        pass(HANDOFF_TIMEOUT + 100);
        assertEquals(List.of(1, 2), begun());
        FencingToken handoff = row(1).handoff();
        step(new Received(A, new HandoffAborted(1, handoff)));
        assertEquals(List.of(3), begun());
    }

    @Test
    void movesFromADeadHomeMakeWay() {
        choose(1, 2, 3, 4, 7, 8);
        begun();
        step(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        assertEquals(List.of(7, 8), begun(), "what waited at A is freed with its lease");
        assertEquals(Set.of(1, 2, 7, 8), coordinator.snapshot().inHandoff());
    }

    @Test
    void aNewHomeThatDiesMakesWay() {
        choose(1, 2, 3);
        begun();
        stop(1);
        step(new ShardPlaced(1, C));
        step(new CoordinatorEvent.ViewChanged(Set.of(A, B)));
        assertEquals(List.of(3), begun());
    }

    @Test
    void aWaitingShardThatGetsAnotherHomeStaysThere() {
        choose(1, 2, 7);
        begun();
        step(new Received(C, new Goodbye(1)));
        start(7, B);
        stop(1);
        start(1, B);
        assertEquals(List.of(), begun());
    }

    @Test
    void aShardForWhichThereIsNoHomeHoldsUpTheOthersForATimeOnly() {
        choose(1, 2, 3);
        begun();
        stop(1);
        pass(HANDOFF_TIMEOUT - 100);
        assertEquals(List.of(), begun().stream().filter(shard -> shard == 3).toList());
        pass(200);
        assertTrue(begun().contains(3));
    }

    @Test
    void nothingThatWaitsBeginsInAPreparedShutdown() {
        choose(1, 2, 3);
        begun();
        step(new CoordinatorEvent.ShutdownPrepared(true));
        stop(1);
        start(1, B);
        assertEquals(List.of(), begun());
        assertEquals(Set.of(2), coordinator.snapshot().inHandoff());
    }

    @Test
    void whatBeginsAgainWhenAPreparedShutdownIsTakenBack() {
        step(new CoordinatorEvent.ShutdownPrepared(true));
        choose(1);
        assertEquals(List.of(), begun());
        step(new CoordinatorEvent.ShutdownPrepared(false));
        choose(1);
        assertEquals(List.of(1), begun());
    }

    @Test
    void aRegionThatLeavesIsEmptiedAtOnce() {
        choose(1, 2, 3);
        begun();
        step(new Received(A, new Leave(1)));
        assertEquals(Set.of(1, 2, 3, 4, 5, 6), Set.copyOf(begun()));
    }

    @Test
    void aDrainedNodeIsEmptiedInTurns() {
        step(new DrainRequested(A));
        assertEquals(List.of(1, 2), begun());
        assertEquals(6, coordinator.snapshot().inHandoff().size());
        stop(1);
        start(1, B);
        assertEquals(List.of(3), begun());
    }

    /** The home says that the shard stays: it was told to, or will not let it go now. */
    private void stay(int shard) {
        step(new Received(A, new HandoffAborted(shard, row(shard).handoff())));
    }

    @Test
    void aShardThatStayedRestsLongerEachTime() {
        for (long rest : List.of(1, 2, 4, 8, 8)) {
            choose(1);
            assertEquals(List.of(1), begun());
            stay(1);
            pass(rest * HANDOFF_TIMEOUT - 100);
            begun();
            choose(1);
            assertEquals(List.of(), begun(), "it rests for " + rest + " times the timeout of a handoff");
            assertEquals(Set.of(1), coordinator.snapshot().resting(), "a strategy sees it");
            pass(100);
            choose();
            assertEquals(Set.of(), coordinator.snapshot().resting());
        }
    }

    @Test
    void aDrainTriesAtOnceWhatHasStayedAndSoonerAgainThanARebalance() {
        choose(1);
        begun();
        stay(1);
        step(new DrainRequested(A));
        assertEquals(List.of(1, 2), begun());
        stay(1);
        assertEquals(Set.of(1), coordinator.snapshot().resting());
        pass(400);
        choose();
        assertEquals(Set.of(), coordinator.snapshot().resting(), "a repetition later");
    }

    @Test
    void anotherHomeOfTheShardBeginsAnew() {
        choose(1);
        stay(1);
        pass(HANDOFF_TIMEOUT);
        choose(1);
        stop(1);
        start(1, B);
        begun();
        choose(1);
        step(new Received(B, new HandoffAborted(1, row(1).handoff())));
        pass(HANDOFF_TIMEOUT);
        begun();
        choose(1);
        assertEquals(List.of(1), begun());
    }

    @Test
    void whenAHomeKeepsAShardOthersAreChosenAtOnce() {
        choose(1);
        stay(1);
        begun();
        pass(100);
        assertTrue(commands.contains(new ChooseMoves()));
        Set<Integer> chosen = new LeastShards(new RoundLimit(1, 1)).rebalance(coordinator.snapshot());
        assertEquals(Set.of(2), chosen);
    }

    private void order(OperatorOrder.Kind kind, int shard, NodeId node) {
        step(new CoordinatorEvent.Ordered(new OperatorOrder(kind, "type", node, shard)));
    }

    @Test
    void aRoundTakesOtherShardsThanThosePinnedToTheirHome() {
        order(OperatorOrder.Kind.PIN, 1, A);
        order(OperatorOrder.Kind.PIN, 2, A);
        order(OperatorOrder.Kind.PIN, 3, B);
        assertEquals(Set.of(1, 2), coordinator.snapshot().resting(), "shard 3 is not where it is pinned");
        Set<Integer> chosen = new LeastShards(new RoundLimit(2, 1)).rebalance(coordinator.snapshot());
        assertEquals(Set.of(3, 4), chosen);
        order(OperatorOrder.Kind.UNPIN, 1, null);
        assertEquals(Set.of(2), coordinator.snapshot().resting());
    }

    /** The node says that code of the shard's last life still runs there. */
    private void endingAt(NodeId node, int shard) {
        beats++;
        step(new Received(
                node,
                new Heartbeat(
                        1,
                        beats,
                        beats - 1,
                        hosted(node),
                        List.of(new ShardReport(shard, new FencingToken(6, 1, shard))))));
    }

    private Optional<String> refusal(OperatorOrder.Kind kind, int shard, NodeId node) {
        return coordinator.refusal(new OperatorOrder(kind, "type", node, shard), now);
    }

    @Test
    void aPinnedShardWaitsForItsEarlierCodeToEnd() {
        endingAt(B, 1);
        order(OperatorOrder.Kind.PIN, 1, B);
        begun();
        step(new CoordinatorEvent.Ticked());
        assertEquals(List.of(), begun(), "it would go to another node, and on from there");
        pass(100);
        assertEquals(List.of(1), begun());
    }

    @Test
    void noOrderSendsAShardWhereItsEarlierCodeStillRuns() {
        endingAt(B, 1);
        Optional<String> runs = Optional.of("node b does not take shard 1: its earlier code still runs there");
        assertEquals(runs, refusal(OperatorOrder.Kind.PIN, 1, B));
        assertEquals(runs, refusal(OperatorOrder.Kind.MOVE, 1, B));
        assertEquals(Optional.empty(), refusal(OperatorOrder.Kind.PIN, 2, B));
        assertEquals(Optional.empty(), refusal(OperatorOrder.Kind.MOVE, 1, null), "node c takes it");
        order(OperatorOrder.Kind.CORDON, 0, C);
        assertEquals(Optional.of("no other node takes the shard now"), refusal(OperatorOrder.Kind.MOVE, 1, null));
    }

    @Test
    void noShardMovesWhoseHomeIsGone() {
        step(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        Optional<String> gone = Optional.of(
                "node a, the home of shard 1, is gone: the shard gets another home when its lease has ended");
        assertEquals(gone, refusal(OperatorOrder.Kind.MOVE, 1, B));
        assertEquals(gone, refusal(OperatorOrder.Kind.MOVE, 1, null));
    }

    @Test
    void aMoveThatWaitsIsMadeWhenItsHomeWasGoneAndIsBack() {
        choose(1, 2);
        order(OperatorOrder.Kind.MOVE, 3, B);
        order(OperatorOrder.Kind.MOVE, 4, null);
        step(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        step(new CoordinatorEvent.ViewChanged(Set.of(A, B, C)));
        registerAgain(A, 1, 2, 3, 4, 5, 6);
        begun();
        pass(100);
        assertEquals(List.of(3, 4), begun());
    }

    @Test
    void aMoveEndsWithoutAHandoffWhenItsTargetReportsTheShard() {
        choose(1, 2);
        order(OperatorOrder.Kind.MOVE, 3, B);
        registerAgain(A, 1, 2, 4, 5, 6);
        registerAgain(B, 3);
        begun();
        pass(100);
        stop(1);
        start(1, C);
        pass(100);
        assertTrue(!begun().contains(3), "it is where it was to go");
    }

    @Test
    void noMoveTakesAShardFromTheNodeToWhichItIsPinned() {
        order(OperatorOrder.Kind.PIN, 1, A);
        Optional<String> pinned = Optional.of("shard 1 is pinned to node a, and would return: remove the pin first");
        assertEquals(pinned, refusal(OperatorOrder.Kind.MOVE, 1, B));
        assertEquals(pinned, refusal(OperatorOrder.Kind.MOVE, 1, null));
        order(OperatorOrder.Kind.UNPIN, 1, null);
        assertEquals(Optional.empty(), refusal(OperatorOrder.Kind.MOVE, 1, B));
    }

    private List<String> reports() {
        return commands.stream()
                .filter(CoordinatorCommand.Report.class::isInstance)
                .map(report -> ((CoordinatorCommand.Report) report).text())
                .toList();
    }

    @Test
    void aShardStaysWhenTheNodeToWhichItIsMovedTakesItNoLongerAtItsTurn() {
        choose(1, 2);
        order(OperatorOrder.Kind.MOVE, 3, B);
        order(OperatorOrder.Kind.MOVE, 4, null);
        order(OperatorOrder.Kind.CORDON, 0, B);
        begun();
        stop(1);
        start(1, C);
        assertEquals(List.of("shard 3 is not moved and stays at a: node b takes it no longer"), reports());
        assertEquals(List.of(4), begun(), "that may go anywhere");
    }

    @Test
    void aShardStaysWhenTheNodeToWhichItIsPinnedTakesItNoLongerAtItsTurn() {
        choose(1, 2);
        order(OperatorOrder.Kind.PIN, 3, B);
        step(new CoordinatorEvent.Ticked());
        order(OperatorOrder.Kind.CORDON, 0, B);
        begun();
        stop(1);
        start(1, C);
        assertEquals(List.of("shard 3 is not moved and stays at a: node b takes it no longer"), reports());
        assertEquals(List.of(), begun());
        order(OperatorOrder.Kind.UNCORDON, 0, B);
        pass(HANDOFF_TIMEOUT + 200);
        assertTrue(begun().contains(3), "the pin holds");
    }

    @Test
    void theStrategyMovesAShardThatIsPinnedToANodeThatTakesNone() {
        order(OperatorOrder.Kind.CORDON, 0, B);
        order(OperatorOrder.Kind.PIN, 3, B);
        step(new CoordinatorEvent.Ticked());
        choose(3);
        assertEquals(List.of(3), begun());
    }

    @Test
    void aShardStaysThatIsPinnedToItsHomeBeforeItsTurnToMove() {
        choose(1, 2);
        order(OperatorOrder.Kind.MOVE, 3, B);
        order(OperatorOrder.Kind.PIN, 3, A);
        begun();
        stop(1);
        start(1, C);
        assertEquals(List.of("shard 3 is not moved and stays at a: it is pinned there"), reports());
        assertEquals(List.of(), begun());
    }

    @Test
    void aDrainedNodeDoesNotKeepAShardWhoseMoveCannotBeFollowed() {
        choose(1, 2);
        order(OperatorOrder.Kind.MOVE, 3, B);
        order(OperatorOrder.Kind.CORDON, 0, B);
        step(new DrainRequested(A));
        begun();
        stop(1);
        start(1, C);
        assertEquals(List.of(3), begun());
    }

    @Test
    void aShardThatNoOtherNodeTakesIsNotMovedAndRests() {
        endingAt(B, 1);
        order(OperatorOrder.Kind.CORDON, 0, C);
        choose(1, 2);
        assertEquals(List.of(2), begun());
        assertEquals(Set.of(1), coordinator.snapshot().resting());
    }

    @Test
    void aRegionThatLeavesKeepsNothing() {
        step(new Received(A, new Leave(1)));
        begun();
        stay(1);
        pass(500);
        assertTrue(begun().contains(1), "it is told again");
        assertTrue(row(1).handoff() != null);
    }
}
