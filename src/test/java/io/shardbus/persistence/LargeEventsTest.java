package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An entity with events that are so large that few of them fit into an answer")
class LargeEventsTest {
    private static final long EVENTS = 700;
    private static final int FITTING = 3;

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
    @DisplayName("is recovered with smaller pages after each read that failed")
    void recovered() {
        PersistenceStore store = changed(
                PersistenceStore.class,
                MemoryStore.create(),
                (method, answer) -> answer instanceof StoreConnection way
                        ? changed(StoreConnection.class, way, LargeEventsTest::history)
                        : answer);
        EntityType<Count> type = EntityType.of("counter", Count.class);
        try (var counter = EntityTestKit.of(
                EventSourced.of(type, id -> new Counter(), CODEC).on(store).withAskTimeout(Duration.ofHours(2)), "c")) {
            Future<Long> count = counter.asking(new Count());
            for (int i = 0; i < 1_000 && !count.isComplete(); i++) {
                counter.advance(Duration.ofSeconds(1));
            }
            assertEquals(EVENTS, count.result(), () -> String.valueOf(count.cause()));
        }
    }

    private static Object history(Called called, Object answer) {
        List<?> with = called.arguments();
        boolean isTooLarge = called.method().equals("load") && (int) with.get(2) > FITTING
                || called.method().equals("loadEvents") && (int) with.get(3) > FITTING;
        if (isTooLarge) {
            return Future.failedFuture(new StoreException(StoreException.Kind.UNREACHABLE, "too large"));
        }
        return switch (called.method()) {
            case "load" ->
                Future.succeededFuture(List.of(new LoadedEntity("c", null, rows(0, (int) with.get(2)), true)));
            case "loadEvents" -> Future.succeededFuture(rows((long) with.get(2), (int) with.get(3)));
            default -> answer;
        };
    }

    private static List<EventRow> rows(long after, int limit) {
        return LongStream.rangeClosed(after + 1, Math.min(EVENTS, after + limit))
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
