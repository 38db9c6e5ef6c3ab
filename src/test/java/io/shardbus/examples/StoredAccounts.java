package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.examples.AccountTraffic.Outcome;
import io.shardbus.integration.Await;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.Fields;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.RowSet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.sqlite.SQLiteDataSource;

/** The events of examples/persistence as their tables hold them, in the order of each log. */
record StoredAccounts(List<Row> rows) {
    private static final String EVENTS =
            "SELECT log, position, id, seq, payload, meta FROM shardbus_event ORDER BY log, position";
    /** The fields of {@code meta}, as docs/internals/persistence.md says. */
    private static final int EXECUTED = 1;

    private static final int ANSWER = 4;
    /** The command may have run, as docs/reference/failure-codes.md says. */
    private static final Set<FailureCode> MAY_HAVE_RUN = Set.of(
            FailureCode.ENTITY_FAILED, FailureCode.TIMED_OUT, FailureCode.OUTCOME_UNKNOWN, FailureCode.INVALID_ANSWER);

    private static final Set<String> NOT_STORED = Arrays.stream(FailureCode.values())
            .filter(code -> !MAY_HAVE_RUN.contains(code))
            .map(Enum::name)
            .collect(Collectors.toUnmodifiableSet());

    /** An event with where it is, and the home that wrote it. */
    record Row(int log, long position, String id, long sequence, long amount, String node, FencingToken token) {
        static Row of(int log, long position, String id, long sequence, Buffer payload, Buffer meta) {
            var event = new JsonObject(payload);
            var writer = answerIn(meta);
            return new Row(
                    log,
                    position,
                    id,
                    sequence,
                    event.getLong("amount"),
                    writer.getString("node"),
                    tokenOf(writer.getJsonObject("token")));
        }
    }

    /** The answer to the command whose effect the event is. */
    private static JsonObject answerIn(Buffer meta) {
        List<FieldReader> executed = Fields.of(meta.getBytes()).list(EXECUTED, FieldReader::record);
        String answer = new String(Fields.of(executed.get(0)).bytes(ANSWER), StandardCharsets.UTF_8);
        return new JsonObject(answer.substring(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
    }

    private static FencingToken tokenOf(JsonObject token) {
        return new FencingToken(token.getLong("term"), token.getLong("incarnation"), token.getLong("sequence"));
    }

    static StoredAccounts read(Path sqlite) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + sqlite);
        List<Row> rows = new ArrayList<>();
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var events = statement.executeQuery(EVENTS)) {
            while (events.next()) {
                rows.add(Row.of(
                        events.getInt(1),
                        events.getLong(2),
                        events.getString(3),
                        events.getLong(4),
                        Buffer.buffer(events.getBytes(5)),
                        Buffer.buffer(events.getBytes(6))));
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return new StoredAccounts(rows);
    }

    static StoredAccounts read(Vertx vertx, String postgres) {
        List<Row> rows = new ArrayList<>();
        query(vertx, postgres, EVENTS)
                .forEach(event -> rows.add(Row.of(
                        event.getInteger(0),
                        event.getLong(1),
                        event.getString(2),
                        event.getLong(3),
                        event.getBuffer(4),
                        event.getBuffer(5))));
        return new StoredAccounts(rows);
    }

    private static RowSet<io.vertx.sqlclient.Row> query(Vertx vertx, String postgres, String statement) {
        return Await.result(PgConnection.connect(vertx, PgConnectOptions.fromUri(postgres))
                .compose(connection -> connection.query(statement).execute().eventually(connection::close)));
    }

    /** What is stored of each account. */
    Map<String, Long> balances() {
        return rows.stream().collect(Collectors.groupingBy(Row::id, Collectors.summingLong(Row::amount)));
    }

    /**
     * Each answered deposit is stored once, as the answer said; none that failed as not stored is there; numbers have
     * no gaps; and no home wrote behind a newer one.
     */
    void check(List<Outcome> outcomes) {
        List<String> wrong = new ArrayList<>();
        Map<Long, Row> byAmount = new HashMap<>();
        Map<String, Long> sequences = new HashMap<>();
        Map<Integer, Row> ends = new HashMap<>();
        for (Row row : rows) {
            if (byAmount.put(row.amount(), row) != null) {
                wrong.add("twice: " + row);
            }
            if (row.sequence() != sequences.merge(row.id(), 1L, Long::sum)) {
                wrong.add("not the next of its account: " + row);
            }
            Row before = ends.put(row.log(), row);
            if (row.position() != (before == null ? 1 : before.position() + 1)) {
                wrong.add("not the next of its log: " + row);
            }
            if (before != null && before.token().isNewerThan(row.token())) {
                wrong.add("after a newer home's " + before + ": " + row);
            }
            if (before != null
                    && before.token().equals(row.token())
                    && !before.node().equals(row.node())) {
                wrong.add("two homes with one token: " + before + ", " + row);
            }
        }
        for (Outcome outcome : outcomes) {
            Row row = byAmount.get(outcome.amount());
            if (outcome.isAnswered()
                    && (row == null
                            || !row.id().equals(outcome.account())
                            || row.sequence() != outcome.body().getLong("sequenceNumber"))) {
                wrong.add("answered, but stored as " + row + ": " + outcome);
            }
            if (row != null && NOT_STORED.contains(outcome.code())) {
                wrong.add("said not to be stored: " + outcome + ", but is: " + row);
            }
        }
        assertEquals(List.of(), wrong);
    }
}
