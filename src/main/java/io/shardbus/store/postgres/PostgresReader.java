package io.shardbus.store.postgres;

import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.ReadBytes;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads logs on the connection of the projections. */
final class PostgresReader implements EventReader {
    private final PostgresStore store;

    PostgresReader(PostgresStore store) {
        this.store = store;
    }

    @Override
    public Future<@Nullable Integer> type(String name) {
        return store.reads(
                        "SELECT type FROM shardbus_type WHERE name = $1",
                        Tuple.of(name),
                        rows -> Rows.list(rows, row -> row.getInteger(0)))
                .map(found -> found.isEmpty() ? null : found.get(0));
    }

    @Override
    public Future<List<LogInfo>> logs(int type) {
        return store.reads(
                Sql.ALL_LOGS,
                Tuple.of(type),
                rows -> Rows.list(
                        rows,
                        row -> new LogInfo(
                                row.getInteger(0),
                                row.getInteger(1),
                                row.getInteger(2),
                                row.getBoolean(3),
                                row.getLong(4))));
    }

    @Override
    public Future<Map<Integer, List<ReadRow>>> read(List<From> from, int limit) {
        Integer[] logs = from.stream().map(From::log).toArray(Integer[]::new);
        Long[] after = from.stream().map(From::after).toArray(Long[]::new);
        return store.reads(Sql.READ, Tuple.of(logs, after, limit, ReadBytes.LIMIT), rows -> {
            Map<Integer, List<ReadRow>> read = new HashMap<>();
            for (ReadRow row : Rows.list(rows, Rows::read)) {
                read.computeIfAbsent(row.log(), log -> new ArrayList<>()).add(row);
            }
            return read;
        });
    }
}
