package counter;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingOptions;
import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.membership.ShardbusClusterManager;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;

/** One node of the counter cluster: {@code CounterNode N}. */
public final class CounterNode {
    private static final EntityType<CounterMessage> COUNTER = EntityType.of("counter", CounterMessage.class);
    private static final Duration LONGEST_SHUTDOWN = Duration.ofSeconds(60);

    private final Settings settings;
    private final Future<Vertx> vertx;
    private volatile Future<CounterServer> server = Future.failedFuture("not started");

    private CounterNode(Settings settings, Future<Vertx> vertx) {
        this.settings = settings;
        this.vertx = vertx;
    }

    public static void main(String[] arguments) {
        try {
            start(Settings.of(arguments.length == 1 ? arguments[0] : "", System.getenv()));
        } catch (IllegalArgumentException e) {
            System.err.println("counter: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void start(Settings settings) {
        var node = new CounterNode(
                settings,
                Vertx.builder()
                        .with(new VertxOptions().setEventBusOptions(settings.eventBus()))
                        .withClusterManager(ShardbusClusterManager.create(settings.cluster()))
                        .buildClustered());
        var shutdown = GracefulShutdown.onSignal(LONGEST_SHUTDOWN, node::stopServing, node::leaveCluster);
        node.server = node.vertx.compose(node::serve);
        node.server.onFailure(failure -> {
            System.err.println("counter: node " + settings.node() + " did not start: " + failure.getMessage());
            shutdown.exit(1);
        });
    }

    private Future<CounterServer> serve(Vertx started) {
        var sharding =
                ClusterSharding.create(started, new ShardingOptions().setMinimumMembers(settings.minimumMembers()));
        return sharding.start(EntityDefinition.of(COUNTER, id -> new Counter()))
                .compose(counters -> CounterServer.listen(started, sharding, counters, settings)
                        .compose(listening -> counters.ready().map(listening)))
                .onSuccess(listening -> System.out.println("ready: node " + settings.node() + " (" + sharding.self()
                        + ") at http://" + settings.host() + ":" + settings.httpPort()));
    }

    /** Counters move to the other nodes while HTTP still serves; then HTTP ends. */
    private Future<?> stopServing() {
        return vertx.otherwiseEmpty().compose(started -> {
            if (!server.succeeded()) {
                return Future.succeededFuture();
            }
            var serving = server.result();
            serving.sendClientsAway();
            return new HandOver(started, serving.sharding(), COUNTER.name())
                    .run()
                    .compose(done -> serving.close());
        });
    }

    private Future<?> leaveCluster() {
        return vertx.succeeded() ? vertx.result().close() : Future.succeededFuture();
    }
}
