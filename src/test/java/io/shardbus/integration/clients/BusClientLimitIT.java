package io.shardbus.integration.clients;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.TypeState;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A client of the event bus that addresses ever new entities of a cluster. */
class BusClientLimitIT {
    private static final int PER_SECOND = 2;
    /** Places for ten seconds are kept on each node. */
    private static final int AT_ONCE = 10 * PER_SECOND;

    private static final int NODES = 2;
    private static final int ASKED = 200;

    @Test
    void makesNoMoreEntitiesLiveThanTheLimitOfEachNodeWhileTheApplicationGoesOn() {
        EntityDefinition<String> type = texts(id -> (message, context) -> Future.succeededFuture(message))
                .withNumberOfShards(10);
        try (var cluster = new TestCluster()
                .start(NODES, TestCluster.options().setBusNewEntitiesPerSecond(PER_SECOND))
                .startType(type)) {
            cluster.untilMembers(NODES);
            cluster.coordinator();
            long begin = System.nanoTime();
            List<Future<Message<String>>> answers = new ArrayList<>();
            for (int i = 0; i < ASKED; i++) {
                DeliveryOptions to =
                        new DeliveryOptions().addHeader("entity-id", "id-" + i).setSendTimeout(20_000);
                answers.add(cluster.node(0)
                        .vertx()
                        .eventBus()
                        .request("shardbus." + type.type().name(), "hello", to));
            }
            int refused = 0;
            for (Future<Message<String>> answer : answers) {
                refused += isRefused(answer) ? 1 : 0;
            }
            long seconds = (System.nanoTime() - begin) / 1_000_000_000 + 1;
            int made = ASKED - refused;
            assertTrue(made >= AT_ONCE, made + " were made");
            assertTrue(made <= NODES * (AT_ONCE + seconds * PER_SECOND), made + " were made in " + seconds + " s");
            assertEquals(
                    made,
                    regions(cluster, type).stream()
                            .mapToLong(TypeState.Region::entities)
                            .sum());
            assertEquals(
                    refused,
                    regions(cluster, type).stream()
                            .mapToLong(region -> region.counters().getOrDefault("bus_entities_refused", 0L))
                            .sum());
            IntStream.range(0, ASKED)
                    .mapToObj(i -> ask(cluster.node(i % NODES).sharding().entityRef(type.type(), "own-" + i), "hello"))
                    .toList()
                    .forEach(answer -> assertEquals("hello", await(answer), "the application is not limited"));
        }
    }

    private static boolean isRefused(Future<Message<String>> answer) {
        try {
            assertEquals("hello", await(answer).body());
            return false;
        } catch (ReplyException refusal) {
            assertEquals(FailureCode.TOO_MANY_NEW_ENTITIES.number(), refusal.failureCode(), refusal.getMessage());
            return true;
        }
    }

    private static List<TypeState.Region> regions(TestCluster cluster, EntityDefinition<String> type) {
        return cluster.nodes().stream()
                .map(node -> await(
                        node.sharding().region(type.type().name()).orElseThrow().state()))
                .toList();
    }
}
