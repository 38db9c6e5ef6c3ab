package accounts;

import accounts.AccountEvent.Transferred;
import accounts.AccountMessage.Receive;
import io.shardbus.ClusterSharding;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.delivery.Delivery;
import io.shardbus.delivery.EntityCommand;
import io.shardbus.delivery.Reaction;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.Projection;
import io.shardbus.projection.Projections;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/** Delivers what has left an account to the other one. It takes effect there once, however often nodes die. */
final class Transfers {
    private static final int WORKERS = 4;
    private static final long POLL_MS = 50;

    private Transfers() {}

    /** On each node. */
    static Future<ShardedDaemonProcess> start(Vertx vertx, ClusterSharding sharding, PersistenceStore store) {
        // money that an account cannot take now is kept, and sent again
        Reaction<AccountEvent> reaction =
                Delivery.create(vertx, sharding).reaction(Transfers::follows).holdingRefused();
        return Projections.create(vertx, sharding, store)
                .start(Projection.of("transfers", Accounts.ACCOUNTS, reaction)
                        .withWorkers(WORKERS)
                        .withPollInterval(POLL_MS));
    }

    private static List<EntityCommand<AccountMessage>> follows(EventEnvelope<AccountEvent> stored) {
        return stored.event() instanceof Transferred transfer
                ? List.of(EntityCommand.once(Accounts.TYPE, transfer.to(), new Receive(stored.id(), transfer.amount())))
                : List.of();
    }
}
