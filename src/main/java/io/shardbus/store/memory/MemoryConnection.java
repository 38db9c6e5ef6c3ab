package io.shardbus.store.memory;

import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoredType;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Connection to a {@link MemoryStore}: passes each call to the logs at once. */
final class MemoryConnection implements StoreConnection {
    private final MemoryStore store;
    private final MemoryLogs logs;

    MemoryConnection(MemoryStore store, MemoryLogs logs) {
        this.store = store;
        this.logs = logs;
    }

    @Override
    public Future<List<OpenedLog>> open(List<LogOpening> openings) {
        return store.answer(() -> logs.open(openings));
    }

    @Override
    public Future<Set<Integer>> append(List<LogAppend<EventRow>> appends) {
        return store.answer(() -> logs.append(appends));
    }

    @Override
    public Future<Set<Integer>> write(List<LogAppend<StateRow>> writes) {
        return store.answer(() -> logs.write(writes));
    }

    @Override
    public Future<Set<Integer>> saveSnapshots(List<LogAppend<SnapshotRow>> snapshots) {
        return store.answer(() -> logs.saveSnapshots(snapshots));
    }

    @Override
    public Future<List<LoadedEntity>> load(StoredType type, List<String> ids, int limit) {
        return store.answer(() -> logs.load(type, ids, limit));
    }

    @Override
    public Future<List<EventRow>> loadEvents(StoredType type, String id, long after, int limit) {
        return store.answer(() -> logs.loadEvents(type, id, after, limit));
    }

    @Override
    public Future<Map<String, StateRow>> loadStates(StoredType type, List<String> ids) {
        return store.answer(() -> logs.loadStates(type, ids));
    }

    @Override
    public Future<Boolean> delete(LogFence fence, StoredType type, String id, long through, boolean snapshotToo) {
        return store.answer(() -> logs.delete(fence, type, id, through, snapshotToo));
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
