package io.shardbus.store;

import io.shardbus.spi.RecordStore;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Records in the memory of one process, for tests: nodes that are given the same instance agree. It answers at once.
 */
public final class InMemoryRecordStore implements RecordStore {
    private final Map<String, String> records = new ConcurrentHashMap<>();

    @Override
    public Future<@Nullable String> read(String name) {
        return Future.succeededFuture(records.get(name));
    }

    @Override
    public Future<Boolean> replace(String name, @Nullable String expected, @Nullable String next) {
        AtomicBoolean equal = new AtomicBoolean();
        records.compute(name, (key, present) -> {
            equal.set(Objects.equals(present, expected));
            return equal.get() ? next : present;
        });
        return Future.succeededFuture(equal.get());
    }
}
