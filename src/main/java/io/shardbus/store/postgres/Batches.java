package io.shardbus.store.postgres;

import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.ReminderChange;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Batches of rows as parameters: an array for each column. */
final class Batches {
    private Batches() {}

    /** A row and the log that it belongs to. */
    private record Placed<R>(int log, R row) {}

    /** A state with the revision that must be stored before it. */
    private record Successor(long before, StateRow row) {}

    static Tuple events(List<LogAppend<EventRow>> appends) {
        List<Placed<EventRow>> rows = new ArrayList<>();
        appends.forEach(append -> append.rows()
                .forEach(row -> rows.add(new Placed<>(append.fence().log(), row))));
        return fences(appends)
                .addArrayOfInteger(integers(rows, Placed::log))
                .addArrayOfString(strings(rows, placed -> placed.row().id()))
                .addArrayOfLong(longs(rows, placed -> placed.row().sequence()))
                .addArrayOfLong(longs(rows, placed -> placed.row().position()))
                .addArrayOfString(strings(rows, placed -> placed.row().name()))
                .addArrayOfInteger(integers(rows, placed -> placed.row().version()))
                .addArrayOfInteger(integers(rows, placed -> placed.row().format()))
                .addArrayOfBuffer(buffers(rows, placed -> placed.row().payload()))
                .addArrayOfBuffer(buffers(rows, placed -> placed.row().meta()))
                .addArrayOfString(strings(rows, placed -> tags(placed.row().tags())));
    }

    /** The states to store; of several states of one entity the last one, as it replaces those before it. */
    static Tuple states(List<LogAppend<StateRow>> writes) {
        List<Placed<Successor>> rows = new ArrayList<>();
        for (LogAppend<StateRow> write : writes) {
            Map<String, Successor> last = new LinkedHashMap<>();
            for (StateRow row : write.rows()) {
                Successor earlier = last.get(row.id());
                long before = row.revision() - 1;
                if (earlier != null && earlier.row().revision() == before) {
                    before = earlier.before();
                }
                last.put(row.id(), new Successor(before, row));
            }
            last.values()
                    .forEach(successor -> rows.add(new Placed<>(write.fence().log(), successor)));
        }
        return fences(writes)
                .addArrayOfInteger(integers(rows, Placed::log))
                .addArrayOfString(strings(rows, placed -> placed.row().row().id()))
                .addArrayOfLong(longs(rows, placed -> placed.row().before()))
                .addArrayOfLong(longs(rows, placed -> placed.row().row().revision()))
                .addArrayOfLong(longs(rows, placed -> placed.row().row().position()))
                .addArrayOfInteger(integers(rows, placed -> placed.row().row().version()))
                .addArrayOfInteger(integers(rows, placed -> placed.row().row().format()))
                .addArrayOfBuffer(buffers(rows, placed -> placed.row().row().payload()))
                .addArrayOfBuffer(buffers(rows, placed -> placed.row().row().meta()));
    }

    /** The snapshots to store; of several snapshots of one entity the last one. */
    static Tuple snapshots(List<LogAppend<SnapshotRow>> snapshots) {
        List<Placed<SnapshotRow>> rows = new ArrayList<>();
        for (LogAppend<SnapshotRow> save : snapshots) {
            Map<String, SnapshotRow> last = new LinkedHashMap<>();
            save.rows().forEach(row -> last.put(row.id(), row));
            last.values().forEach(row -> rows.add(new Placed<>(save.fence().log(), row)));
        }
        return fences(snapshots)
                .addArrayOfInteger(integers(rows, Placed::log))
                .addArrayOfString(strings(rows, placed -> placed.row().id()))
                .addArrayOfLong(longs(rows, placed -> placed.row().sequence()))
                .addArrayOfInteger(integers(rows, placed -> placed.row().version()))
                .addArrayOfInteger(integers(rows, placed -> placed.row().format()))
                .addArrayOfBuffer(buffers(rows, placed -> placed.row().payload()))
                .addArrayOfBuffer(buffers(rows, placed -> placed.row().meta()));
    }

    /** A change of a reminder; without a name all of the entity are cancelled. */
    record Change(int log, String id, long number, @Nullable ReminderChange change) {}

    /** The changes of reminders by events. */
    static List<Change> changesOfEvents(List<LogAppend<EventRow>> appends) {
        List<Change> changes = new ArrayList<>();
        for (LogAppend<EventRow> append : appends) {
            append.rows()
                    .forEach(row -> addChanges(
                            changes,
                            append.fence().log(),
                            row.id(),
                            row.sequence(),
                            row.payload() == null,
                            row.reminders()));
        }
        return changes;
    }

    /** The changes of reminders by states. */
    static List<Change> changesOfStates(List<LogAppend<StateRow>> writes) {
        List<Change> changes = new ArrayList<>();
        for (LogAppend<StateRow> write : writes) {
            write.rows()
                    .forEach(row -> addChanges(
                            changes,
                            write.fence().log(),
                            row.id(),
                            row.revision(),
                            row.payload() == null,
                            row.reminders()));
        }
        return changes;
    }

    private static void addChanges(
            List<Change> changes, int log, String id, long number, boolean isGone, List<ReminderChange> reminders) {
        if (isGone) {
            changes.add(new Change(log, id, number, null));
        }
        // of several changes of one reminder the last alone: a statement may touch a row once
        Map<String, ReminderChange> last = new LinkedHashMap<>();
        reminders.forEach(change -> last.put(change.name(), change));
        last.values().forEach(change -> changes.add(new Change(log, id, number, change)));
    }

    /** The parameters of the reminders, after those of the rows. */
    static Tuple addChanges(Tuple rows, List<Change> changes) {
        return rows.addArrayOfInteger(integers(changes, Change::log))
                .addArrayOfString(strings(changes, Change::id))
                .addArrayOfString(strings(
                        changes,
                        change ->
                                change.change() == null ? null : change.change().name()))
                .addArrayOfInteger(integers(changes, change -> ReminderStore.part(change.id())))
                .addArrayOfLong(longs(changes, Change::number))
                .addArrayOfLong(longs(
                        changes,
                        change -> change.change() == null ? 0L : change.change().due()))
                .addArrayOfBuffer(buffers(
                        changes,
                        change ->
                                change.change() == null ? null : change.change().payload()));
    }

    private static <R> Tuple fences(List<LogAppend<R>> appends) {
        Fences fences = new Fences();
        appends.forEach(append -> fences.add(append.fence(), append.end()));
        return fences.tuple();
    }

    /** An array parameter cannot hold arrays: tags are one text, which the statement takes apart. */
    private static @Nullable String tags(Set<String> tags) {
        return tags.isEmpty() ? null : String.join("\u001f", new TreeSet<>(tags));
    }

    private static <R> Integer[] integers(List<R> rows, Function<R, Integer> column) {
        return rows.stream().map(column).toArray(Integer[]::new);
    }

    private static <R> Long[] longs(List<R> rows, Function<R, Long> column) {
        return rows.stream().map(column).toArray(Long[]::new);
    }

    private static <R> String[] strings(List<R> rows, Function<R, @Nullable String> column) {
        return rows.stream().map(column).toArray(String[]::new);
    }

    private static <R> Buffer[] buffers(List<R> rows, Function<R, @Nullable Buffer> column) {
        return rows.stream().map(column).toArray(Buffer[]::new);
    }
}
