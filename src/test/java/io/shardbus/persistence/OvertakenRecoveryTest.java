package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An entity that is read while its events up to a new snapshot are deleted")
class OvertakenRecoveryTest {
    private static final long EVENTS = 600;
    private static final long DELETED = 500;

    private final AtomicInteger loads = new AtomicInteger();

    private static final EventCodec<Long> CODEC = new EventCodec<>() {
        @Override
        public int format() {
            return 7;
        }

        @Override
        public Encoded encode(Long event) {
            return new Encoded("counted", 1, Buffer.buffer());
        }

        @Override
        public List<Long> decode(String name, int version, Buffer payload) {
            return List.of(1L);
        }
    };

    record Count() implements Ask<Long> {}

    private static final class Counter implements EventSourcedEntity<Count, Long, Long> {
        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Long, Long> handle(Long state, Count message, PersistenceContext<Count> context) {
            return reply(state);
        }

        @Override
        public Long apply(Long state, Long event) {
            return state + event;
        }
    }

    @Test
    @DisplayName("is read again from the snapshot")
    void recovered() {
        PersistenceStore store = changed(
                PersistenceStore.class,
                MemoryStore.create(),
                (method, answer) -> answer instanceof StoreConnection way
                        ? changed(StoreConnection.class, way, this::history)
                        : answer);
        EntityType<Count> type = EntityType.of("counter", Count.class);
        try (var counter = EntityTestKit.of(counters(type).on(store), "c")) {
            assertEquals(EVENTS, counter.ask(new Count()));
            assertEquals(0, counter.counters().getOrDefault("store_failures", 0L));
            assertEquals(2, loads.get());
        }
    }

    private static EventSourced<Count, Long, Long> counters(EntityType<Count> type) {
        return EventSourced.of(type, id -> new Counter(), CODEC).withSnapshots(StateCodec.json(Long.class), 100);
    }

    private Object history(Called called, Object answer) {
        List<?> with = called.arguments();
        return switch (called.method()) {
            case "load" -> Future.succeededFuture(List.of(loads.incrementAndGet() == 1 ? before() : after()));
            case "loadEvents" -> Future.succeededFuture(rows(Math.max(DELETED, (long) with.get(2)), EVENTS));
            default -> answer;
        };
    }

    private static LoadedEntity before() {
        return new LoadedEntity("c", null, rows(0, 100), true);
    }

    private static LoadedEntity after() {
        Buffer state = StateCodec.json(Long.class).encode(DELETED);
        var snapshot =
                new SnapshotRow("c", DELETED, 1, StateCodec.json(Long.class).format(), state, null);
        return new LoadedEntity("c", snapshot, rows(DELETED, EVENTS), false);
    }

    private static List<EventRow> rows(long after, long through) {
        return LongStream.rangeClosed(after + 1, through)
                .mapToObj(number -> new EventRow("c", number, number, "counted", 1, 7, Buffer.buffer(), null, Set.of()))
                .toList();
    }

    private record Called(String method, List<?> arguments) {}

    private static <T> T changed(Class<T> type, T of, BiFunction<Called, Object, Object> change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> change.apply(
                        new Called(method.getName(), arguments == null ? List.of() : Arrays.asList(arguments)),
                        method.invoke(of, arguments))));
    }
}
