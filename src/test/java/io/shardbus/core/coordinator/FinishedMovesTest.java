package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.FencingToken;
import io.shardbus.NodeId;
import io.shardbus.core.coordinator.CoordinatorCommand.Send;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.TermId;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToCoordinator.ShardHosted;
import io.shardbus.core.protocol.ToCoordinator.ShardStopped;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The last thing that a reign does before it is given up. Shard 1 is at home at A, and B is there, too. */
class FinishedMovesTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final RegionProfile PROFILE = new RegionProfile(false, 10, "1", "1", 1, 1);
    private static final FencingToken TOKEN = new FencingToken(6, 1, 1);

    private final Coordinator coordinator = new Coordinator(
            new TermId(7, 1),
            new CoordinatorSettings(new LeaseTimes(1_000, 300, false), 5_000, 200, 0),
            0,
            0,
            Set.of(A, B));

    FinishedMovesTest() {
        from(A, new Register(1, PROFILE, List.of(new ShardReport(1, TOKEN)), 1));
        from(B, new Register(1, PROFILE, List.of(), 1));
        from(A, new Heartbeat(1, 2, 1, List.of(new ShardReport(1, TOKEN))));
        from(B, new Heartbeat(1, 2, 1, List.of()));
    }

    private List<CoordinatorCommand> from(NodeId node, ToCoordinator message) {
        return coordinator.step(new CoordinatorEvent.Received(node, message), 10);
    }

    private List<CoordinatorCommand> moveShard() {
        return coordinator.step(new CoordinatorEvent.MovesChosen(Set.of(1)), 20);
    }

    @Test
    void nothingIsToBeWaitedForWhereNothingMoves() {
        assertTrue(coordinator.finishMoves());
    }

    @Test
    void noMoveBeginsAnyMore() {
        coordinator.finishMoves();
        assertEquals(List.of(), moveShard());
        assertEquals(
                0,
                from(A, new ToCoordinator.Leave(1)).stream()
                        .filter(command -> command instanceof Send send && send.message() instanceof BeginHandoff)
                        .count());
    }

    @Test
    void waitsForAHandoffAndUntilTheNextHomeHasWhatEntitiesHandedOver() {
        moveShard();
        assertFalse(coordinator.finishMoves(), "in handoff");
        from(A, new ShardStopped(1, TOKEN, true));
        assertFalse(coordinator.finishMoves(), "no next home");
        coordinator.step(new CoordinatorEvent.ShardPlaced(1, B), 30);
        assertFalse(coordinator.finishMoves(), "the next home still asks for the states");
        FencingToken next = coordinator.inspect(30).rows().get(0).token();
        from(B, new ShardHosted(1, 1, next, 2));
        assertTrue(coordinator.finishMoves());
    }
}
