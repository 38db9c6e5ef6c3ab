package io.shardbus.store.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fence as plain SQL, on a real server: what the store relies on, and what would not do. */
class FencesInSqlIT {
    private static final long TERM = 7;
    private static Vertx vertx;
    private static PgConnection writer;
    private static PgConnection other;
    private static PgConnection observer;

    private final List<Integer> logs = new ArrayList<>();

    @BeforeAll
    static void connect() throws IOException {
        vertx = Vertx.vertx();
        String uri = TestPostgres.newDatabase(vertx);
        PgConnectOptions options = PgConnectOptions.fromUri(uri).addProperty("client_min_messages", "error");
        writer = Await.result(PgConnection.connect(vertx, options));
        other = Await.result(PgConnection.connect(vertx, options));
        observer = Await.result(PgConnection.connect(vertx, options));
        try (InputStream schema = Sql.class.getResourceAsStream("/io/shardbus/store/postgres-schema.sql")) {
            Await.result(writer.query(new String(schema.readAllBytes(), StandardCharsets.UTF_8))
                    .execute());
        }
    }

    @AfterAll
    static void close() {
        Await.result(vertx.close());
    }

    @AfterEach
    void endTransactions() {
        Await.result(writer.query("ROLLBACK").execute());
        Await.result(other.query("ROLLBACK").execute());
    }

    @BeforeEach
    void newLogs() {
        RowSet<Row> made = Await.result(writer.query("WITH t AS (INSERT INTO shardbus_type"
                        + " (name, model, layout, opened, shards, addressing)"
                        + " VALUES (gen_random_uuid()::text, 'e', 1, 1, 2, 'hash')"
                        + " RETURNING type) INSERT INTO shardbus_log"
                        + " (type, layout, shard, term, incarnation, sequence, opening, sealed)"
                        + " SELECT type, 1, s, 0, 0, 0, 0, false FROM t, generate_series(0, 1) AS s RETURNING log")
                .execute());
        made.forEach(row -> logs.add(row.getInteger(0)));
    }

    @Test
    void batchOfACurrentAndAStaleLogStoresTheCurrentOnesRows() {
        assertEquals(Map.of(0, 1L, 1, 1L), open(writer, TERM, 0, 1));
        assertEquals(Map.of(1, 2L), open(other, TERM + 1, 1));

        List<Integer> stored = append(writer, TERM, Map.of(0, 0L, 1, 0L), 1);

        assertEquals(List.of(0), stored);
        assertEquals(List.of(1L, 0L), ends(writer));
    }

    @Test
    void openingIsPartOfTheFence() {
        open(writer, TERM, 0);
        open(other, TERM, 0);

        assertEquals(List.of(), append(writer, TERM, Map.of(0, 0L), 1), "an opening before the last");
        assertEquals(List.of(0), append(writer, TERM, Map.of(0, 0L), 2));
    }

    @Test
    void olderTokenOpensNothing() {
        open(writer, TERM, 0);

        assertEquals(Map.of(), open(other, TERM - 1, 0));
        assertEquals(Map.of(0, 2L), open(other, TERM, 0), "the same token opens again");
    }

    @Test
    void sealedLogTakesNothing() {
        open(writer, TERM, 0);
        Await.result(other.preparedQuery("UPDATE shardbus_log SET sealed = true WHERE log = $1")
                .execute(Tuple.of(logs.get(0))));

        assertEquals(List.of(), append(writer, TERM, Map.of(0, 0L), 1));
        assertEquals(Map.of(), open(other, TERM + 1, 0));
    }

    @Test
    void batchBehindARefusedOneIsRefused() {
        open(writer, TERM, 0);

        Future<List<Integer>> first = send(writer, Sql.APPEND, TERM, Map.of(0, 5L), 1);
        Future<List<Integer>> second = send(writer, Sql.APPEND, TERM, Map.of(0, 6L), 1);

        assertEquals(List.of(), Await.result(first), "the end is not there");
        assertEquals(List.of(), Await.result(second));
    }

    @Test
    void pipelinedBatchesFollowEachOther() {
        open(writer, TERM, 0);

        Future<List<Integer>> first = send(writer, Sql.APPEND, TERM, Map.of(0, 0L), 1);
        Future<List<Integer>> second = send(writer, Sql.APPEND, TERM, Map.of(0, 1L), 1);

        assertEquals(List.of(0), Await.result(first));
        assertEquals(List.of(0), Await.result(second));
    }

