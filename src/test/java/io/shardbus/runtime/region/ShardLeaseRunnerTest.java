package io.shardbus.runtime.region;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.spi.LeaseProvider.ShardLease;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ShardLeaseRunnerTest {
    private static final int SHARD = 7;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final ShardLease lease = new ShardLease() {
        @Override
        public Future<Boolean> acquire(Consumer<Throwable> lost) {
            seen.add("acquire");
            return Future.succeededFuture(true);
        }

        @Override
        public Future<Void> release() {
            seen.add("release");
            return Future.succeededFuture();
        }
    };

    private final ShardLeaseRunner runner = new ShardLeaseRunner(
            "type",
            new ShardLeaseRunner.Source(shard -> lease, 1),
            () -> context,
            (shard, held) -> seen.add(held ? "held" : "lost"),
            () -> {});

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private <T> T onContext(Supplier<Future<T>> task) {
        Promise<T> done = Promise.promise();
        context.runOnContext(ignored -> task.get().onComplete(done));
        return await(done.future());
    }

    @Test
    @DisplayName("a lease under which a shard still ends is not given back because a later life of the"
            + " shard no longer waits for it")
    void aLaterLifeThatGivesUpDoesNotGiveTheLeaseBack() {
        onContext(() -> {
            runner.want(SHARD);
            return Future.succeededFuture();
        });
        until("it is held", () -> seen.contains("held"));
        onContext(() -> {
            runner.want(SHARD);
            runner.cancel(SHARD);
            return Future.succeededFuture();
        });
        assertEquals(List.of("acquire", "held"), seen);
        onContext(() -> runner.ended(SHARD));
        assertEquals(List.of("acquire", "held", "release"), seen);
    }
}
