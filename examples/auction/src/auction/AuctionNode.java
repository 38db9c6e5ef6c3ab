package auction;

import common.NodeSettings;
import common.Web;
import io.shardbus.ClusterSharding;
import io.shardbus.ShardRegion;
import io.shardbus.admin.AdminRouter;
import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.options.GracefulShutdownOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;

/** One node of the auction house: {@code AuctionNode N}. */
public final class AuctionNode {
    private static final NodeSettings.Ports PORTS = new NodeSettings.Ports(7200, 7100, 8280);

    private final NodeSettings settings;
    private final GracefulShutdown shutdown;

    private AuctionNode(NodeSettings settings, GracefulShutdown shutdown) {
        this.settings = settings;
        this.shutdown = shutdown;
    }

    public static void main(String[] arguments) {
        try {
            start(NodeSettings.of("auction", PORTS, arguments.length == 1 ? arguments[0] : "", System.getenv()));
        } catch (IllegalArgumentException e) {
            System.err.println("auction: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void start(NodeSettings settings) {
        // before anything that takes time: a signal may come while the node starts
        Promise<Vertx> started = Promise.promise();
        var vertx = started.future();
        var shutdown = GracefulShutdown.onSignal(vertx, new GracefulShutdownOptions());
        settings.startVertx().onComplete(started);
        var node = new AuctionNode(settings, shutdown);
        vertx.compose(node::serve).onFailure(failure -> {
            System.err.println("auction: node " + settings.node() + " did not start: " + failure.getMessage());
            shutdown.exit(1);
        });
    }

    private Future<?> serve(Vertx vertx) {
        var sharding =
                ClusterSharding.create(vertx, new ShardingOptions().setMinimumMembers(settings.minimumMembers()));
        var feed = new AuctionFeed(vertx);
        // HTTP listens while the cluster is not founded yet, so that its health says what it waits for
        var start = sharding.start(Auction.definition(feed::publish, System::currentTimeMillis));
        return listen(vertx, sharding, feed)
                .compose(listening -> start.compose(ShardRegion::ready).map(listening))
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
