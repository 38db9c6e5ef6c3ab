package io.shardbus.integration.messages;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.integration.TestCluster;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A host that may not coordinate, while there is no coordinator. */
class BufferIT {
    /** The id of an entity is its shard. */
    private static final class Numbered implements MessageExtractor<String> {
        @Override
        public String entityId(String message) {
            return message;
        }

        @Override
        public int shard(String entityId, int numberOfShards) {
            return Integer.parseInt(entityId) % numberOfShards;
        }
    }

    /** A new coordinator that did not hear its predecessor's goodbye waits for the leases that it may have granted. */
    private static ShardingOptions shortLeases() {
        return TestCluster.options()
                .setLeaseDurationMs(2000)
                .setFailureDetectionMs(1000)
                .setDecisionTimeMs(100)
                .setStoreRoundTripMs(50);
    }

    private static ShardingOptions host() {
        return shortLeases().setLanes(1).setCoordinator(false).setRetryIntervalMs(500);
    }

    @Test
    @DisplayName(
            "BUF-01 BUF-02 messages without a home wait and are counted, and flow within 5 s of a coordinator's return")
    void buffersWhileThereIsNoCoordinator() {
        try (TestCluster cluster = new TestCluster()) {
            TestCluster.Node coordinator = cluster.startNode(shortLeases());
            TestCluster.Node host = cluster.startNode(host());
            EntityDefinition<String> definition = texts(id -> (message, context) -> Future.succeededFuture(message))
                    .withMessageExtractor(new Numbered())
                    .withNumberOfShards(100)
                    .withBufferSize(120)
                    .withAskTimeout(Duration.ofSeconds(60));
            ShardRegion<String> region = await(host.sharding().start(definition));
            cluster.leave(coordinator);
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(ask(region.entityRef(String.valueOf(i)), "m" + i));
            }
            TestCluster.until("100 messages wait", () -> await(region.state()).buffered() == 100);
            TestCluster.Node next = cluster.startNode(shortLeases());
            TestCluster.until(
                    "the host knows the next coordinator",
                    () -> next.id().equals(host.sharding().clusterState().coordinator()));
            long known = System.nanoTime();
            for (int i = 0; i < 100; i++) {
                assertEquals("m" + i, await(answers.get(i)));
            }
            assertEquals(0, await(region.state()).buffered());
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - known);
            assertTrue(took < 5000, "took " + took + " ms");
            assertTrue(await(region.state()).counters().get("home_requests") >= 100);
        }
    }
}
