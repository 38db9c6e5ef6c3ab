package io.shardbus.store.sqlite;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.ReminderChange;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Write operations, inside the transaction of the writing thread. */
final class SqliteWrites {
    private static final String EVENT_END = "SELECT coalesce(max(position), 0) FROM shardbus_event WHERE log = ?";
    private static final String STATE_END = "SELECT coalesce(max(position), 0) FROM shardbus_state WHERE log = ?";
    private static final String FENCE =
            "SELECT type FROM shardbus_log WHERE log = ? AND sealed = 0 AND term = ? AND incarnation = ?"
                    + " AND sequence = ? AND opening = ?";

    /** The first event that stays, and all behind it, is the first one that a projection has not read. */
    private static final String DELETE = "DELETE FROM shardbus_event WHERE type = ?1 AND id = ?2 AND seq <= ?3"
            + " AND seq < (SELECT max(seq) FROM shardbus_event WHERE type = ?1 AND id = ?2)"
            + " AND seq < coalesce((SELECT min(u.seq) FROM shardbus_event u CROSS JOIN"
            + " (SELECT DISTINCT a.projection FROM shardbus_offset a JOIN shardbus_log l ON l.log = a.log"
            + " WHERE l.type = ?1) r LEFT JOIN shardbus_offset o ON o.projection = r.projection AND o.log = u.log"
            + " WHERE u.type = ?1 AND u.id = ?2 AND u.seq <= ?3 AND u.position > coalesce(o.position, 0)), ?3 + 1)";

    private final Db db;

    SqliteWrites(Db db) {
        this.db = db;
    }

    private record KnownType(int number, String model, int layout, int shards, String addressing) {
        boolean isAs(TypeSpec spec) {
            return shards == spec.shards() && addressing.equals(spec.addressing());
        }
    }

    StoredType register(TypeSpec spec) throws SQLException {
        db.update(
                "INSERT INTO shardbus_type (name, model, layout, opened, shards, addressing) VALUES (?, ?, 1, 1, ?, ?)"
                        + " ON CONFLICT DO NOTHING",
                spec.name(),
                spec.model().name(),
                spec.shards(),
                spec.addressing());
        KnownType known = db.first(
                "SELECT type, model, layout, shards, addressing FROM shardbus_type WHERE name = ?",
                row -> new KnownType(row.getInt(1), row.getString(2), row.getInt(3), row.getInt(4), row.getString(5)),
                spec.name());
        if (known == null || !known.model().equals(spec.model().name())) {
            String model = known == null ? "nothing" : known.model();
            throw new StoreException(
                    Kind.INCOMPATIBLE,
                    "type '" + spec.name() + "' is stored as " + model + ", and not as " + spec.model());
        }
        if (known.isAs(spec)) {
            return new StoredType(known.number(), known.layout());
        }
        db.update(
                "UPDATE shardbus_type SET layout = layout + 1, shards = ?, addressing = ? WHERE type = ?",
                spec.shards(),
                spec.addressing(),
                known.number());
        return new StoredType(known.number(), known.layout() + 1);
    }

    List<OpenedLog> open(List<LogOpening> openings) throws SQLException {
        List<OpenedLog> opened = new ArrayList<>();
        for (LogOpening opening : openings) {
            opened.add(open(opening));
        }
        return opened;
    }

    private OpenedLog open(LogOpening opening) throws SQLException {
        int type = opening.type().number();
        int layout = opening.type().layout();
        Integer newest = db.first("SELECT opened FROM shardbus_type WHERE type = ?", row -> row.getInt(1), type);
        if (newest == null || layout < newest) {
            return new OpenedLog.Sealed();
        }
        if (layout > newest) {
            db.update("UPDATE shardbus_type SET opened = ? WHERE type = ?", layout, type);
            db.update("UPDATE shardbus_log SET sealed = 1 WHERE type = ? AND layout < ?", type, layout);
        }
        db.update(
                "INSERT INTO shardbus_log (type, layout, shard, term, incarnation, sequence, opening, sealed)"
                        + " VALUES (?, ?, ?, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING",
                type,
                layout,
                opening.shard());
        FencingToken token = opening.token();
        OpenedLog.Open open = db.first(
                "UPDATE shardbus_log SET term = ?, incarnation = ?, sequence = ?, opening = opening + 1"
                        + " WHERE type = ? AND layout = ? AND shard = ? AND sealed = 0"
                        + " AND (term, incarnation, sequence) <= (?, ?, ?) RETURNING log, opening",
                row -> new OpenedLog.Open(row.getInt(1), row.getLong(2), 0),
                token.term(),
                token.incarnation(),
                token.sequence(),
                type,
                layout,
                opening.shard(),
                token.term(),
                token.incarnation(),
                token.sequence());
        return open == null
                ? new OpenedLog.Superseded()
                : new OpenedLog.Open(
                        open.log(), open.opening(), Math.max(end(EVENT_END, open.log()), end(STATE_END, open.log())));
    }

