package io.shardbus.runtime.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ExecutionModel;
import io.shardbus.integration.Await;
import io.shardbus.model.StopReason;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.MDC;

@DisplayName("The entity in the MDC while its code is called")
class LoggedEntityTest {
    private static final EntityType<String> CART = EntityType.of("cart", String.class);
    private static final Duration ASK = Duration.ofSeconds(10);
    private static final String NAMES = "cart c1";

    private final Vertx vertx = Vertx.vertx();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private static String names() {
        return MDC.get(LoggedEntity.TYPE) + " " + MDC.get(LoggedEntity.ENTITY);
    }

    private final class Cart implements Entity<String> {
        @Override
        public Future<?> started(EntityContext<String> context) {
            seen.add("started " + names());
            return done();
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            seen.add(message + " " + names());
            if (message.equals("throw")) {
                throw new IllegalStateException("as asked");
            }
            return reply(names());
        }

        @Override
        public Future<?> stopping(StopReason reason) {
            seen.add("stop " + names());
            return done();
        }
    }

    private ClusterSharding start(ExecutionModel execution, boolean logs) {
        var sharding = ClusterSharding.create(
                vertx,
                new ShardingOptions()
                        .setAwaitPredecessorLeases(false)
                        .setLogEntityIds(logs)
                        .setLanes(1));
        var region = Await.result(
                sharding.start(EntityDefinition.of(CART, id -> new Cart()).withExecution(execution)));
        Await.result(region.ready());
        return sharding;
    }

    @ParameterizedTest
    @EnumSource(
            value = ExecutionModel.class,
            names = {"EVENT_LOOP", "WORKER"})
    @DisplayName("each call of its code sees type and id, and nothing is left behind on the thread")
    void namesTheEntity(ExecutionModel execution) {
        var sharding = start(execution, true);
        var cart = sharding.entityRef(CART, "c1");
        assertEquals(NAMES, Await.result(cart.request("look", String.class, ASK)));
        Await.result(cart.request("throw", String.class, ASK).otherwiseEmpty());
        assertEquals("cart c2", Await.result(sharding.entityRef(CART, "c2").request("look", String.class, ASK)));
        Await.result(sharding.operations().passivate("cart", "c1"));
        Await.until(() -> seen, () -> seen.contains("stop " + NAMES));
        assertEquals("started " + NAMES, seen.get(0));
        assertEquals(List.of("null null"), Await.result(onLane(execution)));
    }

    /** What the threads have that ran the entities. */
    private Future<List<String>> onLane(ExecutionModel execution) {
        return execution == ExecutionModel.WORKER
                ? vertx.executeBlocking(() -> List.of(names()))
                : Future.succeededFuture(List.of(names()));
    }

    @Test
    @DisplayName("without the option the MDC is not touched")
    void isOffByDefault() {
        var sharding = start(ExecutionModel.EVENT_LOOP, false);
        assertEquals("null null", Await.result(sharding.entityRef(CART, "c1").request("look", String.class, ASK)));
    }

    @Test
    @DisplayName("what the thread had in the MDC before is there again")
    void restores() throws Exception {
        MDC.put(LoggedEntity.ENTITY, "outer");
        try {
            new LoggedEntity("cart").call("c1", () -> {
                assertEquals(NAMES, names());
                return null;
            });
            assertEquals("outer", MDC.get(LoggedEntity.ENTITY));
            assertNull(MDC.get(LoggedEntity.TYPE));
        } finally {
            MDC.remove(LoggedEntity.ENTITY);
        }
    }
}
