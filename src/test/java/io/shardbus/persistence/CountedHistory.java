package io.shardbus.persistence;

import io.shardbus.Ask;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.buffer.Buffer;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

/** An entity "c" that counts its events, and stores whose answers about them a test makes up. */
final class CountedHistory {
    static final EventCodec<Long> CODEC = new EventCodec<>() {
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

    private CountedHistory() {}

    record Count() implements Ask<Long> {}

    /** Answers with the number of its events. */
    static final class Counter implements EventSourcedEntity<Count, Long, Long> {
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

    /** A call of a connection to the store. */
    record Called(String method, List<?> arguments) {}

    /** @param change gives the answer to a call, from the answer of an empty store */
    static PersistenceStore store(BiFunction<Called, Object, Object> change) {
        return changed(
                PersistenceStore.class,
                MemoryStore.create(),
                (method, answer) ->
                        answer instanceof StoreConnection way ? changed(StoreConnection.class, way, change) : answer);
    }

    private static <T> T changed(Class<T> type, T of, BiFunction<Called, Object, Object> change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> change.apply(
                        new Called(method.getName(), arguments == null ? List.of() : Arrays.asList(arguments)),
                        method.invoke(of, arguments))));
    }

    /** The events behind the first {@code after} ones, up to {@code through}. */
    static List<EventRow> rows(long after, long through) {
        return LongStream.rangeClosed(after + 1, through)
                .mapToObj(number -> new EventRow("c", number, number, "counted", 1, 7, Buffer.buffer(), null, Set.of()))
                .toList();
    }
}
