package auction;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingOptions;
import io.shardbus.admin.AdminRouter;
import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.launcher.GracefulShutdownOptions;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.spi.PassivationOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;

/** One node of the auction house: {@code AuctionNode N}. */
public final class AuctionNode {
    private static final EntityType<AuctionMessage> AUCTION = EntityType.of("auction", AuctionMessage.class);

    private final Settings settings;
    private final GracefulShutdown shutdown;

    private AuctionNode(Settings settings, GracefulShutdown shutdown) {
        this.settings = settings;
        this.shutdown = shutdown;
    }

    public static void main(String[] arguments) {
        try {
            start(Settings.of(arguments.length == 1 ? arguments[0] : "", System.getenv()));
        } catch (IllegalArgumentException e) {
            System.err.println("auction: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void start(Settings settings) {
        var vertx = Vertx.builder()
                .with(new VertxOptions().setEventBusOptions(settings.eventBus()))
                .withClusterManager(ShardbusClusterManager.create(settings.cluster()))
                .buildClustered();
        var shutdown = GracefulShutdown.onSignal(vertx, new GracefulShutdownOptions());
        var node = new AuctionNode(settings, shutdown);
        vertx.compose(node::serve).onFailure(failure -> {
            System.err.println("auction: node " + settings.node() + " did not start: " + failure.getMessage());
            shutdown.exit(1);
        });
    }

    /** An auction waits for its end without messages: it is not put away for being idle. */
    private Future<?> serve(Vertx vertx) {
        var sharding = ClusterSharding.create(vertx, new ShardingOptions());
        var feed = new AuctionFeed(vertx);
        var definition = EntityDefinition.of(AUCTION, id -> new Auction(feed, System::currentTimeMillis))
                .withPassivation(new PassivationOptions().setStrategy(PassivationOptions.NONE));
        // HTTP listens while the cluster is not founded yet, so that its health says what it waits for
        var start = sharding.start(definition);
        return listen(vertx, sharding, feed)
                .compose(listening -> start.compose(ShardRegion::ready).map(listening))
                .onSuccess(listening -> System.out.println("ready: node " + settings.node() + " (" + sharding.self()
                        + ") at http://" + settings.host() + ":" + settings.httpPort()));
    }

    private Future<HttpServer> listen(Vertx vertx, ClusterSharding sharding, AuctionFeed feed) {
        var router = Router.router(vertx);
        router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding));
        router.route("/*").subRouter(AuctionApi.router(vertx, id -> sharding.entityRef(AUCTION, id), feed));
        return shutdown.serves(vertx.createHttpServer(), router).listen(settings.httpPort(), settings.host());
    }
}