    @Test
    void appendThatWaitsForARaiseStoresNothingAfterIt() {
        open(writer, TERM, 0);
        begin(other);
        open(other, TERM + 1, 0);
        Future<List<Integer>> waiting = send(writer, Sql.APPEND, TERM, Map.of(0, 0L), 1);
        awaitBlocked(writer);
        commit(other);

        assertEquals(List.of(), Await.result(waiting));
        assertEquals(0L, ends(writer).get(0));
    }

    @Test
    void appendThatWaitsForARaiseThatIsTakenBackIsStored() {
        open(writer, TERM, 0);
        begin(other);
        open(other, TERM + 1, 0);
        Future<List<Integer>> waiting = send(writer, Sql.APPEND, TERM, Map.of(0, 0L), 1);
        awaitBlocked(writer);
        Await.result(other.query("ROLLBACK").execute());

        assertEquals(List.of(0), Await.result(waiting));
    }

    @Test
    void raiseWaitsForAnAppendAndTheEndIsReadAfterIt() {
        open(writer, TERM, 0);
        begin(writer);
        append(writer, TERM, Map.of(0, 0L), 1);
        Future<Map<Integer, Long>> raise = sendOpen(other, TERM + 1, 0);
        Future<List<Long>> end = sendEnds(other);
        awaitBlocked(other);
        commit(writer);

        assertEquals(Map.of(0, 2L), Await.result(raise));
        assertEquals(1L, Await.result(end).get(0));
    }

    @Test
    void endReadInTheRaisingStatementIsStale() {
        open(writer, TERM, 0);
        begin(writer);
        append(writer, TERM, Map.of(0, 0L), 1);
        String together = Sql.OPEN
                + ", (SELECT e.position FROM shardbus_event e WHERE e.log = l.log ORDER BY e.position DESC LIMIT 1)";
        Future<RowSet<Row>> raise = other.preparedQuery(together).execute(tokens(TERM + 1, 0));
        awaitBlocked(other);
        commit(writer);

        assertEquals(null, Await.result(raise).iterator().next().getLong(2), "hence a second statement");
    }

    @Test
    void olderRaiseThatWaitsForANewerOneIsRefused() {
        begin(writer);
        open(writer, TERM + 1, 0);
        Future<Map<Integer, Long>> raise = sendOpen(other, TERM, 0);
        awaitBlocked(other);
        commit(writer);

        assertEquals(Map.of(), Await.result(raise));
    }

    @Test
    void newerRaiseThatWaitsForAnOlderOneCountsBoth() {
        begin(writer);
        open(writer, TERM, 0, 1);
        Future<Map<Integer, Long>> raise = sendOpen(other, TERM + 1, 1, 0);
        awaitBlocked(other);
        commit(writer);

        assertEquals(Map.of(0, 2L, 1, 2L), Await.result(raise));
    }

    @Test
    void sharedKeyLockWouldNotHoldTheRaiseUp() {
        open(writer, TERM, 0);
        begin(writer);
        Future<List<Integer>> stored =
                send(writer, Sql.APPEND.replace("FOR NO KEY UPDATE", "FOR KEY SHARE"), TERM, Map.of(0, 0L), 1);
        assertEquals(List.of(0), Await.result(stored));

        assertEquals(Map.of(0, 2L), open(other, TERM + 1, 0), "it did not wait");
        assertEquals(0L, ends(other).get(0), "the new home read the end before the old one's commit");
        commit(writer);
        assertEquals(1L, ends(other).get(0), "an event behind the new home's back");
    }

    @Test
    void appendBehindAnUncommittedOneOfAnotherConnectionIsRefused() {
        open(writer, TERM, 0);
        begin(writer);
        append(writer, TERM, Map.of(0, 0L), 1);

        assertEquals(List.of(), append(other, TERM, Map.of(0, 1L), 1), "the end is not yet there");
        commit(writer);
        assertEquals(List.of(0), append(other, TERM, Map.of(0, 1L), 1));
    }

