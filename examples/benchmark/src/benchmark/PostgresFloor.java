package benchmark;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;

/**
 * The floor in PostgreSQL, by vertx-pg-client with prepared statements: as many connections as the region has lanes,
 * each on an event loop of its own, with two statements under way as a lane has.
 */
final class PostgresFloor implements Floor {
    static final int PIPELINED = 2;

    private static final String TABLES = """
            CREATE TABLE floor_event (LIKE shardbus_event INCLUDING ALL);
            CREATE TABLE floor_view (log int, position bigint, id text, amount bigint);
            CREATE TABLE floor_offset (log int PRIMARY KEY, position bigint)""";
    private static final String INSERT = """
            INSERT INTO floor_event (type, id, seq, log, position, name, version, format, payload)
            SELECT 1, e.id, e.seq, $1, e.seq, 'added', 1, 2, e.payload
            FROM unnest($2::text[], $3::bigint[], $4::bytea[]) AS e(id, seq, payload)
            RETURNING log, position""";
    private static final String OF_TYPE = " WHERE type = (SELECT type FROM shardbus_type WHERE name = $1)";
    private static final String COLUMNS =
            "SELECT id, seq, position, name, version, format::int, payload, meta, tags FROM shardbus_event";
    private static final String LOAD = COLUMNS + OF_TYPE + " AND id = ANY($2) ORDER BY id, seq";
    private static final String SNAPSHOTS =
            "SELECT id, seq, version, format::int, payload FROM shardbus_snapshot" + OF_TYPE + " AND id = ANY($2)";
    private static final String NEXT = COLUMNS + OF_TYPE + " AND id = $2 AND seq > $3 ORDER BY seq LIMIT 1000";
    private static final String LOG =
            COLUMNS + " WHERE log = $1 AND position > $2 ORDER BY position LIMIT " + Floor.PAGE;
    /** One statement, so one transaction: calls of several chains share a connection. */
    private static final String VIEW = """
            WITH written AS (
              INSERT INTO floor_view SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::bigint[]))
            INSERT INTO floor_offset VALUES ($1, $5)
            ON CONFLICT (log) DO UPDATE SET position = excluded.position""";

    private final List<PgConnection> connections;
    private final long[] written;
    private final Buffer payload = Buffer.buffer(new byte[StoredCounter.EVENT_BYTES]);

    private PostgresFloor(List<PgConnection> connections) {
        this.connections = connections;
        this.written = new long[connections.size() * PIPELINED];
    }

    /** @param uri of a database that has the tables of the store */
    static PostgresFloor open(Vertx vertx, String uri, int connections) throws Exception {
        var options = PgConnectOptions.fromUri(uri)
                .setCachePreparedStatements(true)
                .setPipeliningLimit(PIPELINED)
                .addProperty("plan_cache_mode", "force_generic_plan")
                .addProperty("jit", "off");
        var made = new CopyOnWriteArrayList<PgConnection>();
        for (int i = 0; i < connections; i++) {
            await(vertx.deployVerticle(new VerticleBase() {
                @Override
                public Future<?> start() {
                    return PgConnection.connect(vertx, options).onSuccess(made::add);
                }
            }));
        }
        await(made.get(0).query(TABLES).execute());
        return new PostgresFloor(made);
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(1, TimeUnit.MINUTES);
    }

    private PgConnection connection(int chain) {
        return connections.get(chain % connections.size());
    }

    @Override
    public int chains() {
        return connections.size() * PIPELINED;
    }

    @Override
    public Future<?> insert(int chain, int rows) {
        var ids = new String[rows];
        var numbers = new Long[rows];
        var payloads = new Buffer[rows];
        Arrays.fill(payloads, payload);
        long number = written[chain];
        written[chain] += rows;
        for (int i = 0; i < rows; i++) {
            ids[i] = "floor-" + chain + "-" + i;
            numbers[i] = number + i + 1;
        }
        var parameters = Tuple.tuple()
                .addInteger(chain)
                .addArrayOfString(ids)
                .addArrayOfLong(numbers)
                .addArrayOfBuffer(payloads);
        return connection(chain).preparedQuery(INSERT).execute(parameters);
    }

    @Override
    public Future<?> load(int chain, String type, List<String> ids, boolean snapshots) {
        return connection(chain)
                .preparedQuery(snapshots ? SNAPSHOTS : LOAD)
                .execute(Tuple.of(type, (Object) ids.toArray(new String[0])))
                .map(PostgresFloor::last);
    }

    @Override
    public Future<Long> page(String type, String id, long after) {
        return connection(0)
                .preparedQuery(NEXT)
                .execute(Tuple.of(type, id, after))
                .map(PostgresFloor::last);
    }

    @Override
    public Future<List<Integer>> logs(String type) {
        return connection(0)
                .preparedQuery("SELECT log FROM shardbus_log" + OF_TYPE)
                .execute(Tuple.of(type))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> row.getInteger(0))
                        .toList());
    }

    @Override
    public Future<Long> project(int chain, int log, long after, boolean writes) {
        var connection = connection(chain);
        return connection
                .preparedQuery(LOG)
                .execute(Tuple.of(log, after))
                .compose(rows -> writes && rows.size() > 0
                        ? view(connection, log, rows)
                        : Future.succeededFuture(position(rows)));
    }

    private static Future<Long> view(SqlConnection connection, int log, RowSet<Row> rows) {
        var positions = new ArrayList<Long>();
        var ids = new ArrayList<String>();
        var amounts = new ArrayList<Long>();
        rows.forEach(row -> {
            positions.add(row.getLong(2));
            ids.add(row.getString(0));
            amounts.add(row.getBuffer(6).getLong(0));
        });
        var parameters = Tuple.tuple()
                .addInteger(log)
                .addArrayOfLong(positions.toArray(new Long[0]))
                .addArrayOfString(ids.toArray(new String[0]))
                .addArrayOfLong(amounts.toArray(new Long[0]));
        long last = position(rows);
        parameters.addLong(last);
        return connection.preparedQuery(VIEW).execute(parameters).map(last);
    }

    private static long position(RowSet<Row> rows) {
        long position = 0;
        for (Row row : rows) {
            position = row.getLong(2);
        }
        return position;
    }

    /** Looks at the number of each row, as a reader does. */
    private static long last(RowSet<Row> rows) {
        long number = 0;
        for (Row row : rows) {
            number = row.getLong(1);
        }
        return number;
    }

    @Override
    public void close() {
        connections.forEach(connection -> connection.close().await());
    }
}
