package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.spi.LeaseProvider.ShardLease;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseTimeoutsTest {
    private final Vertx vertx = Vertx.vertx();

    /** Never answers. */
    private static final class Silent implements ShardLease {
        @Override
        public Future<Boolean> acquire(Consumer<Throwable> lost) {
            return Promise.<Boolean>promise().future();
        }

        @Override
        public Future<Void> release() {
            return Promise.<Void>promise().future();
        }
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void aRequestFailsInTimeThoughTheVerticleThatMadeItHasEnded() {
        ShardLease lease = new LeaseTimeouts(vertx, 500).lease("lease", new Silent());
        Promise<Void> released = Promise.promise();
        String verticle = await(vertx.deployVerticle(context -> {
            lease.release().onComplete(released);
            return Future.succeededFuture();
        }));
        await(vertx.undeploy(verticle));
        assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(released.future()));
    }
}
