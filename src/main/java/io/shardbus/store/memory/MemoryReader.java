package io.shardbus.store.memory;

import io.shardbus.persistence.spi.EventReader;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the logs at once. */
final class MemoryReader implements EventReader {
    private final MemoryStore store;
    private final MemoryLogs logs;

    MemoryReader(MemoryStore store, MemoryLogs logs) {
        this.store = store;
        this.logs = logs;
    }

    @Override
    public Future<@Nullable Integer> type(String name) {
        return store.answer(() -> logs.type(name));
    }

    @Override
    public Future<List<LogInfo>> logs(int type) {
        return store.answer(() -> logs.logsOf(type));
    }

    @Override
    public Future<Map<Integer, List<ReadRow>>> read(List<From> from, int limit) {
        return store.answer(() -> logs.read(from, limit));
    }
}
