package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorCommand.PlaceShard;
import io.shardbus.core.coordinator.CoordinatorCommand.Send;
import io.shardbus.core.coordinator.CoordinatorEvent.Received;
import io.shardbus.core.coordinator.CoordinatorEvent.ShardPlaced;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToCoordinator.GetShardHomes;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToRegion.HostShard;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A region has lost its lease and registers again, while code of its shard 1 still runs. */
class EndingShardsTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final RegionProfile PROFILE = new RegionProfile(false, 10, "1", "1", 1, 1);
    private static final ShardReport LOST = new ShardReport(1, new FencingToken(6, 1, 1));
    private static final long LEASE = 1_000;
    private static final long MARGIN = 100;

    private final Coordinator coordinator = new Coordinator(
            new TermId(7, 1),
            new CoordinatorSettings(new LeaseTimes(LEASE, 300, true), 2_000, 400, 0),
            0,
            0,
            Set.of(A, B));
    private long now;
    private long beats = 1;
    private long grantEnd;

    private List<CoordinatorCommand> hear(NodeId node, ToCoordinator message) {
        return coordinator.step(new Received(node, message), now);
    }

    @BeforeEach
    void registerAgain() {
        hear(A, new Register(1, PROFILE, List.of(LOST), 1));
        hear(B, new Register(1, PROFILE, List.of(), 1));
        for (; now < 1_200; now += 100) {
            coordinator.step(new CoordinatorEvent.Confirmed(now), now);
            beat(A, 1, List.of(LOST), List.of());
            beat(B, 1, List.of(), List.of());
        }
        grantEnd = now - 100 + LEASE;
        now = grantEnd - 50;
        coordinator.step(new CoordinatorEvent.Confirmed(now - 100), now);
        beat(B, 1, List.of(), List.of());
        hear(A, new Register(2, PROFILE, List.of(), ++beats, false, List.of(LOST)));
    }

    private List<CoordinatorCommand> beat(
            NodeId node, long attempt, List<ShardReport> shards, List<ShardReport> ending) {
        beats++;
        return hear(node, new Heartbeat(attempt, beats, beats - 1, shards, ending));
    }

    private List<CoordinatorCommand> wants() {
        return hear(B, new GetShardHomes(1, List.of(1)));
    }

    @Test
    void theShardIsNotGivenAwayBeforeItsCodeHasEnded() {
        assertFalse(wants().contains(new PlaceShard(1, B)));
        assertTrue(beat(A, 2, List.of(), List.of()).toString().contains("PlaceShard[shard=1"), "it has ended");
    }

    @Test
    void theShardIsGivenAwayWhenTheLeaseWouldHaveRunOut() {
        now = grantEnd + MARGIN - 1;
        coordinator.step(new CoordinatorEvent.Confirmed(now), now);
        beat(B, 1, List.of(), List.of());
        assertFalse(tick().contains("PlaceShard"));
        now++;
        assertTrue(tick().contains("PlaceShard[shard=1"));
    }

    @Test
    void anotherRegistrationDoesNotLengthenTheWait() {
        now += 100;
        coordinator.step(new CoordinatorEvent.Confirmed(now), now);
        hear(A, new Register(3, PROFILE, List.of(), ++beats, false, List.of(LOST)));
        beat(B, 1, List.of(), List.of());
        now = grantEnd + MARGIN;
        assertTrue(tick().contains("PlaceShard[shard=1"));
    }

    private String tick() {
        return coordinator.step(new CoordinatorEvent.Ticked(), now).toString();
    }

    @Test
    void theShardGoesToARegionThatCanStartIt() {
        now = grantEnd + MARGIN;
        coordinator.step(new CoordinatorEvent.Confirmed(now), now);
        beat(A, 2, List.of(), List.of(LOST));
        beat(B, 1, List.of(), List.of());
        tick();
        List<NodeId> told = new ArrayList<>();
        coordinator.step(new ShardPlaced(1, A), now).forEach(command -> {
            if (command instanceof Send send && send.message() instanceof HostShard) {
                told.add(send.to());
            }
        });
        assertEquals(List.of(B), told, "the strategy has chosen A");
    }

    @Test
    void whereNoOtherRegionIsTheShardWaits() {
        coordinator.step(new CoordinatorEvent.ViewChanged(Set.of(A)), now);
        now = grantEnd + MARGIN;
        coordinator.step(new CoordinatorEvent.Confirmed(now), now);
        beat(A, 2, List.of(), List.of(LOST));
        tick();
        assertFalse(coordinator.step(new ShardPlaced(1, A), now).toString().contains("HostShard"));
        now += 100;
        beat(A, 2, List.of(), List.of());
        assertTrue(coordinator.step(new ShardPlaced(1, A), now).toString().contains("HostShard"), "its code has ended");
    }
}
