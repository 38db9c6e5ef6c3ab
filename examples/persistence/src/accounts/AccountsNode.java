package accounts;

import accounts.Accounts.Database;
import common.NodeSettings;
import common.Web;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.admin.AdminRouter;
import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.options.GracefulShutdownOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.util.function.Function;

/** One node of the cluster of accounts: {@code AccountsNode N}. */
public final class AccountsNode {
    private static final NodeSettings.Ports PORTS = new NodeSettings.Ports(7500, 7400, 8180);

    private final NodeSettings settings;
    private final Function<Vertx, Database> database;
    private final GracefulShutdown shutdown;

    private AccountsNode(NodeSettings settings, Function<Vertx, Database> database, GracefulShutdown shutdown) {
        this.settings = settings;
        this.database = database;
        this.shutdown = shutdown;
    }

    public static void main(String[] arguments) {
        try {
            var settings =
                    NodeSettings.of("accounts", PORTS, arguments.length == 1 ? arguments[0] : "", System.getenv());
            start(
                    settings,
                    Accounts.database(System.getenv().getOrDefault("SHARDBUS_STORE", "sqlite:target/accounts.db")));
        } catch (IllegalArgumentException e) {
            System.err.println("persistence: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void start(NodeSettings settings, Function<Vertx, Database> database) {
        // before anything that takes time: a signal may come while the node starts
        Promise<Vertx> started = Promise.promise();
        var vertx = started.future();
        var shutdown = GracefulShutdown.onSignal(vertx, new GracefulShutdownOptions());
        settings.startVertx().onComplete(started);
        var node = new AccountsNode(settings, database, shutdown);
        vertx.compose(node::serve).onFailure(failure -> {
            System.err.println("persistence: node " + settings.node() + " did not start: " + failure.getMessage());
            shutdown.exit(1);
        });
    }

    private static <T> Future<T> named(Throwable failure) {
        return Future.failedFuture(
                new IllegalStateException("SHARDBUS_STORE cannot be used: " + failure.getMessage(), failure));
    }

    private Future<?> serve(Vertx vertx) {
        Database opened;
        try {
            opened = database.apply(vertx);
        } catch (IllegalArgumentException e) {
            return named(e);
        }
        // a store that cannot be used is said at the start, before anything is served
        PersistenceStore store = opened.store();
        Future<?> usable = store.start().compose(identity -> opened.movements().open());
        return usable.recover(AccountsNode::named).compose(table -> {
            var sharding =
                    ClusterSharding.create(vertx, new ShardingOptions().setMinimumMembers(settings.minimumMembers()));
            Function<String, EntityRef<AccountMessage>> accounts = id -> sharding.entityRef(Accounts.TYPE, id);
            Function<String, EntityRef<CommandMessage>> commands = id -> sharding.entityRef(Accounts.COMMAND, id);
            var statements = new Statements(opened.movements());
            var start = Future.all(sharding.start(Accounts.on(store)), sharding.start(Accounts.commandsOn(store)))
                    .compose(types -> Future.all(
                            types.<ShardRegion<?>>resultAt(0).ready(),
                            types.<ShardRegion<?>>resultAt(1).ready()));
            var router = Router.router(vertx);
            router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding, settings.admin()));
            router.route("/*").subRouter(AccountsApi.router(vertx, accounts, commands, statements));
            Web.answerErrors(router);
            return Web.listen(shutdown.serves(vertx.createHttpServer(Web.serverOptions()), router), settings)
                    .compose(listening -> start.compose(ready -> Future.all(
                                    Transfers.start(vertx, sharding, store),
                                    statements.start(vertx, sharding, store)))
                            .map(listening))
                    .onSuccess(listening -> System.out.println("ready: node " + settings.node() + " ("
                            + sharding.self() + ") at http://" + settings.host() + ":" + settings.httpPort()));
        });
    }
}
