package auction;

import common.NodeSettings;
import common.StoreSettings;
import common.Web;
import io.shardbus.ClusterSharding;
import io.shardbus.admin.AdminRouter;
import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.options.GracefulShutdownOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.reminder.Reminders;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;

/** One node of the auction house: {@code AuctionNode N}. */
public final class AuctionNode {
    private static final NodeSettings.Ports PORTS = new NodeSettings.Ports(7200, 7100, 8280);

    private final NodeSettings settings;
    private final StoreSettings store;
    private final GracefulShutdown shutdown;

    private AuctionNode(NodeSettings settings, StoreSettings store, GracefulShutdown shutdown) {
        this.settings = settings;
        this.store = store;
        this.shutdown = shutdown;
    }

    public static void main(String[] arguments) {
        try {
            var settings =
                    NodeSettings.of("auction", PORTS, arguments.length == 1 ? arguments[0] : "", System.getenv());
            start(settings, StoreSettings.of(System.getenv(), "sqlite:target/auctions.db"));
        } catch (IllegalArgumentException e) {
            System.err.println("auction: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void start(NodeSettings settings, StoreSettings store) {
        // before anything that takes time: a signal may come while the node starts
        Promise<Vertx> started = Promise.promise();
        var vertx = started.future();
        var shutdown = GracefulShutdown.onSignal(vertx, new GracefulShutdownOptions());
        settings.startVertx().onComplete(started);
        var node = new AuctionNode(settings, store, shutdown);
        vertx.compose(node::serve).onFailure(failure -> {
            System.err.println("auction: node " + settings.node() + " did not start: " + failure.getMessage());
            shutdown.exit(1);
        });
    }

    private Future<?> serve(Vertx vertx) {
        // a store that cannot be used is said at the start, before anything is served
        return store.open(vertx).compose(opened -> serve(vertx, opened));
    }

    private Future<?> serve(Vertx vertx, PersistenceStore opened) {
        var sharding =
                ClusterSharding.create(vertx, new ShardingOptions().setMinimumMembers(settings.minimumMembers()));
        var feed = new AuctionFeed(vertx);
        var auctions = Auction.definition(opened, feed::publish, System::currentTimeMillis);
        // HTTP listens while the cluster is not founded yet, so that its health says what it waits for
        var start = sharding.start(auctions)
                .compose(region -> Reminders.create(vertx, sharding, opened)
                        .start(auctions)
                        .compose(reminders -> region.ready()));
        return listen(vertx, sharding, feed)
                .compose(listening -> start.map(listening))
                .onSuccess(listening -> System.out.println("ready: node " + settings.node() + " (" + sharding.self()
                        + ") at http://" + settings.host() + ":" + settings.httpPort()));
    }

    private Future<HttpServer> listen(Vertx vertx, ClusterSharding sharding, AuctionFeed feed) {
        var router = Router.router(vertx);
        router.get("/metrics").handler(AuctionMetrics.of(vertx, sharding));
        router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding, settings.admin()));
        router.route("/*").subRouter(AuctionApi.router(vertx, id -> sharding.entityRef(Auction.TYPE, id), feed));
        Web.answerErrors(router);
        // curl calls each body a form: the limits of forms are above that of bodies
        var options = Web.serverOptions()
                .setMaxFormAttributeSize(4 * AuctionApi.LARGEST_BODY)
                .setMaxFormBufferedBytes(4 * AuctionApi.LARGEST_BODY);
        return Web.listen(shutdown.serves(vertx.createHttpServer(options), router), settings);
    }
}
