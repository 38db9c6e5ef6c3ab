package io.shardbus.core.coordinator;

import io.shardbus.core.coordinator.CoordinatorCommand.Send;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToCoordinator.GetShardHomes;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToCoordinator.ShardHosted;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A coordinator, and what regions say to it. */
abstract class CoordinatorFixture {
    static final NodeId A = new NodeId("a");
    static final NodeId B = new NodeId("b");
    static final NodeId C = new NodeId("c");
    static final long LEASE = 1_000;
    static final long OPEN = LEASE + LEASE / 10;
    final Map<NodeId, Long> heartbeats = new HashMap<>();
    Coordinator coordinator = newCoordinator(true, 0);
    long now;

    static Coordinator newCoordinator(boolean awaits, long rebalanceInterval) {
        LeaseTimes times = new LeaseTimes(LEASE, 300, awaits);
        CoordinatorSettings settings = new CoordinatorSettings(times, 2_000, 400, rebalanceInterval);
        return new Coordinator(new TermId(7, 1), settings, 0, 0, Set.of(A, B, C));
    }

    static RegionProfile profile(boolean proxy) {
        return new RegionProfile(proxy, 10, "1", "1", 1, 1);
    }

    static FencingToken token(long sequence) {
        return new FencingToken(7, 1, sequence);
    }

    List<CoordinatorCommand> step(CoordinatorEvent event) {
        return coordinator.step(event, now);
    }

    List<CoordinatorCommand> from(NodeId node, ToCoordinator message) {
        return step(new CoordinatorEvent.Received(node, message));
    }

    List<CoordinatorCommand> confirm() {
        return step(new CoordinatorEvent.Confirmed(now));
    }

    List<CoordinatorCommand> tick() {
        return step(new CoordinatorEvent.Ticked());
    }

    List<CoordinatorCommand> register(NodeId node, long attempt, ShardReport... shards) {
        return from(
                node, new Register(attempt, profile(false), List.of(shards), heartbeats.merge(node, 1L, Long::sum)));
    }

    List<CoordinatorCommand> beat(NodeId node, long attempt, ShardReport... shards) {
        long number = heartbeats.merge(node, 1L, Long::sum);
        return from(node, new Heartbeat(attempt, number, number - 1, List.of(shards)));
    }

    static List<ToRegion> to(NodeId node, List<CoordinatorCommand> commands) {
        List<ToRegion> messages = new ArrayList<>();
        for (CoordinatorCommand command : commands) {
            if (command instanceof Send send && send.to().equals(node)) {
                messages.add(send.message());
            }
        }
        return messages;
    }

    static ShardReport report(int shard, long sequence) {
        return new ShardReport(shard, token(sequence));
    }

    /** Registered regions with a fresh echo, and every older lease has run out. */
    void open(NodeId... nodes) {
        for (NodeId node : nodes) {
            register(node, 1);
        }
        for (now = 100; now <= OPEN; now += 100) {
            confirm();
            for (NodeId node : nodes) {
                beat(node, 1);
            }
        }
    }

    /** Shard 1 at A under token 1. */
    void homeAtA() {
        open(A, B);
        from(B, new GetShardHomes(1, List.of(1)));
        step(new CoordinatorEvent.ShardPlaced(1, A));
        from(A, new ShardHosted(1, 1, token(1), heartbeats.get(A)));
    }

    List<CoordinatorCommand> wishes() {
        return tick().stream()
                .filter(CoordinatorCommand.ConfirmTerm.class::isInstance)
                .toList();
    }
}
