package io.shardbus.integration.membership;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The Infinispan container of a node has ended before its Vertx is closed. */
class EndedContainerIT {
    private static final EntityType<Touch> GRAIN = EntityType.of("grain", Touch.class);

    /** A message. */
    record Touch() {}

    @Test
    @DisplayName(
            "a Vertx whose Infinispan container was stopped before closes in seconds, not after the shutdown's time")
    void closesInSeconds() throws Exception {
        try (var cluster = ClusterTestKit.start(1)) {
            cluster.startType(EntityDefinition.of(GRAIN, id -> (message, context) -> Future.succeededFuture()));
            cluster.coordinator();
            var vertx = cluster.node(0).vertx();
            ShardbusClusterManager.of(vertx).container().stop();
            // far less than the shutdown's 60 s, which it took before
            assertTrue(vertx.close()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .handle((done, failure) -> true)
                    .get(20, TimeUnit.SECONDS));
        }
    }
}