    @Test
    void appendToTheSameEndWaitsAndFails() {
        open(writer, TERM, 0);
        begin(writer);
        append(writer, TERM, Map.of(0, 0L), 1);
        Future<RowSet<Row>> next =
                other.preparedQuery(Sql.APPEND).execute(batch(TERM, Map.of(0, 0L), 1, position -> position + 1));
        awaitBlocked(other);
        commit(writer);

        assertTrue(failure(next).getMessage().contains("shardbus_event_log"));
    }

    @Test
    void duplicateKeyFailsTheWholeStatement() {
        open(writer, TERM, 0, 1);
        append(writer, TERM, Map.of(0, 0L), 1);
        Tuple batch = batch(TERM, Map.of(0, 1L, 1, 0L), 1, position -> 1L);

        Throwable failure = failure(writer.preparedQuery(Sql.APPEND).execute(batch));

        assertTrue(failure.getMessage().contains("shardbus_event_pkey"), failure::toString);
        assertEquals(List.of(1L, 0L), ends(writer));
    }

    @Test
    void lockOfAnAppendLeavesNoVersionOfTheRow() {
        open(writer, TERM, 0);
        String version = "SELECT ctid::text FROM shardbus_log WHERE log = $1";
        String before = text(version);
        for (long tail = 0; tail < 5; tail++) {
            assertEquals(List.of(0), append(writer, TERM, Map.of(0, tail), 1));
        }

        assertEquals(before, text(version));
        open(writer, TERM, 0);
        assertFalse(before.equals(text(version)), "a raise does");
    }

    @Test
    void logsThatAreOpenedAndAppendedInOtherOrdersDoNotDeadlock() {
        open(writer, TERM, 0, 1);
        for (int round = 0; round < 50; round++) {
            Future<List<Integer>> stored = send(writer, Sql.APPEND, TERM, Map.of(0, (long) round, 1, (long) round), 1);
            Future<Map<Integer, Long>> refused = sendOpen(other, TERM - 1, 1, 0);

            assertEquals(List.of(0, 1), Await.result(stored));
            assertEquals(Map.of(), Await.result(refused));
        }
    }

    /** The planner may compare the ends of all logs of the table, which costs more with each shard of each type. */
    @Test
    void anAppendLooksForTheEndsOfItsOwnLogsOnly() {
        Await.result(writer.preparedQuery("INSERT INTO shardbus_log"
                        + " (type, layout, shard, term, incarnation, sequence, opening, sealed)"
                        + " SELECT type, 1, s, 0, 0, 0, 0, false FROM shardbus_log, generate_series(2, 200) AS s"
                        + " WHERE log = $1")
                .execute(Tuple.of(logs.get(0))));
        open(writer, TERM, 0);

        // the plan that a connection keeps for all appends
        Await.result(writer.query("SET plan_cache_mode = force_generic_plan").execute());
        Await.result(writer.query("PREPARE append AS " + Sql.APPEND).execute());
        int log = logs.get(0);
        List<String> plan = new ArrayList<>();
        Await.result(writer.query("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE append(ARRAY[" + log + "], ARRAY["
                                + TERM + "], ARRAY[1], ARRAY[1], ARRAY[1], ARRAY[0], ARRAY[" + log
                                + "], ARRAY['e'], ARRAY[1], ARRAY[1], ARRAY['added'], ARRAY[1], ARRAY[1],"
                                + " ARRAY[''::bytea], ARRAY[NULL::bytea], ARRAY[NULL::text])")
                        .execute())
                .forEach(row -> plan.add(row.getString(0)));
        Await.result(writer.query("DEALLOCATE append").execute());
        Await.result(writer.query("RESET plan_cache_mode").execute());

        assertEquals(List.of(1L, 0L), ends(writer), () -> String.join("\n", plan));
        List<String> searches =
                plan.stream().filter(line -> line.contains("shardbus_event e")).toList();
        assertEquals(1, searches.size(), () -> String.join("\n", plan));
        assertTrue(searches.get(0).contains("loops=1)"), () -> String.join("\n", plan));
    }

    private static Throwable failure(Future<?> future) {
        return Await.result(future.<Throwable>map(rows -> new AssertionError("it succeeded"))
                .recover(Future::succeededFuture));
    }

