package io.shardbus.store.postgres;

import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.ReadBytes;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Mappers of result rows; columns have the order of the statements in {@link Sql}. */
final class Rows {
    private Rows() {}

    static <T> List<T> list(RowSet<Row> rows, Function<Row, T> mapper) {
        List<T> list = new ArrayList<>(rows.size());
        rows.forEach(row -> list.add(mapper.apply(row)));
        return list;
    }

    static EventRow event(Row row) {
        return event(row, row.getString(0));
    }

    private static EventRow event(Row row, String id) {
        return new EventRow(
                id,
                row.getLong(1),
                row.getLong(2),
                row.getString(3),
                row.getInteger(4),
                row.getInteger(5),
                row.getBuffer(6),
                row.getBuffer(7),
                tags(row.getArrayOfStrings(8)));
    }

    static StateRow state(Row row) {
        return new StateRow(
                row.getString(0),
                row.getLong(1),
                row.getLong(2),
                row.getInteger(3),
                row.getInteger(4),
                row.getBuffer(5),
                row.getBuffer(6));
    }

    /** The rows of snapshots have position 0, and come before the events of their entities. */
    static List<LoadedEntity> loaded(RowSet<Row> rows, List<String> ids, int limit) {
        Map<String, SnapshotRow> snapshots = new HashMap<>();
        Map<String, List<EventRow>> events = new HashMap<>();
        ReadBytes answer = new ReadBytes();
        String last = null;
        for (Row row : rows) {
            String id = row.getString(0);
            last = id;
            answer.add(row.getBuffer(6), row.getBuffer(7));
            if (row.getLong(2) == 0) {
                snapshots.put(
                        id,
                        new SnapshotRow(
                                id,
                                row.getLong(1),
                                row.getInteger(4),
                                row.getInteger(5),
                                row.getBuffer(6),
                                row.getBuffer(7)));
            } else {
                events.computeIfAbsent(id, known -> new ArrayList<>()).add(event(row, id));
            }
        }
        String end = answer.isFull() ? last : null;
        List<LoadedEntity> loaded = new ArrayList<>();
        for (String id : ids) {
            List<EventRow> found = events.getOrDefault(id, List.of());
            boolean isCut = found.size() > limit;
            boolean isEnd = id.equals(end);
            List<EventRow> first = isCut ? found.subList(0, limit) : found;
            loaded.add(new LoadedEntity(id, snapshots.get(id), first, isCut || isEnd));
            if (isEnd) {
                break;
            }
        }
        return loaded;
    }

    static EventReader.ReadRow read(Row row) {
        return new EventReader.ReadRow(
                row.getInteger(9),
                row.getLong(2),
                row.getString(0),
                row.getLong(1),
                row.getString(3),
                row.getInteger(4),
                row.getInteger(5),
                row.getBuffer(6),
                row.getBuffer(7),
                tags(row.getArrayOfStrings(8)),
                row.getLong(10));
    }

    private static Set<String> tags(String @Nullable [] tags) {
        if (tags == null) {
            return Set.of();
        }
        // the server takes the text of one empty tag apart to none
        return tags.length == 0 ? Set.of("") : Set.of(tags);
    }
}
