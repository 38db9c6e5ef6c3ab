package io.shardbus.launcher;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.BareCluster;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.GracefulShutdownOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import org.infinispan.lifecycle.ComponentStatus;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A graceful shutdown of a Vertx that closes already")
class RunningCloseIT {
    @Test
    @DisplayName("waits until the node has left the cluster")
    void waitsUntilTheNodeHasLeft() {
        try (var cluster = new BareCluster(1)) {
            var manager = ShardbusClusterManager.create(cluster.options());
            Vertx vertx = await(Vertx.builder().withClusterManager(manager).buildClustered());
            Future<Void> close = vertx.close();
            int status = GracefulShutdown.of(Future.succeededFuture(vertx), new GracefulShutdownOptions())
                    .run(0);
            assertEquals(ComponentStatus.TERMINATED, manager.container().getStatus());
            assertEquals(0, status);
            await(close);
        }
    }
}