    private String text(String query) {
        return Await.result(observer.preparedQuery(query).execute(Tuple.of(logs.get(0))))
                .iterator()
                .next()
                .getString(0);
    }

    private Map<Integer, Long> open(PgConnection connection, long term, Integer... places) {
        return Await.result(sendOpen(connection, term, places));
    }

    /** Opening by place of the log. */
    private Future<Map<Integer, Long>> sendOpen(PgConnection connection, long term, Integer... places) {
        return connection.preparedQuery(Sql.OPEN).execute(tokens(term, places)).map(rows -> {
            Map<Integer, Long> openings = new TreeMap<>();
            rows.forEach(row -> openings.put(logs.indexOf(row.getInteger(0)), row.getLong(1)));
            return openings;
        });
    }

    private Tuple tokens(long term, Integer... places) {
        Integer[] opened = Arrays.stream(places).map(logs::get).toArray(Integer[]::new);
        return Tuple.of(opened, longs(places.length, term), longs(places.length, 1), longs(places.length, 1));
    }

    private List<Long> ends(PgConnection connection) {
        return Await.result(sendEnds(connection));
    }

    private Future<List<Long>> sendEnds(PgConnection connection) {
        return connection
                .preparedQuery(Sql.ENDS)
                .execute(Tuple.of(logs.toArray(Integer[]::new)))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .sorted((one, another) -> one.getInteger(0) - another.getInteger(0))
                        .map(row -> row.getLong(1) == null ? 0L : row.getLong(1))
                        .toList());
    }

    private List<Integer> append(PgConnection connection, long term, Map<Integer, Long> tails, long opening) {
        return Await.result(send(connection, Sql.APPEND, term, tails, opening));
    }

    /** One event for each log; completes with the places of the logs that were stored. */
    private Future<List<Integer>> send(
            PgConnection connection, String statement, long term, Map<Integer, Long> tails, long opening) {
        return connection
                .preparedQuery(statement)
                .execute(batch(term, tails, opening, position -> position))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> logs.indexOf(row.getInteger(0)))
                        .sorted()
                        .toList());
    }

    private Tuple batch(long term, Map<Integer, Long> tails, long opening, Function<Long, Long> sequence) {
        List<Integer> places = tails.keySet().stream().sorted().toList();
        int size = places.size();
        Integer[] numbers = places.stream().map(logs::get).toArray(Integer[]::new);
        Long[] ends = places.stream().map(tails::get).toArray(Long[]::new);
        Long[] positions = Arrays.stream(ends).map(end -> end + 1).toArray(Long[]::new);
        return Tuple.of(numbers, longs(size, term), longs(size, 1), longs(size, 1), longs(size, opening))
                .addArrayOfLong(ends)
                .addArrayOfInteger(numbers)
                .addArrayOfString(
                        places.stream().map(place -> "entity-" + place).toArray(String[]::new))
                .addArrayOfLong(Arrays.stream(positions).map(sequence).toArray(Long[]::new))
                .addArrayOfLong(positions)
                .addArrayOfString(all(size, "added").toArray(String[]::new))
                .addArrayOfInteger(all(size, 1).toArray(Integer[]::new))
                .addArrayOfInteger(all(size, 1).toArray(Integer[]::new))
                .addArrayOfBuffer(all(size, Buffer.buffer("1")).toArray(Buffer[]::new))
                .addArrayOfBuffer(new Buffer[size])
                .addArrayOfString(new String[size]);
    }

    private static Long[] longs(int size, long value) {
        return all(size, value).toArray(Long[]::new);
    }

    private static <T> List<T> all(int size, T value) {
        return IntStream.range(0, size).mapToObj(place -> value).toList();
    }

    private static void begin(PgConnection connection) {
        Await.result(connection.query("BEGIN").execute());
    }

    private static void commit(PgConnection connection) {
        Await.result(connection.query("COMMIT").execute());
    }

    /** The connection's statement waits for a lock. */
    private static void awaitBlocked(PgConnection connection) {
        Await.until(
                () -> "not blocked",
                () -> Await.result(observer.preparedQuery("SELECT cardinality(pg_blocking_pids($1))")
                                        .execute(Tuple.of(connection.processId())))
                                .iterator()
                                .next()
                                .getInteger(0)
                        > 0);
    }
}
