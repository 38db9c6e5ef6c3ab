package accounts;

import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.ProjectionHandler;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The table in a file: an event that comes again, after a crash or a move, finds its row there. */
final class SqliteMovements implements Movements {
    private final WorkerExecutor worker;
    private final String url;
    /** Made and used by the worker. */
    private Connection connection;

    SqliteMovements(Vertx vertx, String file) {
        this.worker = vertx.createSharedWorkerExecutor("movements", 1);
        this.url = "jdbc:sqlite:" + file;
    }

    @Override
    public Future<?> open() {
        return worker.executeBlocking(() -> {
            connection = DriverManager.getConnection(url);
            try (var statement = connection.createStatement()) {
                // other processes write, too
                statement.execute("PRAGMA busy_timeout = 2500");
                return statement.execute(TABLE);
            }
        });
    }

    @Override
    public ProjectionHandler<AccountEvent> handler() {
        return ProjectionHandler.each(stored -> worker.executeBlocking(() -> write(stored)));
    }

    private int write(EventEnvelope<AccountEvent> stored) throws SQLException {
        if (stored.isDeletion()) {
            try (var remove = statement(REMOVE, stored.id(), stored.sequenceNumber())) {
                return remove.executeUpdate();
            }
        }
        Movement movement = Movement.of(stored);
        try (var add = statement(
                ADD, stored.id(), movement.sequence(), movement.kind(), movement.amount(), movement.account())) {
            return add.executeUpdate();
        }
    }

    @Override
    public Future<List<Movement>> of(String id) {
        return worker.executeBlocking(() -> {
            List<Movement> movements = new ArrayList<>();
            try (var of = statement(OF, id);
                    ResultSet row = of.executeQuery()) {
                while (row.next()) {
                    movements.add(new Movement(row.getLong(1), row.getString(2), row.getLong(3), row.getString(4)));
                }
            }
            return movements;
        });
    }

    private PreparedStatement statement(String sql, Object... values) throws SQLException {
        var statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
