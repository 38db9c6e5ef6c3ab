package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.membership.ShardbusClusterManager;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Starts one node from a configuration file: {@code java -cp ... io.shardbus.launcher.ShardbusLauncher [conf/sharding.json]}.
 * Says {@code ready} on standard output when its regions run. SIGTERM leaves in good order and ends with 0. What is wrong
 * with the file, or keeps the node from starting, is told in one line on standard error; the process ends with 2.
 */
public final class ShardbusLauncher {
    private static final String DEFAULT_FILE = "conf/sharding.json";
    private static final int EXIT_REFUSED = 2;
    private static final Duration BEYOND_SHUTDOWN = Duration.ofSeconds(15);

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
        var bound = Duration.ofMillis(config.sharding().getShutdownTimeoutMs()).plus(BEYOND_SHUTDOWN);
        var clustered =
                Vertx.builder().with(options).withClusterManager(manager).buildClustered();
        var shutdown = GracefulShutdown.onSignal(bound, () -> settled(clustered), () -> close(clustered));
        clustered
                .compose(this::start)
                .onSuccess(node -> System.out.println("ready: node " + node.self()))
                .onFailure(failure -> {
                    tell(String.valueOf(failure.getMessage()));
                    shutdown.exit(EXIT_REFUSED);
                });
    }

    private Future<ClusterSharding> start(Vertx node) {
        var sharding = ClusterSharding.create(node, config.sharding());
        var regions = config.regions().stream()
                .map(region -> node.deployVerticle(
                        ShardRegionVerticle.class.getName(), new DeploymentOptions().setConfig(region)))
                .toList();
        return Future.all(regions)
                .compose(deployed -> serveAdmin(node, sharding))
                .map(sharding);
    }

    private Future<Void> serveAdmin(Vertx node, ClusterSharding sharding) {
        return config.admin()
                .map(listener -> AdminServer.listen(node, sharding, listener).<Void>mapEmpty())
                .orElseGet(Future::succeededFuture);
    }

    /** A node that is about to join cannot leave yet. */
    private static Future<?> settled(Future<Vertx> node) {
        return node.otherwiseEmpty();
    }

    /** Sharding closes with its Vertx, in good order. */
    private static Future<?> close(Future<Vertx> node) {
        return node.succeeded() ? node.result().close() : Future.succeededFuture();
    }
}
