package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.allocation.LeastShards;
import io.shardbus.core.allocation.RoundLimit;
import io.shardbus.core.coordinator.CoordinatorEvent.DrainRequested;
import io.shardbus.core.protocol.OperatorOrder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Moves and pins that an operator has ordered. */
class OrderedMovesTest extends MovesFixture {
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
}
