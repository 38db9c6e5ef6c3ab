package benchmark;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** The floor in SQLite, by JDBC with WAL and synchronous=FULL: one thread, as the file has one writer. */
final class SqliteFloor implements Floor {
    private static final int BUSY_MS = 5000;
    private static final String OF_TYPE = " WHERE type = (SELECT type FROM shardbus_type WHERE name = ?)";
    private static final String COLUMNS =
            "SELECT id, seq, position, name, version, format, payload, meta, tags FROM shardbus_event";

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private final byte[] payload = new byte[StoredCounter.EVENT_BYTES];
    private final Connection connection;
    private long written;

    private SqliteFloor(Connection connection) {
        this.connection = connection;
    }

    /** @param file of a store that was started, whose table of events is copied */
    static SqliteFloor open(Path file) throws SQLException {
        var config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(BUSY_MS);
        var source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        var connection = source.getConnection();
        try (var statement = connection.createStatement()) {
            String table;
            try (var made = statement.executeQuery(
                    "SELECT sql FROM sqlite_schema WHERE name = 'shardbus_event' AND type = 'table'")) {
                table = made.getString(1);
            }
            statement.execute(table.replace("shardbus_event", "floor_event"));
            statement.execute("CREATE UNIQUE INDEX floor_event_log ON floor_event (log, position)");
        }
        connection.setAutoCommit(false);
        return new SqliteFloor(connection);
    }

    private <T> Future<T> call(Callable<T> work) {
        Promise<T> promise = Promise.promise();
        thread.execute(() -> {
            try {
                promise.complete(work.call());
            } catch (Exception e) {
                promise.fail(e);
            }
        });
        return promise.future();
    }

    private PreparedStatement statement(String sql) throws SQLException {
        var known = statements.get(sql);
        if (known == null) {
            known = connection.prepareStatement(sql);
            statements.put(sql, known);
        }
        return known;
    }

    @Override
    public int chains() {
        return 1;
    }

    @Override
    public Future<?> insert(int chain, int rows) {
        return call(() -> {
            var insert = statement("INSERT INTO floor_event (type, id, seq, log, position, written, name, version,"
                    + " format, payload) VALUES (1, ?, ?, 1, ?, ?, 'added', 1, 2, ?)");
            for (int i = 0; i < rows; i++) {
                written++;
                insert.setString(1, "floor-" + i);
                insert.setLong(2, written);
                insert.setLong(3, written);
                insert.setLong(4, System.currentTimeMillis());
                insert.setBytes(5, payload);
                insert.executeUpdate();
            }
            connection.commit();
            return null;
        });
    }

    @Override
    public Future<?> load(int chain, String type, List<String> ids, boolean snapshots) {
        var list = " AND id IN (" + String.join(",", Collections.nCopies(ids.size(), "?")) + ")";
        var sql = snapshots
                ? "SELECT id, seq, version, format, payload, '' FROM shardbus_snapshot" + OF_TYPE + list
                : COLUMNS + OF_TYPE + list + " ORDER BY id, seq";
        var parameters = new ArrayList<Object>(ids);
        parameters.add(0, type);
        return read(sql, parameters, 2, snapshots ? 5 : 7);
    }

    @Override
    public Future<Long> page(String type, String id, long after) {
        return read(
                COLUMNS + OF_TYPE + " AND id = ? AND seq > ? ORDER BY seq LIMIT 1000", List.of(type, id, after), 2, 7);
    }

    @Override
    public Future<List<Integer>> logs(String type) {
        return call(() -> {
            var select = statement("SELECT log FROM shardbus_log" + OF_TYPE);
            select.setString(1, type);
            var logs = new ArrayList<Integer>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    logs.add(rows.getInt(1));
                }
            }
            connection.commit();
            return logs;
        });
    }

    @Override
    public Future<Long> project(int chain, int log, long after, boolean writes) {
        return read(
                COLUMNS + " WHERE log = ? AND position > ? ORDER BY position LIMIT " + PAGE, List.of(log, after), 3, 7);
    }

    /** The last value of a column; each row's payload is read. */
    private Future<Long> read(String sql, List<?> parameters, int number, int bytes) {
        return call(() -> {
            var select = statement(sql);
            for (int i = 0; i < parameters.size(); i++) {
                select.setObject(i + 1, parameters.get(i));
            }
            long last = 0;
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    rows.getString(1);
                    rows.getBytes(bytes);
                    last = rows.getLong(number);
                }
            }
            connection.commit();
            return last;
        });
    }

    @Override
    public void close() {
        call(() -> {
                    connection.close();
                    return null;
                })
                .await();
        thread.shutdown();
    }
}
