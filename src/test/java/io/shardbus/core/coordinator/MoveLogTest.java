package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.ToCoordinator.GetShardHomes;
import io.shardbus.core.protocol.ToCoordinator.HandoffAborted;
import io.shardbus.core.protocol.ToCoordinator.Leave;
import io.shardbus.core.protocol.ToCoordinator.ShardHosted;
import io.shardbus.core.protocol.ToCoordinator.ShardStopped;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.ShardMove;
import io.shardbus.model.ShardMove.Cause;
import io.shardbus.model.ShardMove.Phase;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a coordinator tells of moves: those under way, and those that have ended. */
class MoveLogTest extends CoordinatorFixture {
    private List<ShardMove> moves() {
        return coordinator.inspect(now).moves();
    }

    private FencingToken handoff() {
        return coordinator.inspect(now).row(1).orElseThrow().handoff();
    }

    private void placedAtB() {
        step(new CoordinatorEvent.ShardPlaced(1, B));
        FencingToken token = coordinator.inspect(now).row(1).orElseThrow().token();
        from(B, new ShardHosted(1, 1, token, heartbeats.get(B)));
    }

    @Test
    void aFirstHomeIsNoMove() {
        open(A, B);
        from(B, new GetShardHomes(1, List.of(1)));
        step(new CoordinatorEvent.ShardPlaced(1, A));
        assertEquals(List.of(), coordinator.takePlacedShards(), "the home has not answered");
        now += 7;
        from(A, new ShardHosted(1, 1, token(1), heartbeats.get(A)));
        assertEquals(List.of(), moves());
        assertEquals(List.of(), coordinator.takeEndedMoves());
        assertEquals(List.of(new PlacedShard(1, A, 7, token(1))), coordinator.takePlacedShards());
        assertEquals(List.of(), coordinator.takePlacedShards());
    }

    @Test
    void aReportedHomeIsNoChoice() {
        open(B);
        register(A, 1, report(1, 1));
        beat(A, 1, report(1, 1));
        assertEquals(A, coordinator.inspect(now).row(1).orElseThrow().home());
        assertEquals(List.of(), coordinator.takePlacedShards());
    }

    @Test
    void aMoveIsToldFromItsHandoffToItsNextHome() {
        homeAtA();
        coordinator.takePlacedShards();
        step(new CoordinatorEvent.MovesChosen(Set.of(1)));
        now += 20;
        assertEquals(List.of(new ShardMove(1, Cause.REBALANCE, Phase.STOPPING, A, null, 20, 0, 0, null)), moves());
        from(A, new ShardStopped(1, token(1)));
        now += 5;
        assertEquals(List.of(new ShardMove(1, Cause.REBALANCE, Phase.PLACING, A, null, 25, 5, 0, null)), moves());
        step(new CoordinatorEvent.ShardPlaced(1, B));
        assertEquals(List.of(new ShardMove(1, Cause.REBALANCE, Phase.STARTING, A, B, 25, 5, 0, null)), moves());
        now += 10;
        placedAtB();
        assertEquals(List.of(), moves());
        assertEquals(
                List.of(new EndedMove(1, Cause.REBALANCE, A, B, false, 35, 15, token(4), HoldUp.NONE)),
                coordinator.takeEndedMoves());
        assertEquals(List.of(), coordinator.takeEndedMoves());
        assertEquals(List.of(), coordinator.takePlacedShards(), "a move is told once");
    }

    @Test
    void theCauseIsTheOperatorsDrainOrTheRegionsLeave() {
        homeAtA();
        step(new CoordinatorEvent.DrainRequested(A));
        assertEquals(Cause.DRAIN, moves().get(0).cause());
        from(A, new Leave(1));
        assertEquals(Cause.LEAVE, moves().get(0).cause());
        assertEquals(1, moves().size());
    }

    @Test
    void aShardThatStaysIsToldToo() {
        homeAtA();
        step(new CoordinatorEvent.MovesChosen(Set.of(1)));
        now += 30;
        HoldUp heldUp = new HoldUp("e1", 12_000, 3, List.of(C));
        from(A, new HandoffAborted(1, handoff(), heldUp));
        assertEquals(
                List.of(new EndedMove(1, Cause.REBALANCE, A, null, false, 30, 0, token(1), heldUp)),
                coordinator.takeEndedMoves());
        assertEquals(List.of(), moves());
    }

    @Test
    void aLostHomeIsACrash() {
        homeAtA();
        step(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        for (int i = 0; i < 30; i++) {
            now += 100;
            confirm();
            beat(B, 1);
            tick();
        }
        ShardMove free = moves().get(0);
        assertEquals(Phase.PLACING, free.phase());
        assertEquals(3_000, free.ageMs(), "from the loss on, with the lease of the lost home");
        assertEquals(3_000, free.homelessMs());
        placedAtB();
        EndedMove move = coordinator.takeEndedMoves().get(0);
        assertEquals(
                new EndedMove(1, Cause.CRASH, A, B, false, free.ageMs(), free.ageMs(), token(3), HoldUp.NONE), move);
    }

    @Test
    void aShardThatWaitsHasItsPlace() {
        homeAtA();
        from(B, new GetShardHomes(1, List.of(2)));
        step(new CoordinatorEvent.ShardPlaced(2, A));
        FencingToken second = coordinator.inspect(now).row(2).orElseThrow().token();
        from(A, new ShardHosted(1, 2, second, heartbeats.get(A)));
        step(new CoordinatorEvent.MovesChosen(Set.of(1, 2)));
        assertEquals(
                List.of(Phase.STOPPING, Phase.WAITING),
                moves().stream().map(ShardMove::phase).toList());
        assertEquals(1, moves().get(1).place());
    }
}
