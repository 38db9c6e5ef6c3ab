package io.shardbus.store.sqlite;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.OffsetStore;
import io.vertx.core.Future;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Offsets in the file. Reads take no lock: a call that has ended is seen by those that begin after it. */
final class SqliteOffsets implements OffsetStore {
    private final SqliteStore store;

    SqliteOffsets(SqliteStore store) {
        this.store = store;
    }

    @Override
    public Future<Map<Integer, Long>> claim(String projection, List<Integer> logs, FencingToken token) {
        return store.write(db -> {
            Map<Integer, Long> claimed = new HashMap<>();
            for (int log : isPaused(db, projection) ? List.<Integer>of() : logs) {
                Long position = db.first(
                        "INSERT INTO shardbus_offset (projection, log, position, term, incarnation, sequence)"
                                + " VALUES (?, ?, 0, ?, ?, ?) ON CONFLICT (projection, log) DO UPDATE SET"
                                + " term = excluded.term, incarnation = excluded.incarnation,"
                                + " sequence = excluded.sequence WHERE (shardbus_offset.term,"
                                + " shardbus_offset.incarnation, shardbus_offset.sequence)"
                                + " <= (excluded.term, excluded.incarnation, excluded.sequence) RETURNING position",
                        row -> row.getLong(1),
                        projection,
                        log,
                        token.term(),
                        token.incarnation(),
                        token.sequence());
                if (position != null) {
                    claimed.put(log, position);
                }
            }
            return claimed;
        });
    }

    @Override
    public Future<Boolean> move(String projection, int log, long before, long after, FencingToken token) {
        return store.write(db -> move(db, projection, new Move(log, before, after), token));
    }

    @Override
    public Future<Set<Integer>> moveAll(String projection, List<Move> moves, FencingToken token) {
        return store.write(db -> {
            Set<Integer> moved = new HashSet<>();
            for (Move move : moves) {
                if (move(db, projection, move, token)) {
                    moved.add(move.log());
                }
            }
            return moved;
        });
    }

    private static boolean move(Db db, String projection, Move move, FencingToken token) throws SQLException {
        return db.update(
                        "UPDATE shardbus_offset SET position = ?, term = ?, incarnation = ?, sequence = ?"
                                + " WHERE projection = ? AND log = ? AND position = ?"
                                + " AND (term, incarnation, sequence) <= (?, ?, ?)",
                        move.after(),
                        token.term(),
                        token.incarnation(),
                        token.sequence(),
                        projection,
                        move.log(),
                        move.before(),
                        token.term(),
                        token.incarnation(),
                        token.sequence())
                == 1;
    }

    @Override
    public Future<Map<Integer, Long>> positions(String projection) {
        return store.read(db -> {
            Map<Integer, Long> positions = new HashMap<>();
            db.query(
                            "SELECT log, position FROM shardbus_offset WHERE projection = ?",
                            row -> Map.entry(row.getInt(1), row.getLong(2)),
                            projection)
                    .forEach(entry -> positions.put(entry.getKey(), entry.getValue()));
            return positions;
        });
    }

    @Override
    public Future<Void> park(String projection, Parked event) {
        return store.<Integer>write(db -> db.update(
                        "INSERT INTO shardbus_parked (projection, log, position, reason) VALUES (?, ?, ?, ?)"
                                + " ON CONFLICT (projection, log, position) DO UPDATE SET"
                                + " reason = shardbus_parked.reason || '; ' || excluded.reason"
                                + " WHERE instr(shardbus_parked.reason, excluded.reason) = 0"
                                + " AND length(shardbus_parked.reason) < ?",
                        projection,
                        event.log(),
                        event.position(),
                        event.reason(),
                        MOST_REASONS))
                .mapEmpty();
    }

    @Override
    public Future<List<Parked>> parked(String projection, int limit) {
        return store.read(db -> db.query(
                "SELECT log, position, reason FROM shardbus_parked WHERE projection = ? ORDER BY log, position LIMIT ?",
                row -> new Parked(row.getInt(1), row.getLong(2), row.getString(3)),
                projection,
                limit));
    }

    @Override
    public Future<Long> parkedCount(String projection) {
        return store.read(db -> count(db.first(
                "SELECT count(*) FROM shardbus_parked WHERE projection = ?", row -> row.getLong(1), projection)));
    }

    private static long count(@Nullable Long counted) {
        return counted == null ? 0 : counted;
    }

    @Override
    public Future<Void> setPaused(String projection, boolean paused) {
        return store.<Integer>write(db -> db.update(
                        "INSERT INTO shardbus_projection (projection, paused) VALUES (?, ?)"
                                + " ON CONFLICT (projection) DO UPDATE SET paused = excluded.paused",
                        projection,
                        paused ? 1 : 0))
                .mapEmpty();
    }

    @Override
    public Future<Boolean> isPaused(String projection) {
        return store.read(db -> isPaused(db, projection));
    }

    private static boolean isPaused(Db db, String projection) throws SQLException {
        Integer paused = db.first(
                "SELECT paused FROM shardbus_projection WHERE projection = ?", row -> row.getInt(1), projection);
        return paused != null && paused == 1;
    }

    @Override
    public Future<Boolean> reset(String projection) {
        return store.write(db -> {
            boolean paused = isPaused(db, projection);
            if (paused) {
                db.update("DELETE FROM shardbus_parked WHERE projection = ?", projection);
                db.update("DELETE FROM shardbus_offset WHERE projection = ?", projection);
            }
            return paused;
        });
    }

    @Override
    public Future<Long> lowest(int log) {
        return store.read(db -> {
            Long lowest = db.first(
                    "SELECT coalesce(min(position), ?) FROM shardbus_offset WHERE log = ?",
                    row -> row.getLong(1),
                    Long.MAX_VALUE,
                    log);
            return lowest == null ? Long.MAX_VALUE : lowest;
        });
    }
}
