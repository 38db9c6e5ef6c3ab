package io.shardbus.runtime.node;

import io.shardbus.ClusterSharding;
import io.shardbus.ShardRegion;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Empties a node that is about to leave, while it still answers and passes messages on. The node drains itself again
 * and again, since a new coordinator may not know what the last one was told.
 */
final class LeaveDrain {
    private static final long POLL_MS = 50;

    private final NodeAssembly assembly;
    private final ClusterSharding sharding;
    private final Supplier<Future<Map<String, Set<NodeId>>>> cordoned;
    private final ElapsedClock clock;
    private final long mayTake;

    /**
     * @param cordoned asks which nodes get no more shards, by type
     * @param mayTake milliseconds after which the node gives up; its close moves what is left
     */
    LeaveDrain(
            NodeAssembly assembly,
            ClusterSharding sharding,
            Supplier<Future<Map<String, Set<NodeId>>>> cordoned,
            long mayTake) {
        this.assembly = assembly;
        this.sharding = sharding;
        this.cordoned = cordoned;
        this.clock = assembly.parts().clock();
        this.mayTake = mayTake;
    }

    Future<Void> after(Duration delay) {
        return pause(delay.toMillis()).compose(waited -> empty(clock.now() + mayTake));
    }

    /** Waits until this node is empty; where the whole cluster stops, no shard moves. */
    private Future<Void> empty(long end) {
        return assembly.onControl(control -> Future.succeededFuture(control.isPreparedForShutdown()))
                .compose(announced -> announced ? Future.succeededFuture() : emptyUnlessStopping(end));
    }

    private Future<Void> emptyUnlessStopping(long end) {
        Future<Map<String, Set<NodeId>>> cordons = cordoned.get().otherwise(Map.of());
        return Future.join(sharding.startedTypes().stream()
                        .filter(this::runs)
                        .map(type -> Future.all(sharding.typeState(type), cordons)
                                .map(both -> isEmptied(
                                        both.<TypeState>resultAt(0),
                                        cordons.result().getOrDefault(type, Set.of()))))
                        .toList())
                .map(all -> all.list().stream().allMatch(Boolean.TRUE::equals))
                .timeout(Math.max(1, end - clock.now()), TimeUnit.MILLISECONDS)
                .otherwise(false)
                .compose(emptied -> emptied || clock.now() >= end ? Future.succeededFuture() : again(end));
    }

    /**
     * Whether this node's region may be home of shards: one without a lease has none, and there may be no coordinator
     * to ask.
     */
    private boolean runs(String type) {
        return sharding.region(type).map(ShardRegion::isRegistered).orElse(false);
    }

    /** Whether this node is home of no shard of the type, or no other node can take one. */
    private boolean isEmptied(TypeState state, Set<NodeId> closed) {
        return state.shards().stream().noneMatch(shard -> shard.home().equals(sharding.self()))
                || state.regions().stream()
                        .noneMatch(region -> !region.proxy()
                                && !region.leaving()
                                && !closed.contains(region.node())
                                && !region.node().equals(sharding.self()));
    }

    private Future<Void> again(long end) {
        return sharding.drain(sharding.self())
                .timeout(Math.max(1, end - clock.now()), TimeUnit.MILLISECONDS)
                .transform(drained -> pause(POLL_MS))
                .compose(waited -> empty(end));
    }

    /** On a context that belongs to no verticle: the timer would end with the verticle, and the pause never. */
    private Future<Void> pause(long millis) {
        if (millis <= 0) {
            return Future.succeededFuture();
        }
        return assembly.onRoot(() -> {
            Promise<Void> over = Promise.promise();
            assembly.vertx().setTimer(millis, ignored -> over.complete());
            return over.future();
        });
    }
}
