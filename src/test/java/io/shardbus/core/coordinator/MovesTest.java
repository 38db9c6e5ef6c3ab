package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.allocation.LeastShards;
import io.shardbus.core.allocation.RoundLimit;
import io.shardbus.core.coordinator.CoordinatorCommand.ChooseMoves;
import io.shardbus.core.coordinator.CoordinatorEvent.DrainRequested;
import io.shardbus.core.coordinator.CoordinatorEvent.Received;
import io.shardbus.core.coordinator.CoordinatorEvent.ShardPlaced;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.ToCoordinator.Goodbye;
import io.shardbus.core.protocol.ToCoordinator.HandoffAborted;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Leave;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToCoordinator.ShardHosted;
import io.shardbus.model.FencingToken;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Moves that a strategy chooses, a drain asks for, or a leaving region causes. */
class MovesTest extends MovesFixture {
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

    @Test
    void aRequestedRoundWithALimitMovesAsManyOfTheShardsThatMayMove() {
        step(new CoordinatorEvent.RebalanceRequested(2));
        assertEquals(
                List.of(
                        new CoordinatorCommand.Report(false, "a rebalance is asked for, of 2 shards at most"),
                        new ChooseMoves(2)),
                commands);
        order(OperatorOrder.Kind.PIN, 1, A);
        commands.clear();
        step(new CoordinatorEvent.MovesChosen(Set.of(1, 2, 3, 4, 5), 2));
        assertEquals(List.of(2, 3), begun());
        assertEquals(Set.of(2, 3), coordinator.snapshot().inHandoff());
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
