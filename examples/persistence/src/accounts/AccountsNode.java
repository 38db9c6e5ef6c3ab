package accounts;

import common.NodeSettings;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.admin.AdminRouter;
import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.GracefulShutdownOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.ext.web.Router;
import java.util.function.Function;

/** One node of the cluster of accounts: {@code AccountsNode N}. */
public final class AccountsNode {
    private static final NodeSettings.Ports PORTS = new NodeSettings.Ports(7500, 7400, 8180);

    private final NodeSettings settings;
    private final String store;
    private final GracefulShutdown shutdown;

    private AccountsNode(NodeSettings settings, String store, GracefulShutdown shutdown) {
        this.settings = settings;
        this.store = store;
        this.shutdown = shutdown;
    }

    public static void main(String[] arguments) {
        try {
            var settings =
                    NodeSettings.of("accounts", PORTS, arguments.length == 1 ? arguments[0] : "", System.getenv());
            start(settings, System.getenv().getOrDefault("SHARDBUS_STORE", "sqlite:target/accounts.db"));
        } catch (IllegalArgumentException e) {
            System.err.println("persistence: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void start(NodeSettings settings, String store) {
        var vertx = Vertx.builder()
                .with(new VertxOptions().setEventBusOptions(settings.eventBus()))
                .withClusterManager(ShardbusClusterManager.create(settings.clusterOptions()))
                .buildClustered();
        var shutdown = GracefulShutdown.onSignal(vertx, new GracefulShutdownOptions());
        var node = new AccountsNode(settings, store, shutdown);
        vertx.compose(node::serve).onFailure(failure -> {
            System.err.println("persistence: node " + settings.node() + " did not start: " + failure.getMessage());
            shutdown.exit(1);
        });
    }

    private Future<?> serve(Vertx vertx) {
        PersistenceStore opened = Accounts.store(vertx, store);
        var sharding =
                ClusterSharding.create(vertx, new ShardingOptions().setMinimumMembers(settings.minimumMembers()));
        Function<String, EntityRef<AccountMessage>> accounts = id -> sharding.entityRef(Accounts.TYPE, id);
        var statements = new Statements();
        // a store that cannot be used is said at the start, before anything is served
        return opened.start().compose(identity -> {
            var start = sharding.start(Accounts.on(opened));
            var router = Router.router(vertx);
            router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding, settings.admin()));
            router.route("/*").subRouter(AccountsApi.router(vertx, accounts, statements));
            router.errorHandler(400, AccountsApi::answerError);
            router.errorHandler(500, AccountsApi::answerError);
            return shutdown.serves(vertx.createHttpServer(), router)
                    .listen(settings.httpPort(), settings.host())
                    .compose(listening -> start.compose(ShardRegion::ready)
                            .compose(ready -> Transfers.start(vertx, sharding, opened))
                            .map(listening))
                    .onSuccess(listening -> {
                        new Feed(vertx, opened, Accounts.EVENTS, statements).run();
                        System.out.println("ready: node " + settings.node() + " (" + sharding.self() + ") at http://"
                                + settings.host() + ":" + settings.httpPort());
                    });
        });
    }
}
