package accounts;

import common.NodeSettings;
import common.StoreSettings;
import common.Web;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.admin.AdminRouter;
import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.options.GracefulShutdownOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.store.postgres.PostgresStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.util.function.Function;

/** One node of the cluster of accounts: {@code AccountsNode N}. */
public final class AccountsNode {
    private static final NodeSettings.Ports PORTS = new NodeSettings.Ports(7500, 7400, 8180);

    private final NodeSettings settings;
    private final StoreSettings store;
    private final GracefulShutdown shutdown;

    private AccountsNode(NodeSettings settings, StoreSettings store, GracefulShutdown shutdown) {
        this.settings = settings;
        this.store = store;
        this.shutdown = shutdown;
    }

    public static void main(String[] arguments) {
        try {
            var settings =
                    NodeSettings.of("accounts", PORTS, arguments.length == 1 ? arguments[0] : "", System.getenv());
            start(settings, StoreSettings.of(System.getenv(), "sqlite:target/accounts.db"));
        } catch (IllegalArgumentException e) {
            System.err.println("persistence: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void start(NodeSettings settings, StoreSettings store) {
        // before anything that takes time: a signal may come while the node starts
        Promise<Vertx> started = Promise.promise();
        var vertx = started.future();
        var shutdown = GracefulShutdown.onSignal(vertx, new GracefulShutdownOptions());
        settings.startVertx().onComplete(started);
        var node = new AccountsNode(settings, store, shutdown);
        vertx.compose(node::serve).onFailure(failure -> {
            System.err.println("persistence: node " + settings.node() + " did not start: " + failure.getMessage());
            shutdown.exit(1);
        });
    }

    private Future<?> serve(Vertx vertx) {
        // a store that cannot be used is said at the start, before anything is served
        return store.open(vertx)
                .compose(opened -> movements(vertx, opened).compose(movements -> serve(vertx, opened, movements)));
    }

    private Future<Movements> movements(Vertx vertx, PersistenceStore opened) {
        Movements movements = opened instanceof PostgresStore postgres
                ? new PostgresMovements(vertx, postgres, store.place())
                : new SqliteMovements(vertx, store.place());
        return movements.open().map(movements);
    }

    private Future<?> serve(Vertx vertx, PersistenceStore opened, Movements movements) {
        var sharding =
                ClusterSharding.create(vertx, new ShardingOptions().setMinimumMembers(settings.minimumMembers()));
        Function<String, EntityRef<AccountMessage>> accounts = id -> sharding.entityRef(Accounts.TYPE, id);
        Function<String, EntityRef<CommandMessage>> commands = id -> sharding.entityRef(Accounts.COMMAND, id);
        var statements = new Statements(movements);
        var start = Future.all(sharding.start(Accounts.on(opened)), sharding.start(Accounts.commandsOn(opened)))
                .compose(types -> Future.all(
                        types.<ShardRegion<?>>resultAt(0).ready(),
                        types.<ShardRegion<?>>resultAt(1).ready()));
        var router = Router.router(vertx);
        router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding, settings.admin()));
        router.route("/*").subRouter(AccountsApi.router(vertx, accounts, commands, statements));
        Web.answerErrors(router);
        return Web.listen(shutdown.serves(vertx.createHttpServer(Web.serverOptions()), router), settings)
                .compose(listening -> start.compose(ready -> Future.all(
                                Transfers.start(vertx, sharding, opened), statements.start(vertx, sharding, opened)))
                        .map(listening))
                .onSuccess(listening -> System.out.println("ready: node " + settings.node() + " (" + sharding.self()
                        + ") at http://" + settings.host() + ":" + settings.httpPort()));
    }
}
