package accounts;

import accounts.Movements.Movement;
import io.shardbus.ClusterSharding;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.projection.Projection;
import io.shardbus.projection.Projections;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** What happened to each account: a view that a projection of the events makes. */
final class Statements {
    private static final int WORKERS = 4;
    private static final long POLL_MS = 50;

    private final Movements movements;

    Statements(Movements movements) {
        this.movements = movements;
    }

    /** On each node. */
    Future<ShardedDaemonProcess> start(Vertx vertx, ClusterSharding sharding, PersistenceStore store) {
        return Projections.create(vertx, sharding, store)
                .start(Projection.of("statements", Accounts.ACCOUNTS, movements.handler())
                        .withWorkers(WORKERS)
                        .withPollInterval(POLL_MS));
    }

    Future<JsonObject> of(String id) {
        return movements.of(id).map(found -> new JsonObject().put("id", id).put("movements", listed(found)));
    }

    private static JsonArray listed(List<Movement> movements) {
        var list = new JsonArray();
        long balance = 0;
        for (Movement movement : movements) {
            balance += movement.amount();
            var shown = new JsonObject()
                    .put("sequenceNumber", movement.sequence())
                    .put("kind", movement.kind())
                    .put("amount", movement.amount())
                    .put("balance", balance);
            if (movement.account() != null) {
                shown.put("account", movement.account());
            }
            list.add(shown);
        }
        return list;
    }
}
