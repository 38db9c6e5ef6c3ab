package io.shardbus.store.sqlite;

import io.shardbus.persistence.spi.EventReader;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads logs on the thread of the projections. */
final class SqliteReader implements EventReader {
    private final SqliteStore store;

    SqliteReader(SqliteStore store) {
        this.store = store;
    }

    @Override
    public Future<@Nullable Integer> type(String name) {
        return store.read(db -> new SqliteRows(db).type(name)).map(found -> found.isEmpty() ? null : found.get(0));
    }

    @Override
    public Future<List<LogInfo>> logs(int type) {
        return store.read(db -> new SqliteRows(db).logs(type));
    }

    @Override
    public Future<Map<Integer, List<ReadRow>>> read(List<From> from, int limit) {
        return store.read(db -> new SqliteRows(db).read(from, limit));
    }
}
