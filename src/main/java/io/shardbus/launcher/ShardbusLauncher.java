package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.GracefulShutdownOptions;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts one node from a configuration file: {@code java -cp ... io.shardbus.launcher.ShardbusLauncher
 * [conf/sharding.json]}. Prints {@code ready} on standard output when its regions run. On SIGTERM the node leaves in
 * good order, and the process ends with 0. If the file is wrong or the node cannot start, the process prints one line
 * on standard error and ends with 2.
 */
public final class ShardbusLauncher {
    private static final String DEFAULT_FILE = "conf/sharding.json";
    private static final int EXIT_REFUSED = 2;
    private static final long BEYOND_SHUTDOWN_MS = 15_000;

    private final LauncherConfig config;

    private ShardbusLauncher(LauncherConfig config) {
        this.config = config;
    }

    public static void main(String[] arguments) {
        if (arguments.length > 1) {
            refuse("usage: ShardbusLauncher [" + DEFAULT_FILE + "]");
        }
        run(Path.of(arguments.length == 0 ? DEFAULT_FILE : arguments[0]));
    }

    private static void run(Path file) {
        try {
            new ShardbusLauncher(LauncherConfig.read(file)).run();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            refuse(String.valueOf(e.getMessage()));
        }
    }

    private static void refuse(String reason) {
        tell(reason);
        System.exit(EXIT_REFUSED);
    }

    private static void tell(String reason) {
        System.err.println("shardbus: " + reason.lines().findFirst().orElse(reason));
    }

    private void run() {
        var options = new VertxOptions().setEventBusOptions(config.eventBus());
        var manager = ShardbusClusterManager.create(config.cluster());
        long bound = 2 * config.sharding().getShutdownTimeoutMs() + BEYOND_SHUTDOWN_MS;
        var clustered =
                Vertx.builder().with(options).withClusterManager(manager).buildClustered();
        var shutdown = GracefulShutdown.onSignal(clustered, new GracefulShutdownOptions().setDeadlineMs(bound));
        clustered
                .compose(node -> start(node, shutdown))
                .onSuccess(node -> System.out.println("ready: node " + node.self()))
                .onFailure(failure -> {
                    tell(String.valueOf(failure.getMessage()));
                    shutdown.exit(EXIT_REFUSED);
                });
    }

    private Future<ClusterSharding> start(Vertx node, GracefulShutdown shutdown) {
        var sharding = ClusterSharding.create(node, config.sharding());
        var deployed = new ArrayList<Future<String>>();
        deployed.addAll(deploy(node, ShardRegionVerticle.class, config.regions()));
        deployed.addAll(deploy(node, ShardedDaemonVerticle.class, config.daemons()));
        deployed.addAll(deploy(node, ClusterSingletonVerticle.class, config.singletons()));
        return Future.all(deployed)
                .compose(done -> link(node, sharding))
                .compose(done -> serveAdmin(node, sharding, shutdown))
                .map(sharding);
    }

    private static List<Future<String>> deploy(Vertx node, Class<?> verticle, List<JsonObject> configs) {
        return configs.stream()
                .map(json -> node.deployVerticle(verticle.getName(), new DeploymentOptions().setConfig(json)))
                .toList();
    }

    private Future<Void> link(Vertx node, ClusterSharding sharding) {
        return config.dataCenter()
                .map(links -> links.start(node, sharding).<Void>mapEmpty())
                .orElseGet(Future::succeededFuture);
    }

    private Future<Void> serveAdmin(Vertx node, ClusterSharding sharding, GracefulShutdown shutdown) {
        return config.admin()
                .map(listener ->
                        AdminServer.listen(node, sharding, listener, shutdown).<Void>mapEmpty())
                .orElseGet(Future::succeededFuture);
    }
}
