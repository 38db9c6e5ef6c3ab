package counter;

import io.shardbus.ClusterSharding;
import io.shardbus.TypeState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;

/**
 * Moves the shards of a type to the other nodes, so that this node only passes messages on. Ends when it is home of none,
 * when there is no other node to take them, or when it has tried for long enough; never fails.
 */
final class HandOver {
    private static final long POLL_MS = 50;
    private static final long LONGEST_MS = 30_000;

    private final Vertx vertx;
    private final ClusterSharding sharding;
    private final String type;
    private final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_MS);

    HandOver(Vertx vertx, ClusterSharding sharding, String type) {
        this.vertx = vertx;
        this.sharding = sharding;
        this.type = type;
    }

    Future<Void> run() {
        return sharding.typeState(type)
                .map(this::isDone)
                .recover(failure -> Future.succeededFuture(false))
                .compose(done -> done || System.nanoTime() > end ? Future.succeededFuture() : again());
    }

    private boolean isDone(TypeState state) {
        var self = sharding.self();
        return state.shards().stream().noneMatch(shard -> shard.home().equals(self))
                || state.regions().stream()
                        .noneMatch(region -> !region.proxy()
                                && !region.leaving()
                                && !region.node().equals(self));
    }

    /** Drains anew each time: a coordinator that is new knows nothing of what the last one was told. */
    private Future<Void> again() {
        return sharding.drain(sharding.self()).transform(begun -> pause()).compose(done -> run());
    }

    private Future<Void> pause() {
        Promise<Void> over = Promise.promise();
        vertx.setTimer(POLL_MS, timer -> over.complete());
        return over.future();
    }
}
