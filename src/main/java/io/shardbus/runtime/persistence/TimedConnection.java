package io.shardbus.runtime.persistence;

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
import io.shardbus.runtime.clock.Nanos;
import io.shardbus.runtime.entity.EntityCounters;
import io.shardbus.runtime.entity.StoreCall;
import io.shardbus.runtime.entity.UserCode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A connection of a store whose calls are timed, from the call to its future's end. A call that throws, against the
 * contract, fails: the lane would wait for its end without end.
 */
final class TimedConnection implements StoreConnection {
    private final StoreConnection connection;
    private final EntityCounters counters;

    TimedConnection(StoreConnection connection, EntityCounters counters) {
        this.connection = connection;
        this.counters = counters;
    }

    private <T> Future<T> timed(StoreCall call, Supplier<Future<T>> made) {
        long from = Nanos.now();
        return UserCode.call(made)
                .onComplete(ended -> counters.storeAnswered(call, ended.succeeded(), Math.max(0, Nanos.now() - from)));
    }

    @Override
    public Future<List<OpenedLog>> open(List<LogOpening> openings) {
        return timed(StoreCall.OPEN, () -> connection.open(openings));
    }

    @Override
    public Future<Set<Integer>> append(List<LogAppend<EventRow>> appends) {
        return timed(StoreCall.APPEND, () -> connection.append(appends));
    }

    @Override
    public Future<Set<Integer>> write(List<LogAppend<StateRow>> writes) {
        return timed(StoreCall.APPEND, () -> connection.write(writes));
    }

    @Override
    public Future<Set<Integer>> saveSnapshots(List<LogAppend<SnapshotRow>> snapshots) {
        return timed(StoreCall.SNAPSHOT, () -> connection.saveSnapshots(snapshots));
    }

    @Override
    public Future<List<LoadedEntity>> load(StoredType type, List<String> ids, int limit) {
        return timed(StoreCall.LOAD, () -> connection.load(type, ids, limit));
    }

    @Override
    public Future<List<EventRow>> loadEvents(StoredType type, String id, long after, int limit) {
        return timed(StoreCall.LOAD, () -> connection.loadEvents(type, id, after, limit));
    }

    @Override
    public Future<Map<String, StateRow>> loadStates(StoredType type, List<String> ids) {
        return timed(StoreCall.LOAD, () -> connection.loadStates(type, ids));
    }

    @Override
    public Future<Boolean> delete(LogFence fence, StoredType type, String id, long through, boolean snapshotToo) {
        return timed(StoreCall.DELETE, () -> connection.delete(fence, type, id, through, snapshotToo));
    }

    @Override
    public Future<Void> close() {
        return connection.close();
    }
}
