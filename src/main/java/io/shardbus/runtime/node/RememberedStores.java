package io.shardbus.runtime.node;

import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.InMemoryRememberedEntities;
import io.shardbus.store.infinispan.InfinispanRememberedEntities;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This node's store of remembered entities, as the options say: made and started when the first type needs it. Any
 * thread.
 */
final class RememberedStores {
    private final Supplier<RememberedEntitiesStore> maker;
    private final AtomicReference<@Nullable Started> present = new AtomicReference<>();
    private volatile boolean closed;

    private record Started(RememberedEntitiesStore store, Promise<RememberedEntitiesStore> promise) {}

    RememberedStores(Supplier<RememberedEntitiesStore> maker) {
        this.maker = maker;
    }

    static RememberedStores of(Vertx vertx, ShardingOptions options) {
        return new RememberedStores(() -> make(vertx, options));
    }

    private static RememberedEntitiesStore make(Vertx vertx, ShardingOptions options) {
        Duration timeout = Duration.ofMillis(options.getStateStoreTimeoutMs());
        boolean durable = options.getStateStoreMode().equals("durable");
        Path directory = Path.of(options.getStateStoreDirectory());
        if (vertx.isClustered()) {
            ShardbusClusterManager manager = ShardbusClusterManager.of(vertx);
            return durable
                    ? InfinispanRememberedEntities.durable(manager.container(), directory, timeout)
                    : InfinispanRememberedEntities.replicated(manager.container(), timeout);
        }
        return durable
                ? InfinispanRememberedEntities.durableAlone(directory, timeout)
                : new InMemoryRememberedEntities();
    }

    /** The started store, the same for all; one that did not start is closed, and the next call tries again. */
    Future<RememberedEntitiesStore> started() {
        Started found = present.get();
        if (found != null) {
            return found.promise().future();
        }
        if (closed) {
            return Future.failedFuture(nodeIsClosed());
        }
        return UserCode.call(this::begin);
    }

    private Future<RememberedEntitiesStore> begin() {
        Started mine = new Started(maker.get(), Promise.promise());
        if (!present.compareAndSet(null, mine)) {
            return started();
        }
        UserCode.call(mine.store()::start)
                .compose(begun -> closed ? Future.failedFuture(nodeIsClosed()) : Future.succeededFuture())
                .onComplete(outcome -> {
                    if (outcome.succeeded()) {
                        mine.promise().complete(mine.store());
                    } else {
                        UserCode.call(mine.store()::close).onComplete(ended -> {
                            present.compareAndSet(mine, null);
                            mine.promise().fail(outcome.cause());
                        });
                    }
                });
        return mine.promise().future();
    }

    private static IllegalStateException nodeIsClosed() {
        return new IllegalStateException("the node is closed");
    }

    /** Nothing happens where no type needed it. */
    Future<Void> close() {
        closed = true;
        Started found = present.get();
        return found == null ? Future.succeededFuture() : found.store().close();
    }
}