    Set<Integer> append(List<LogAppend<EventRow>> appends) throws SQLException {
        Set<Integer> stored = new HashSet<>();
        for (LogAppend<EventRow> append : appends) {
            Integer type = home(append.fence());
            int log = append.fence().log();
            if (type != null && end(EVENT_END, log) == append.end()) {
                for (EventRow row : append.rows()) {
                    insert(type, log, row);
                }
                stored.add(log);
            }
        }
        return stored;
    }

    private void insert(int type, int log, EventRow row) throws SQLException {
        db.update(
                "INSERT INTO shardbus_event (type, id, seq, log, position, name, version, format, payload, meta, tags)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                type,
                row.id(),
                row.sequence(),
                log,
                row.position(),
                row.name(),
                row.version(),
                row.format(),
                row.payload(),
                row.meta(),
                SqliteRows.tags(row.tags()));
        remind(type, row.id(), row.sequence(), row.payload() == null, row.reminders());
    }

    private void remind(int type, String id, long number, boolean isGone, List<ReminderChange> changes)
            throws SQLException {
        if (isGone) {
            db.update("DELETE FROM shardbus_reminder WHERE type = ? AND id = ?", type, id);
        }
        for (ReminderChange change : changes) {
            if (change.payload() == null) {
                db.update(
                        "DELETE FROM shardbus_reminder WHERE type = ? AND id = ? AND name = ?",
                        type,
                        id,
                        change.name());
            } else {
                db.update(
                        "INSERT INTO shardbus_reminder (type, id, name, part, number, due, payload)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (type, id, name)"
                                + " DO UPDATE SET number = excluded.number, due = excluded.due,"
                                + " payload = excluded.payload",
                        type,
                        id,
                        change.name(),
                        ReminderStore.part(id),
                        number,
                        change.due(),
                        change.payload());
            }
        }
    }

    Set<Integer> write(List<LogAppend<StateRow>> writes) throws SQLException {
        Set<Integer> stored = new HashSet<>();
        for (LogAppend<StateRow> write : writes) {
            Integer type = home(write.fence());
            int log = write.fence().log();
            if (type != null && end(STATE_END, log) == write.end()) {
                for (StateRow row : write.rows()) {
                    replace(type, log, row);
                }
                stored.add(log);
            }
        }
        return stored;
    }

    private void replace(int type, int log, StateRow row) throws SQLException {
        Long revision = db.first(
                "SELECT revision FROM shardbus_state WHERE type = ? AND id = ?",
                found -> found.getLong(1),
                type,
                row.id());
        if (row.revision() != (revision == null ? 1 : revision + 1)) {
            throw new StoreException(
                    Kind.ROW_REFUSED,
                    "the state of entity '" + row.id() + "' has revision " + revision + ", not "
                            + (row.revision() - 1));
        }
        db.update(
                "INSERT INTO shardbus_state (type, id, revision, log, position, version, format, payload, dedup)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (type, id) DO UPDATE SET"
                        + " revision = excluded.revision, log = excluded.log, position = excluded.position,"
                        + " written = excluded.written, version = excluded.version, format = excluded.format,"
                        + " payload = excluded.payload, dedup = excluded.dedup",
                type,
                row.id(),
                row.revision(),
                log,
                row.position(),
                row.version(),
                row.format(),
                row.payload(),
                row.meta());
        remind(type, row.id(), row.revision(), row.payload() == null, row.reminders());
    }

    Set<Integer> saveSnapshots(List<LogAppend<SnapshotRow>> snapshots) throws SQLException {
        Set<Integer> stored = new HashSet<>();
        for (LogAppend<SnapshotRow> save : snapshots) {
            Integer type = home(save.fence());
            if (type != null) {
                for (SnapshotRow row : save.rows()) {
                    save(type, row);
                }
                stored.add(save.fence().log());
            }
        }
        return stored;
    }

    private void save(int type, SnapshotRow row) throws SQLException {
        db.update(
                "INSERT INTO shardbus_snapshot (type, id, seq, version, format, payload, dedup)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (type, id) DO UPDATE SET seq = excluded.seq,"
                        + " version = excluded.version, format = excluded.format, payload = excluded.payload,"
                        + " dedup = excluded.dedup WHERE shardbus_snapshot.seq <= excluded.seq",
                type,
                row.id(),
                row.sequence(),
                row.version(),
                row.format(),
                row.payload(),
                row.meta());
    }

    boolean delete(LogFence fence, StoredType type, String id, long through, boolean snapshotToo) throws SQLException {
        if (home(fence) == null) {
            return false;
        }
        if (snapshotToo) {
            db.update(
                    "DELETE FROM shardbus_snapshot WHERE type = ? AND id = ? AND seq <= ?", type.number(), id, through);
        }
        db.update(DELETE, type.number(), id, through);
        return true;
    }

    /** The type of the log, if the fence holds. */
    private @Nullable Integer home(LogFence fence) throws SQLException {
        FencingToken token = fence.token();
        return db.first(
                FENCE,
                row -> row.getInt(1),
                fence.log(),
                token.term(),
                token.incarnation(),
                token.sequence(),
                fence.opening());
    }

    private long end(String query, int log) throws SQLException {
        Long end = db.first(query, row -> row.getLong(1), log);
        return end == null ? 0 : end;
    }
}
