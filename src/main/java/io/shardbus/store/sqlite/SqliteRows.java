package io.shardbus.store.sqlite;

import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.ReadBytes;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoredType;
import io.vertx.core.buffer.Buffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Read operations, inside one transaction of a reading thread; an object for one answer. */
final class SqliteRows {
    private static final String TAG_END = "\u001f";
    private static final String EVENTS =
            "SELECT id, seq, position, name, version, format, payload, meta, tags FROM shardbus_event"
                    + " WHERE type = ? AND id = ? AND seq > ? ORDER BY seq LIMIT ?";

    private final Db db;
    private final ReadBytes answer = new ReadBytes();

    SqliteRows(Db db) {
        this.db = db;
    }

    List<LoadedEntity> load(StoredType type, List<String> ids, int limit) throws SQLException {
        List<LoadedEntity> loaded = new ArrayList<>();
        for (String id : ids) {
            if (answer.isFull()) {
                break;
            }
            SnapshotRow snapshot = db.first(
                    "SELECT id, seq, version, format, payload, dedup FROM shardbus_snapshot WHERE type = ? AND id = ?",
                    this::snapshot,
                    type.number(),
                    id);
            List<EventRow> events = loadEvents(type, id, snapshot == null ? 0 : snapshot.sequence(), limit + 1);
            boolean isCut = events.size() > limit;
            List<EventRow> first = isCut ? events.subList(0, limit) : events;
            loaded.add(new LoadedEntity(id, snapshot, first, isCut || answer.isFull()));
        }
        return loaded;
    }

    List<EventRow> loadEvents(StoredType type, String id, long after, int limit) throws SQLException {
        return db.page(answer, EVENTS, this::event, type.number(), id, after, limit);
    }

    Map<String, StateRow> loadStates(StoredType type, List<String> ids) throws SQLException {
        Map<String, StateRow> states = new HashMap<>();
        for (String id : ids) {
            if (answer.isFull()) {
                break;
            }
            StateRow state = db.first(
                    "SELECT id, revision, position, version, format, payload, dedup FROM shardbus_state"
                            + " WHERE type = ? AND id = ?",
                    this::state,
                    type.number(),
                    id);
            if (state != null) {
                states.put(id, state);
            }
        }
        return states;
    }

    /** The number of the type, if it is known. */
    List<Integer> type(String name) throws SQLException {
        return db.query("SELECT type FROM shardbus_type WHERE name = ?", row -> row.getInt(1), name);
    }

    List<EventReader.LogInfo> logs(int type) throws SQLException {
        return db.query(
                "SELECT log, layout, shard, sealed, max("
                        + " coalesce((SELECT max(position) FROM shardbus_event e WHERE e.log = l.log), 0),"
                        + " coalesce((SELECT max(position) FROM shardbus_state s WHERE s.log = l.log), 0))"
                        + " FROM shardbus_log l WHERE type = ? ORDER BY layout, log",
                row -> new EventReader.LogInfo(
                        row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4) != 0, row.getLong(5)),
                type);
    }

    Map<Integer, List<EventReader.ReadRow>> read(List<EventReader.From> from, int limit) throws SQLException {
        Map<Integer, List<EventReader.ReadRow>> read = new HashMap<>();
        for (EventReader.From place : from) {
            List<EventReader.ReadRow> rows = db.page(
                    answer,
                    "SELECT log, position, id, seq, name, version, format, payload, meta, tags, written"
                            + " FROM shardbus_event WHERE log = ?1 AND position > ?2"
                            + " UNION ALL SELECT log, position, id, revision, 'state', version, format, payload,"
                            + " dedup, NULL, written FROM shardbus_state WHERE log = ?1 AND position > ?2"
                            + " ORDER BY position LIMIT ?3",
                    this::read,
                    place.log(),
                    place.after(),
                    limit);
            if (!rows.isEmpty()) {
                read.put(place.log(), rows);
            }
        }
        return read;
    }

    static @Nullable String tags(Set<String> tags) {
        return tags.isEmpty() ? null : String.join(TAG_END, new TreeSet<>(tags));
    }

    private static Set<String> tags(@Nullable String joined) {
        return joined == null ? Set.of() : Set.of(joined.split(TAG_END, -1));
    }

    private SnapshotRow snapshot(ResultSet row) throws SQLException {
        Buffer payload = Buffer.buffer(row.getBytes(5));
        Buffer meta = Db.buffer(row.getBytes(6));
        answer.add(payload, meta);
        return new SnapshotRow(row.getString(1), row.getLong(2), row.getInt(3), row.getInt(4), payload, meta);
    }

    private EventRow event(ResultSet row) throws SQLException {
        Buffer payload = Db.buffer(row.getBytes(7));
        Buffer meta = Db.buffer(row.getBytes(8));
        answer.add(payload, meta);
        return new EventRow(
                row.getString(1),
                row.getLong(2),
                row.getLong(3),
                row.getString(4),
                row.getInt(5),
                row.getInt(6),
                payload,
                meta,
                tags(row.getString(9)));
    }

    private StateRow state(ResultSet row) throws SQLException {
        Buffer payload = Db.buffer(row.getBytes(6));
        Buffer meta = Db.buffer(row.getBytes(7));
        answer.add(payload, meta);
        return new StateRow(
                row.getString(1), row.getLong(2), row.getLong(3), row.getInt(4), row.getInt(5), payload, meta);
    }

    private EventReader.ReadRow read(ResultSet row) throws SQLException {
        Buffer payload = Db.buffer(row.getBytes(8));
        Buffer meta = Db.buffer(row.getBytes(9));
        answer.add(payload, meta);
        return new EventReader.ReadRow(
                row.getInt(1),
                row.getLong(2),
                row.getString(3),
                row.getLong(4),
                row.getString(5),
                row.getInt(6),
                row.getInt(7),
                payload,
                meta,
                tags(row.getString(10)),
                row.getLong(11));
    }
}
