package accounts;

import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.ProjectionHandler;
import io.shardbus.store.postgres.PostgresHandler;
import io.shardbus.store.postgres.PostgresStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/** The table in PostgreSQL: each event is written once, together with the offset of the projection. */
final class PostgresMovements implements Movements {
    private final PostgresStore store;
    private final Pool pool;

    PostgresMovements(Vertx vertx, PostgresStore store, String uri) {
        this.store = store;
        this.pool = PgBuilder.pool().using(vertx).connectingTo(uri).build();
    }

    @Override
    public Future<?> open() {
        // where two nodes make the table at the same moment, one of them fails
        return pool.query(TABLE).execute().recover(failure -> pool.query(TABLE).execute());
    }

    @Override
    public ProjectionHandler<AccountEvent> handler() {
        return PostgresHandler.each(store, PostgresMovements::write);
    }

    private static Future<?> write(EventEnvelope<AccountEvent> stored, SqlConnection sql) {
        if (stored.isDeletion()) {
            return sql.preparedQuery(REMOVE).execute(Tuple.of(stored.id(), stored.sequenceNumber()));
        }
        Movement movement = Movement.of(stored);
        return sql.preparedQuery(ADD)
                .execute(Tuple.of(
                        stored.id(), movement.sequence(), movement.kind(), movement.amount(), movement.account()));
    }

    @Override
    public Future<List<Movement>> of(String id) {
        return pool.preparedQuery(OF).execute(Tuple.of(id)).map(rows -> {
            List<Movement> movements = new ArrayList<>();
            rows.forEach(row ->
                    movements.add(new Movement(row.getLong(0), row.getString(1), row.getLong(2), row.getString(3))));
            return movements;
        });
    }
}
