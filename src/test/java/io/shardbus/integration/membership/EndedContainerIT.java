package io.shardbus.integration.membership;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.model.FailureCode;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The Infinispan container of a node has ended before its Vertx is closed. */
class EndedContainerIT {
    private static final EntityType<Touch> GRAIN = EntityType.of("grain", Touch.class);

    /** A message. */
    record Touch(int number) implements Ask<Integer> {}

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

    @Test
    @DisplayName("a node whose Infinispan container was stopped has no lease any more once it has left the cluster: a"
            + " process that gets its address proves to the others that it has none")
    void dropsItsLeasesBeforeItsAddressIsFree() {
        List<Integer> handled = new CopyOnWriteArrayList<>();
        try (var cluster = ClusterTestKit.start(2)) {
            cluster.startType(EntityDefinition.of(GRAIN, id -> (message, context) -> {
                handled.add(message.number());
                return context.reply(message, message.number());
            }));
            cluster.coordinator();
            for (var node : cluster.nodes()) {
                var region = node.sharding().region(GRAIN).orElseThrow();
                cluster.until("it is registered", region::isRegistered);
            }
            var node = cluster.node(1);
            var region = node.sharding().region(GRAIN).orElseThrow();
            await(region.entityRef("a").ask(new Touch(1)));
            ShardbusClusterManager.of(node.vertx()).container().stop();
            assertFalse(region.isRegistered(), "its lease would last for seconds by itself");
            var refused = region.entityRef("a")
                    .ask(new Touch(2))
                    .transform(answer -> Future.succeededFuture(
                            answer.cause() instanceof ShardingException failure ? failure.code() : null));
            assertEquals(FailureCode.NOT_IN_MAJORITY, await(refused));
            assertEquals(List.of(1), handled);
        }
    }
}
