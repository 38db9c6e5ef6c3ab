package io.shardbus.store.postgres;

import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.ReadBytes;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoredType;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lane's connection for writes; recovery reads on a connection that all lanes share. */
final class PostgresConnection implements StoreConnection {
    private final PostgresStore store;
    private final Context lane;
    private final PostgresLink writes;

    PostgresConnection(PostgresStore store, Context lane, PostgresLink writes) {
        this.store = store;
        this.lane = lane;
        this.writes = writes;
    }

    @Override
    public Future<List<OpenedLog>> open(List<LogOpening> openings) {
        Map<StoredType, List<LogOpening>> byType = new LinkedHashMap<>();
        openings.forEach(opening -> byType.computeIfAbsent(opening.type(), type -> new ArrayList<>())
                .add(opening));
        List<Future<Map<LogOpening, Integer>>> found = new ArrayList<>();
        byType.forEach((type, ofType) -> found.add(find(type, ofType)));
        return Future.all(found).compose(all -> {
            Map<LogOpening, Integer> logs = new LinkedHashMap<>();
            found.forEach(part -> logs.putAll(part.result()));
            return raise(logs)
                    .map(opened -> openings.stream()
                            .map(opening -> opened.getOrDefault(opening, new OpenedLog.Sealed()))
                            .toList());
        });
    }

    /** Closes older layouts, makes the logs that are missing, and finds the numbers of all that are not closed. */
    private Future<Map<LogOpening, Integer>> find(StoredType type, List<LogOpening> openings) {
        Map<Integer, LogOpening> byShard = new HashMap<>();
        openings.forEach(opening -> byShard.put(opening.shard(), opening));
        Integer[] shards = byShard.keySet().toArray(Integer[]::new);
        Tuple layout = Tuple.of(type.number(), type.layout());
        Future<RowSet<Row>> begun = writes.send(Sql.BEGIN_LAYOUT, layout);
        Future<RowSet<Row>> sealed = writes.send(Sql.SEAL, layout);
        Future<RowSet<Row>> made = writes.send(Sql.MAKE_LOGS, Tuple.of(type.number(), type.layout(), shards));
        return Future.all(begun, sealed, made, writes.send(Sql.LOGS, Tuple.of(type.number(), type.layout(), shards)))
                .map(all -> {
                    Map<LogOpening, Integer> logs = new HashMap<>();
                    RowSet<Row> rows = all.resultAt(3);
                    rows.forEach(row -> {
                        LogOpening opening = byShard.get(row.getInteger(1));
                        if (opening != null) {
                            logs.put(opening, row.getInteger(0));
                        }
                    });
                    return logs;
                });
    }

    private Future<Map<LogOpening, OpenedLog>> raise(Map<LogOpening, Integer> logs) {
        Fences fences = new Fences();
        logs.forEach((opening, log) -> fences.add(log, opening.token()));
        Future<RowSet<Row>> raised = writes.send(Sql.OPEN, fences.tuple());
        Future<RowSet<Row>> ends = writes.send(Sql.ENDS, Tuple.of(fences.logs()));
        return Future.all(raised, ends).map(both -> {
            Map<Integer, Long> endOf = new HashMap<>();
            ends.result().forEach(row -> endOf.put(row.getInteger(0), orZero(row.getLong(1))));
            Map<Integer, OpenedLog> opened = new HashMap<>();
            raised.result()
                    .forEach(row -> opened.put(
                            row.getInteger(0),
                            new OpenedLog.Open(
                                    row.getInteger(0), row.getLong(1), orZero(endOf.get(row.getInteger(0))))));
            Map<LogOpening, OpenedLog> answers = new HashMap<>();
            logs.forEach((opening, log) -> answers.put(opening, opened.getOrDefault(log, new OpenedLog.Superseded())));
            return answers;
        });
    }

    private static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    @Override
    public Future<Set<Integer>> append(List<LogAppend<EventRow>> appends) {
        List<Batches.Change> changes = Batches.changesOfEvents(appends);
        Tuple events = Batches.events(appends);
        return logs(
                changes.isEmpty()
                        ? writes.send(Sql.APPEND, events)
                        : writes.send(Sql.APPEND_REMINDING, Batches.addChanges(events, changes)));
    }

    @Override
    public Future<Set<Integer>> write(List<LogAppend<StateRow>> rows) {
        List<Batches.Change> changes = Batches.changesOfStates(rows);
        Tuple states = Batches.states(rows);
        return logs(
                changes.isEmpty()
                        ? writes.send(Sql.WRITE, states)
                        : writes.send(Sql.WRITE_REMINDING, Batches.addChanges(states, changes)));
    }

    @Override
    public Future<Set<Integer>> saveSnapshots(List<LogAppend<SnapshotRow>> snapshots) {
        return logs(writes.send(Sql.SAVE, Batches.snapshots(snapshots)));
    }

    @Override
    public Future<Boolean> delete(LogFence fence, StoredType type, String id, long through, boolean snapshotToo) {
        Fences fences = new Fences();
        fences.add(fence, 0);
        Tuple parameters = fences.tuple()
                .addInteger(type.number())
                .addString(id)
                .addLong(through)
                .addBoolean(snapshotToo)
                .addInteger(Sql.DELETED_AT_ONCE);
        Promise<Boolean> deleted = Promise.promise();
        delete(parameters, deleted);
        return deleted.future();
    }

    /** Not one future within the other: an entity may have millions of events. */
    private void delete(Tuple parameters, Promise<Boolean> deleted) {
        writes.send(Sql.DELETE, parameters).onComplete(answer -> {
            if (answer.failed()) {
                deleted.fail(answer.cause());
            } else if (answer.result().size() == 0) {
                deleted.complete(false);
            } else if (answer.result().iterator().next().getBoolean(1)) {
                delete(parameters, deleted);
            } else {
                deleted.complete(true);
            }
        });
    }

    private static Future<Set<Integer>> logs(Future<RowSet<Row>> answer) {
        return answer.map(rows -> {
            Set<Integer> logs = new HashSet<>();
            rows.forEach(row -> logs.add(row.getInteger(0)));
            return logs;
        });
    }

    @Override
    public Future<List<LoadedEntity>> load(StoredType type, List<String> ids, int limit) {
        return read(() -> store.loads(
                Sql.LOAD,
                Tuple.of(type.number(), ids.toArray(String[]::new), limit + 1, ReadBytes.LIMIT),
                rows -> Rows.loaded(rows, ids, limit)));
    }

    @Override
    public Future<List<EventRow>> loadEvents(StoredType type, String id, long after, int limit) {
        return read(() -> store.loads(
                Sql.LOAD_EVENTS,
                Tuple.of(type.number(), id, after, limit, ReadBytes.LIMIT),
                rows -> Rows.list(rows, Rows::event)));
    }

    @Override
    public Future<Map<String, StateRow>> loadStates(StoredType type, List<String> ids) {
        return read(() -> store.loads(
                Sql.LOAD_STATES, Tuple.of(type.number(), ids.toArray(String[]::new), ReadBytes.LIMIT), rows -> {
                    Map<String, StateRow> states = new HashMap<>();
                    rows.forEach(row -> states.put(row.getString(0), Rows.state(row)));
                    return states;
                }));
    }

    /** Brings the answer of the shared connection to the lane. */
    private <T> Future<T> read(Supplier<Future<T>> call) {
        Promise<T> promise = Promise.promise();
        call.get().onComplete(answer -> lane.runOnContext(ignored -> promise.handle(answer)));
        return promise.future();
    }

    @Override
    public Future<Void> close() {
        return writes.close();
    }
}
