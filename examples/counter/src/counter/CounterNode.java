package counter;

import common.NodeSettings;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.options.GracefulShutdownOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/** One node of the counter cluster: {@code CounterNode N}. */
public final class CounterNode {
    private static final EntityType<CounterMessage> COUNTER = EntityType.of("counter", CounterMessage.class);
    private static final NodeSettings.Ports PORTS = new NodeSettings.Ports(7800, 7700, 8080);

    private final NodeSettings settings;
    private final GracefulShutdown shutdown;

    private CounterNode(NodeSettings settings, GracefulShutdown shutdown) {
        this.settings = settings;
        this.shutdown = shutdown;
    }

    public static void main(String[] arguments) {
        try {
            start(NodeSettings.of("counter", PORTS, arguments.length == 1 ? arguments[0] : "", System.getenv()));
        } catch (IllegalArgumentException e) {
            System.err.println("counter: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void start(NodeSettings settings) {
        // before anything that takes time: a signal may come while the node starts
        Promise<Vertx> started = Promise.promise();
        var vertx = started.future();
        var shutdown = GracefulShutdown.onSignal(vertx, new GracefulShutdownOptions());
        settings.startVertx().onComplete(started);
        var node = new CounterNode(settings, shutdown);
        vertx.compose(node::serve).onFailure(failure -> {
            System.err.println("counter: node " + settings.node() + " did not start: " + failure.getMessage());
            shutdown.exit(1);
        });
    }

    private Future<?> serve(Vertx started) {
        var sharding =
                ClusterSharding.create(started, new ShardingOptions().setMinimumMembers(settings.minimumMembers()));
        // HTTP listens while the cluster is not founded yet, so that its health says what it waits for
        var start = sharding.start(EntityDefinition.of(COUNTER, id -> new Counter()));
        return CounterServer.listen(started, sharding, id -> sharding.entityRef(COUNTER, id), settings, shutdown)
                .compose(listening -> start.compose(ShardRegion::ready).map(listening))
                .onSuccess(listening -> System.out.println("ready: node " + settings.node() + " (" + sharding.self()
                        + ") at http://" + settings.host() + ":" + settings.httpPort()));
    }
}
