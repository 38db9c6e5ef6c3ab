package io.shardbus.store.sqlite;

import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.StoredType;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The way of a lane to the threads of the store. When a call gets no answer in time, all that are under way fail: those
 * that have not begun never will, and one that has begun ends before the next opening does.
 */
final class SqliteConnection implements StoreConnection {
    private final SqliteStore store;
    private final Context lane;
    private final Set<SqliteCall<?>> underWay = new LinkedHashSet<>();
    private boolean closed;

    SqliteConnection(SqliteStore store, Context lane) {
        this.store = store;
        this.lane = lane;
    }

    @Override
    public Future<List<OpenedLog>> open(List<LogOpening> openings) {
        return write(db -> new SqliteWrites(db).open(openings));
    }

    @Override
    public Future<Set<Integer>> append(List<LogAppend<EventRow>> appends) {
        return write(db -> new SqliteWrites(db).append(appends));
    }

    @Override
    public Future<Set<Integer>> write(List<LogAppend<StateRow>> writes) {
        return write(db -> new SqliteWrites(db).write(writes));
    }

    @Override
    public Future<Set<Integer>> saveSnapshots(List<LogAppend<SnapshotRow>> snapshots) {
        return write(db -> new SqliteWrites(db).saveSnapshots(snapshots));
    }

    @Override
    public Future<List<LoadedEntity>> load(StoredType type, List<String> ids, int limit) {
        return read(db -> new SqliteRows(db).load(type, ids, limit));
    }

    @Override
    public Future<List<EventRow>> loadEvents(StoredType type, String id, long after, int limit) {
        return read(db -> new SqliteRows(db).loadEvents(type, id, after, limit));
    }

    @Override
    public Future<Map<String, StateRow>> loadStates(StoredType type, List<String> ids) {
        return read(db -> new SqliteRows(db).loadStates(type, ids));
    }

    @Override
    public Future<Boolean> delete(LogFence fence, StoredType type, String id, long through, boolean snapshotToo) {
        return write(db -> new SqliteWrites(db).delete(fence, type, id, through, snapshotToo));
    }

    @Override
    public Future<Void> close() {
        closed = true;
        return Future.join(underWay.stream().map(SqliteCall::future).toList())
                .transform(ended -> Future.succeededFuture());
    }

    private <T> Future<T> write(SqliteCall.Work<T> work) {
        return run(store.writer(), work);
    }

    private <T> Future<T> read(SqliteCall.Work<T> work) {
        return run(store.loader(), work);
    }

    private <T> Future<T> run(SqliteThread thread, SqliteCall.Work<T> work) {
        if (closed) {
            return Future.failedFuture(new StoreException(Kind.UNREACHABLE, "the connection is closed"));
        }
        SqliteCall<T> call = new SqliteCall<>(lane, work);
        underWay.add(call);
        long timer = store.vertx().setTimer(store.timeoutMs(), late -> giveUp());
        thread.submit(call);
        return call.future().onComplete(ended -> {
            underWay.remove(call);
            store.vertx().cancelTimer(timer);
        });
    }

    private void giveUp() {
        StoreException late = new StoreException(
                Kind.UNREACHABLE,
                store.name() + " did not answer within " + store.timeoutMs() + " ms (storeTimeoutMs)");
        List.copyOf(underWay).forEach(call -> call.giveUp(late));
    }
}
