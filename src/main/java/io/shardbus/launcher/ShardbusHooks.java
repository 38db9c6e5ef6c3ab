package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.GracefulShutdownOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.TlsOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.launcher.application.ExitCodes;
import io.vertx.launcher.application.HookContext;
import io.vertx.launcher.application.VertxApplicationHooks;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the Vertx of Vert.x's application launcher a node of Shardbus: with its cluster manager, an event bus that
 * notices lost nodes in seconds, the node's {@link ClusterSharding}, which verticles get by {@code find}, and
 * {@link GracefulShutdown} on signals, to which a verticle gives its HTTP servers:
 *
 * <pre>{@code
 * new VertxApplication(arguments, new ShardbusHooks()).launch(); // with -cluster among the arguments
 *
 * ClusterSharding sharding = ClusterSharding.find(vertx).orElseThrow(); // in a verticle
 * GracefulShutdown.find(vertx).orElseThrow().serves(server, router).listen(8080);
 * }</pre>
 *
 * The file of {@code -options} has, beside Vert.x's keys, a {@code "shardbus"}: an object with {@code "cluster"},
 * {@code "sharding"} and {@code "gracefulShutdown"}, which have the keys of {@link ClusterOptions},
 * {@link ShardingOptions} and {@link GracefulShutdownOptions}, and variables of the environment. What
 * {@code "eventBusOptions"} and the arguments say about the event bus wins. A subclass that overrides a method calls it
 * here, too. For one launch.
 */
public class ShardbusHooks implements VertxApplicationHooks {
    private static final String KEY = "shardbus";
    private static final String CLUSTER = "cluster";
    private static final String SHARDING = "sharding";
    private static final String SHUTDOWN = "gracefulShutdown";
    private static final String EVENT_BUS = "eventBusOptions";

    private final Promise<Vertx> vertx = Promise.promise();
    private JsonObject eventBus = new JsonObject();
    private ClusterOptions cluster = new ClusterOptions();
    private ShardingOptions sharding = new ShardingOptions();
    private GracefulShutdownOptions shutdownOptions = new GracefulShutdownOptions();
    private @Nullable GracefulShutdown shutdown;

    /** @throws IllegalArgumentException naming the key that is wrong */
    @Override
    public JsonObject afterVertxOptionsParsed(JsonObject options) {
        if (options != null) { // Vert.x passes null without -options
            told(() -> take(options));
        }
        return options;
    }

    /** Says what goes wrong in one line: the launcher ends with 1 and is silent. */
    private static void told(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            System.err.println("shardbus: " + e.getMessage());
            throw e;
        }
    }

    private void take(JsonObject options) {
        eventBus = options.getJsonObject(EVENT_BUS, eventBus);
        JsonObject given = new ConfigSection("", options).section(KEY).json();
        var own = new ConfigSection(KEY, ConfigVariables.resolve(given, shape(), System::getenv));
        own.allow(Set.of(CLUSTER, SHARDING, SHUTDOWN));
        cluster = LauncherConfig.cluster(own.section(CLUSTER));
        sharding = LauncherConfig.checked(
                own.section(SHARDING), json -> new ShardingOptions(json), ShardingOptions::validate);
        shutdownOptions =
                LauncherConfig.checked(own.section(SHUTDOWN), json -> new GracefulShutdownOptions(json), made -> {});
    }

    private static JsonObject shape() {
        return new JsonObject()
                .put(CLUSTER, new ClusterOptions().toJson().put("tls", new TlsOptions().toJson()))
                .put(SHARDING, new ShardingOptions().toJson())
                .put(SHUTDOWN, new GracefulShutdownOptions().toJson());
    }

    @Override
    public VertxBuilder createVertxBuilder(VertxOptions options) {
        var builder = Vertx.builder().with(options);
        told(() -> {
            options.setEventBusOptions(EventBusConfig.near(eventBus, cluster));
            builder.withClusterManager(ShardbusClusterManager.create(cluster));
        });
        return builder;
    }

    @Override
    public void beforeStartingVertx(HookContext context) {
        shutdown = GracefulShutdown.onSignal(vertx.future(), shutdownOptions);
        end(ExitCodes.SOFTWARE);
    }

    @Override
    public void afterVertxStarted(HookContext context) {
        told(() -> ClusterSharding.create(context.vertx(), sharding));
        vertx.complete(context.vertx());
    }

    @Override
    public void afterFailureToStartVertx(HookContext context, Throwable failure) {
        end(ExitCodes.VERTX_INITIALIZATION);
        vertx.tryFail(failure);
    }

    @Override
    public void afterVerticleDeployed(HookContext context) {
        end(0);
    }

    @Override
    public void afterFailureToDeployVerticle(HookContext context, Throwable failure) {
        end(ExitCodes.VERTX_DEPLOYMENT);
    }

    /** With what status the process ends where the launcher or the application calls System.exit. */
    private void end(int status) {
        if (shutdown != null) {
            shutdown.endOnExit(status);
        }
    }
}
