package devices;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.admin.AdminRouter;
import io.shardbus.admin.HttpFailure;
import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.GracefulShutdownOptions;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.ShardingMetrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.util.Set;

/**
 * Two types of devices on one node: {@code DevicesMain DIRECTORY HTTP_PORT}. Sensors are passivated when they are idle,
 * or too many. Alarms are remembered in the directory and live from the start of the node on.
 */
public final class DevicesMain {
    private static final EntityType<DeviceMessage> SENSORS = EntityType.of("sensors", DeviceMessage.class);
    private static final EntityType<DeviceMessage> ALARMS = EntityType.of("alarms", DeviceMessage.class);
    private static final int MOST_ACTIVE = 20;
    private static final long IDLE_MS = 3000;
    private static final int SHARDS = 10;

    private final Vertx vertx = Vertx.vertx();
    private final ClusterSharding sharding;

    private DevicesMain(Path directory) {
        sharding = ClusterSharding.create(
                vertx,
                new ShardingOptions()
                        .setNumberOfShards(SHARDS)
                        .setStateStoreMode("durable")
                        .setStateStoreDirectory(directory.toString()));
    }

    public static void main(String[] arguments) {
        if (arguments.length != 2) {
            System.err.println("usage: DevicesMain DIRECTORY HTTP_PORT");
            System.exit(2);
        }
        var node = new DevicesMain(Path.of(arguments[0]));
        int port = Integer.parseInt(arguments[1]);
        var shutdown = GracefulShutdown.onSignal(Future.succeededFuture(node.vertx), new GracefulShutdownOptions());
        node.start(port, shutdown)
                .onSuccess(done -> System.out.println("ready: http://127.0.0.1:" + port))
                .onFailure(failure -> {
                    System.err.println("devices: " + failure.getMessage());
                    shutdown.exit(1);
                });
    }

    private Future<?> start(int port, GracefulShutdown shutdown) {
        var sensors = sharding.start(EntityDefinition.of(SENSORS, id -> new Device())
                .withMetrics(new Lives())
                .withPassivation(new PassivationOptions()
                        .setStrategy(PassivationOptions.LEAST_RECENTLY_USED)
                        .setActiveEntityLimit(MOST_ACTIVE)
                        .setIdleTimeoutMs(IDLE_MS)));
        var alarms = sharding.start(EntityDefinition.of(ALARMS, id -> new Device())
                .withMetrics(new Lives())
                .withRememberEntities(true));
        return Future.all(sensors, alarms).compose(started -> listen(port, shutdown));
    }

    private Future<?> listen(int port, GracefulShutdown shutdown) {
        var router = Router.router(vertx);
        router.post("/:type/:id/:value").handler(this::report);
        router.get("/:type/:id").handler(this::read);
        var admin = new AdminOptions().setReadOnly(false);
        router.route("/sharding/*").order(-1).subRouter(AdminRouter.create(vertx, sharding, admin));
        return shutdown.serves(vertx.createHttpServer(), router).listen(port, "127.0.0.1");
    }

    private void report(RoutingContext request) {
        try {
            double value = Double.parseDouble(request.pathParam("value"));
            answer(request, device(request).ask(new DeviceMessage.Report(value)));
        } catch (IllegalArgumentException e) {
            answer(request, Future.failedFuture(e));
        }
    }

    private void read(RoutingContext request) {
        try {
            answer(request, device(request).ask(new DeviceMessage.Read()));
        } catch (IllegalArgumentException e) {
            answer(request, Future.failedFuture(e));
        }
    }

    private EntityRef<DeviceMessage> device(RoutingContext request) {
        var type = request.pathParam("type");
        if (!Set.of(SENSORS.name(), ALARMS.name()).contains(type)) {
            throw new IllegalArgumentException("no devices of type " + type + ": sensors or alarms");
        }
        return sharding.entityRef(EntityType.of(type, DeviceMessage.class), request.pathParam("id"));
    }

    private static void answer(RoutingContext request, Future<DeviceMessage.State> state) {
        state.onSuccess(found -> answer(request, 200, found.toJson())).onFailure(failure -> {
            var known = failure instanceof ShardingException
                    ? HttpFailure.of(failure)
                    : HttpFailure.badRequest(failure.getMessage());
            answer(request, known.status(), known.toJson());
        });
    }

    private static void answer(RoutingContext request, int status, JsonObject body) {
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end(body.toBuffer().appendString("\n"));
    }

    /** Says on standard output why devices start and stop. */
    private static final class Lives implements ShardingMetrics {
        @Override
        public void entityStarted(String type, int shard, StartReason reason) {
            System.out.println(type + ": one starts, " + reason);
        }

        @Override
        public void entityStopped(String type, int shard, StopReason reason) {
            System.out.println(type + ": one stops, " + reason);
        }
    }
}
