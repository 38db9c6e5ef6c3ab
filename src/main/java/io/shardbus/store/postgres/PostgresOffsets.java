package io.shardbus.store.postgres;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.OffsetStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Offsets in the database of the store. */
final class PostgresOffsets implements OffsetStore {
    private final PostgresStore store;

    PostgresOffsets(PostgresStore store) {
        this.store = store;
    }

    @Override
    public Future<Map<Integer, Long>> claim(String projection, List<Integer> logs, FencingToken token) {
        Tuple parameters =
                Tuple.of(projection, logs.toArray(Integer[]::new), token.term(), token.incarnation(), token.sequence());
        return store.reads(Sql.CLAIM, parameters, rows -> {
            Map<Integer, Long> claimed = new HashMap<>();
            rows.forEach(row -> claimed.put(row.getInteger(0), row.getLong(1)));
            return claimed;
        });
    }

    @Override
    public Future<Boolean> move(String projection, int log, long before, long after, FencingToken token) {
        return store.reads(Sql.MOVE, moved(projection, log, before, after, token), rows -> rows.rowCount() == 1);
    }

    @Override
    public Future<Set<Integer>> moveAll(String projection, List<Move> moves, FencingToken token) {
        if (moves.size() == 1) {
            Move only = moves.get(0);
            return move(projection, only.log(), only.before(), only.after(), token)
                    .map(isMoved -> isMoved ? Set.of(only.log()) : Set.of());
        }
        Tuple parameters = Tuple.of(
                        projection,
                        moves.stream().map(Move::log).toArray(Integer[]::new),
                        moves.stream().map(Move::before).toArray(Long[]::new),
                        moves.stream().map(Move::after).toArray(Long[]::new))
                .addLong(token.term())
                .addLong(token.incarnation())
                .addLong(token.sequence());
        return store.reads(Sql.MOVE_ALL, parameters, rows -> Set.copyOf(Rows.list(rows, row -> row.getInteger(0))));
    }

    /** The parameters of {@link Sql#MOVE}. */
    static Tuple moved(String projection, int log, long before, long after, FencingToken token) {
        return Tuple.of(projection, log, before, after)
                .addLong(token.term())
                .addLong(token.incarnation())
                .addLong(token.sequence());
    }

    @Override
    public Future<Map<Integer, Long>> positions(String projection) {
        return store.reads(
                "SELECT log, position FROM shardbus_offset WHERE projection = $1", Tuple.of(projection), rows -> {
                    Map<Integer, Long> positions = new HashMap<>();
                    rows.forEach(row -> positions.put(row.getInteger(0), row.getLong(1)));
                    return positions;
                });
    }

    @Override
    public Future<Void> park(String projection, Parked event) {
        return store.reads(
                        "INSERT INTO shardbus_parked (projection, log, position, reason) VALUES ($1, $2, $3, $4)"
                                + " ON CONFLICT (projection, log, position) DO UPDATE SET"
                                + " reason = shardbus_parked.reason || '; ' || excluded.reason"
                                + " WHERE strpos(shardbus_parked.reason, excluded.reason) = 0"
                                + " AND length(shardbus_parked.reason) < $5",
                        Tuple.of(projection, event.log(), event.position(), event.reason(), MOST_REASONS),
                        rows -> true)
                .mapEmpty();
    }

    @Override
    public Future<List<Parked>> parked(String projection, int limit) {
        return store.reads(
                "SELECT log, position, reason FROM shardbus_parked WHERE projection = $1 ORDER BY log, position"
                        + " LIMIT $2",
                Tuple.of(projection, (long) limit),
                rows -> Rows.list(rows, row -> new Parked(row.getInteger(0), row.getLong(1), row.getString(2))));
    }

    @Override
    public Future<Long> parkedCount(String projection) {
        return store.reads(
                "SELECT count(*) FROM shardbus_parked WHERE projection = $1",
                Tuple.of(projection),
                rows -> rows.iterator().next().getLong(0));
    }

    @Override
    public Future<Void> setPaused(String projection, boolean paused) {
        return store.reads(
                        "INSERT INTO shardbus_projection (projection, paused) VALUES ($1, $2)"
                                + " ON CONFLICT (projection) DO UPDATE SET paused = excluded.paused",
                        Tuple.of(projection, paused),
                        rows -> true)
                .mapEmpty();
    }

    @Override
    public Future<Boolean> isPaused(String projection) {
        return store.reads(
                "SELECT FROM shardbus_projection WHERE projection = $1 AND paused",
                Tuple.of(projection),
                rows -> rows.size() == 1);
    }

    @Override
    public Future<Boolean> reset(String projection) {
        return store.reads(
                Sql.RESET, Tuple.of(projection), rows -> rows.iterator().next().getLong(0) == 1);
    }

    @Override
    public Future<Long> lowest(int log) {
        return store.reads("SELECT min(position) FROM shardbus_offset WHERE log = $1", Tuple.of(log), rows -> {
            Long lowest = rows.iterator().next().getLong(0);
            return lowest == null ? Long.MAX_VALUE : lowest;
        });
    }
}
