package io.shardbus.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The log line of a projection that is held at an event")
class HeldLogTest {
    private static final FencingToken TOKEN = new FencingToken(1, 1, 1);
    private static final EventCodec<Added> CODEC = EventCodec.json(Added.class);

    private final Vertx vertx = Vertx.vertx();
    private final MemoryStore store = MemoryStore.create();

    record Added(int by) {}

    @BeforeEach
    void writeAnEvent() {
        StoredType type = store.register(new TypeSpec("account", TypeSpec.Model.EVENTS, 10, "ids"))
                .result();
        StoreConnection connection = store.connect(vertx.getOrCreateContext());
        var log = (OpenedLog.Open) connection
                .open(List.of(new LogOpening(type, 1, TOKEN)))
                .result()
                .get(0);
        EventCodec.Encoded event = CODEC.encode(new Added(1));
        EventRow row =
                new EventRow("a", 1, 1, event.name(), event.version(), CODEC.format(), event.payload(), null, Set.of());
        LogFence fence = new LogFence(log.log(), TOKEN, log.opening());
        assertEquals(
                Set.of(log.log()),
                connection
                        .append(List.of(new LogAppend<>(fence, 0, List.of(row))))
                        .result());
    }

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    /** The first line of a projection whose handler fails so. */
    private String held(Throwable failure) {
        var entities = EventSourced.of(
                EntityType.of("account", Object.class),
                id -> {
                    throw new AssertionError("no entity runs");
                },
                CODEC);
        Projection<Added> projection = Projection.of(
                        "view",
                        entities,
                        ProjectionHandler.each((EventEnvelope<Added> event) -> Future.failedFuture(failure)))
                .withPollInterval(10);
        try (var lines = new LogLines(ProjectionWorker.class.getName())) {
            Await.result(vertx.deployVerticle(new ProjectionWorker<>(projection, store, 0, 1, TOKEN)));
            Await.until(
                    () -> lines.with(""),
                    () -> !lines.with("is held at position 1").isEmpty());
            return lines.with("is held at position 1").get(0);
        }
    }

    @Test
    @DisplayName("is a warning in one line, where an entity has not answered, as after a crash")
    void notAnswered() {
        String line = held(new ShardingException(FailureCode.TIMED_OUT, "cart/7 has not answered"));
        assertEquals(
                "WARN projection=view log=1 is held at position 1, entity a: attempt 1 failed with "
                        + "io.shardbus.ShardingException: TIMED_OUT: cart/7 has not answered",
                line);
    }

    @Test
    @DisplayName("is an error with the stack, where the handler failed")
    void failed() {
        String line = held(new IllegalStateException("a table is missing"));
        assertTrue(line.startsWith("ERROR projection=view log=1 is held at position 1, entity a: attempt 1"), line);
        assertTrue(line.endsWith(": a table is missing"), line);
        line = held(new ShardingException(FailureCode.ENTITY_FAILED, "cart/7 failed"));
        assertTrue(line.startsWith("ERROR "), line);
    }
}
