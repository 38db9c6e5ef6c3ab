package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ExecutionModel;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.NodeId;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Entities of one shard that ask each other while it moves. */
@Tag("slow")
@DisplayName("While its shard moves to another node")
class SiblingAskIT {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration ASK = Duration.ofSeconds(10);
    private static final EntityType<String> ORDERS = EntityType.of("orders", String.class);

    private final TestCluster cluster = new TestCluster();
    /** What the order waits for, by its id, before it asks. */
    private final ConcurrentMap<String, Promise<String>> steps = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        cluster.close();
    }

    /** An order asks its stock when its step is done; a stock answers with its node. */
    private final class Order implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            if (!message.startsWith("order")) {
                return Future.succeededFuture(context.node().value());
            }
            Promise<String> step = Promise.promise();
            steps.put(context.id(), step);
            EntityRef<String> stock = context.entityRef("stock");
            return step.future()
                    .compose(done -> stock.request(done, String.class, ASK))
                    .map(answer -> "stock at " + answer);
        }
    }

    private boolean moves() {
        return await(cluster.node(0).sharding().operations().overview()).types().stream()
                .anyMatch(type -> !type.moves().isEmpty());
    }

    private NodeId home() {
        return await(cluster.node(0).sharding().typeState(ORDERS.name()))
                .shards()
                .get(0)
                .home();
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENT_LOOP", "WORKER"})
    @DisplayName("an entity that asks a neighbour after an asynchronous step is answered, and the shard moves on")
    void anAskAfterAnAsynchronousStepIsAnswered(ExecutionModel execution) {
        ShardingOptions options = TestCluster.options().setRebalanceIntervalMs(60_000);
        cluster.start(2, options)
                .startType(EntityDefinition.of(ORDERS, id -> new Order())
                        .withNumberOfShards(1)
                        .withExecution(execution));
        EntityRef<String> order = cluster.node(0).sharding().entityRef(ORDERS, "order-1");
        Future<String> answer = order.request("order", String.class, LONG);
        until("the order has begun", () -> steps.containsKey("order-1"));
        NodeId old = home();
        Future<Void> moved = cluster.node(0).sharding().operations().move(ORDERS.name(), 0, null);
        until("the shard drains", this::moves);
        assertTrue(steps.get("order-1").tryComplete("how many"));
        assertEquals("stock at " + old, await(answer));
        await(moved);
        until("the shard has moved", () -> !home().equals(old));
        String next =
                await(cluster.node(0).sharding().entityRef(ORDERS, "stock").request("how many", String.class, LONG));
        assertEquals(home().value(), next, "the neighbour lives at the next home");
    }
}
