package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.EntityType;
import io.shardbus.persistence.CountedHistory.Called;
import io.shardbus.persistence.CountedHistory.Count;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An entity that is read while its events up to a new snapshot are deleted")
class OvertakenRecoveryTest {
    private static final long EVENTS = 600;
    private static final long DELETED = 500;

    private final AtomicInteger loads = new AtomicInteger();

    @Test
    @DisplayName("is read again from the snapshot")
    void recovered() {
        PersistenceStore store = CountedHistory.store(this::history);
        EntityType<Count> type = EntityType.of("counter", Count.class);
        try (var counter = EntityTestKit.of(counters(type).on(store), "c")) {
            assertEquals(EVENTS, counter.ask(new Count()));
            assertEquals(0, counter.counters().getOrDefault("store_failures", 0L));
            assertEquals(2, loads.get());
        }
    }

    private static EventSourced<Count, Long, Long> counters(EntityType<Count> type) {
        return EventSourced.of(type, id -> new CountedHistory.Counter(), CountedHistory.CODEC)
                .withSnapshots(StateCodec.json(Long.class), 100);
    }

    private Object history(Called called, Object answer) {
        List<?> with = called.arguments();
        return switch (called.method()) {
            case "load" -> Future.succeededFuture(List.of(loads.incrementAndGet() == 1 ? before() : after()));
            case "loadEvents" ->
                Future.succeededFuture(CountedHistory.rows(Math.max(DELETED, (long) with.get(2)), EVENTS));
            default -> answer;
        };
    }

    private static LoadedEntity before() {
        return new LoadedEntity("c", null, CountedHistory.rows(0, 100), true);
    }

    private static LoadedEntity after() {
        Buffer state = StateCodec.json(Long.class).encode(DELETED);
        var snapshot =
                new SnapshotRow("c", DELETED, 1, StateCodec.json(Long.class).format(), state, null);
        return new LoadedEntity("c", snapshot, CountedHistory.rows(DELETED, EVENTS), false);
    }
}
