package io.shardbus.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * What the fence of an append costs: the statement of the store beside an insert of the same rows that looks at no log,
 * in turn on one connection, each with its commit. Prints medians of the time and of the bytes that the server writes
 * ahead (WAL) for a statement.
 */
public final class FenceCostMain {
    private static final int LOGS = 16;
    private static final int STATEMENTS = 200;
    private static final Buffer PAYLOAD = Buffer.buffer(new byte[200]);
    private static final String PLAIN = """
            INSERT INTO shardbus_event (type, id, seq, log, position, name, version, format, payload, meta, tags)
            SELECT 1, e.id, e.seq, e.log, e.position, e.name, e.version, e.format, e.payload, e.meta,
                string_to_array(e.tags, chr(31))
            FROM unnest($1::int[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::int[], $7::int[],
                $8::bytea[], $9::bytea[], $10::text[])
                AS e(log, id, seq, position, name, version, format, payload, meta, tags)
            RETURNING log""";

    private final PgConnection connection;
    private final long[] ends = new long[LOGS + 1];
    private long sequence;

    private FenceCostMain(PgConnection connection) {
        this.connection = connection;
    }

    /** @param arguments number of rounds; 20 if not given */
    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length == 0 ? 20 : Integer.parseInt(arguments[0]);
        Vertx vertx = Vertx.vertx();
        // a checkpoint in a round would write whole pages ahead, and a vacuum changes of its own
        try (PostgresServer server =
                PostgresServer.start("checkpoint_timeout=1h", "max_wal_size=8GB", "autovacuum=off")) {
            PgConnectOptions options = PgConnectOptions.fromUri(server.uri())
                    .setCachePreparedStatements(true)
                    .addProperty("client_min_messages", "error")
                    .addProperty("plan_cache_mode", "force_generic_plan")
                    .addProperty("jit", "off");
            PgConnection connection = await(PgConnection.connect(vertx, options));
            await(connection.query(PostgresSchema.statements(1)).execute());
            await(connection
                    .query("INSERT INTO shardbus_log (type, layout, shard, term, incarnation, sequence, opening,"
                            + " sealed) SELECT 1, 1, n, 7, 1, n, 1, false FROM generate_series(1, " + LOGS + ") n")
                    .execute());
            for (int[] shape : new int[][] {{1, 1}, {1, 16}, {1, 500}, {16, 256}}) {
                new FenceCostMain(connection).measure(shape[0], shape[1], rounds);
            }
            await(connection.close());
        } finally {
            vertx.close().await();
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(1, TimeUnit.MINUTES);
    }

    private record Cost(double micros, double walBytes) {}

    private void measure(int logs, int rows, int rounds) throws Exception {
        await(connection.query("TRUNCATE shardbus_event").execute());
        Arrays.fill(ends, 0);
        List<Cost> plain = new ArrayList<>();
        List<Cost> fenced = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            Cost first = statements(logs, rows, false);
            Cost second = statements(logs, rows, true);
            if (round > 0) {
                plain.add(first);
                fenced.add(second);
            }
        }
        double time = median(plain.stream().map(Cost::micros).toList());
        double more = median(fenced.stream().map(Cost::micros).toList()) / time - 1;
        double wal = median(plain.stream().map(Cost::walBytes).toList());
        double moreWal = median(fenced.stream().map(Cost::walBytes).toList()) - wal;
        System.out.printf(
                Locale.ROOT,
                "fence logs=%d rows=%d plain_us=%.0f more_time=%.3f plain_wal_bytes=%.0f more_wal_bytes_per_log=%.0f%n",
                logs,
                rows,
                time,
                more,
                wal,
                moreWal / logs);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private Cost statements(int logs, int rows, boolean fenced) throws Exception {
        double[] micros = new double[STATEMENTS];
        long wal = wal();
        for (int i = 0; i < STATEMENTS; i++) {
            Tuple parameters = fenced ? fence(logs) : Tuple.tuple();
            rows(logs, rows, parameters);
            long from = System.nanoTime();
            RowSet<Row> stored =
                    await(connection.preparedQuery(fenced ? Sql.APPEND : PLAIN).execute(parameters));
            micros[i] = (System.nanoTime() - from) / 1_000.0;
            int expected = fenced ? logs : rows;
            if (stored.size() != expected) {
                throw new IllegalStateException("stored " + stored.size() + " of " + expected);
            }
        }
        long bytes = wal() - wal;
        Arrays.sort(micros);
        return new Cost(micros[STATEMENTS / 2], (double) bytes / STATEMENTS);
    }

    private long wal() throws Exception {
        return await(connection
                        .query("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint")
                        .execute())
                .iterator()
                .next()
                .getLong(0);
    }

    private Tuple fence(int logs) {
        return Tuple.tuple()
                .addArrayOfInteger(logs(logs))
                .addArrayOfLong(all(logs, 7))
                .addArrayOfLong(all(logs, 1))
                .addArrayOfLong(
                        IntStream.rangeClosed(1, logs).mapToObj(Long::valueOf).toArray(Long[]::new))
                .addArrayOfLong(all(logs, 1))
                .addArrayOfLong(IntStream.rangeClosed(1, logs)
                        .mapToObj(log -> ends[log])
                        .toArray(Long[]::new));
    }

    private static Integer[] logs(int logs) {
        return IntStream.rangeClosed(1, logs).boxed().toArray(Integer[]::new);
    }

    private static Long[] all(int count, long value) {
        Long[] values = new Long[count];
        Arrays.fill(values, value);
        return values;
    }

    private void rows(int logs, int rows, Tuple parameters) {
        Integer[] log = new Integer[rows];
        String[] ids = new String[rows];
        Long[] seqs = new Long[rows];
        Long[] positions = new Long[rows];
        Integer[] ones = new Integer[rows];
        String[] names = new String[rows];
        Buffer[] payloads = new Buffer[rows];
        sequence++;
        for (int i = 0; i < rows; i++) {
            int of = i % logs + 1;
            log[i] = of;
            ids[i] = "e-" + i;
            seqs[i] = sequence;
            positions[i] = ++ends[of];
            ones[i] = 1;
            names[i] = "added";
            payloads[i] = PAYLOAD;
        }
        parameters
                .addArrayOfInteger(log)
                .addArrayOfString(ids)
                .addArrayOfLong(seqs)
                .addArrayOfLong(positions)
                .addArrayOfString(names)
                .addArrayOfInteger(ones)
                .addArrayOfInteger(ones)
                .addArrayOfBuffer(payloads)
                .addArrayOfBuffer(new Buffer[rows])
                .addArrayOfString(new String[rows]);
    }
}
