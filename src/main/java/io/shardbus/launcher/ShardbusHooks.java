package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.launcher.application.HookContext;
import io.vertx.launcher.application.VertxApplication;
import io.vertx.launcher.application.VertxApplicationHooks;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * For a node that Vert.x's own launcher starts, of {@code vertx-launcher-application}: the Vertx gets the cluster
 * manager that sharding needs, its bus the TLS of the cluster, and before it is closed its shards move to other nodes.
 *
 * <pre>{@code
 * new VertxApplication(arguments, new ShardbusHooks(new ClusterOptions())).launch(); // arguments with -cluster
 * }</pre>
 *
 * To have hooks of one's own, too, extend it and call these first.
 *
 * @see VertxApplication
 */
public class ShardbusHooks implements VertxApplicationHooks {
    private final ClusterOptions cluster;

    /** @param cluster of the node; copied */
    public ShardbusHooks(ClusterOptions cluster) {
        this.cluster = new ClusterOptions(cluster);
    }

    @Override
    public VertxBuilder createVertxBuilder(VertxOptions options) {
        var tls = cluster.getTls();
        if (tls != null) {
            tls.secure(options.getEventBusOptions());
        }
        return Vertx.builder().with(options).withClusterManager(ShardbusClusterManager.create(cluster));
    }

    /** Blocks until the shards have moved, for {@code shutdownTimeoutMs} at most; HTTP servers go on meanwhile. */
    @Override
    public void beforeStoppingVertx(HookContext context) {
        ClusterSharding.find(context.vertx()).ifPresent(ShardbusHooks::moveShards);
    }

    private static void moveShards(ClusterSharding sharding) {
        try {
            sharding.prepareToLeave(Duration.ZERO)
                    .await(sharding.options().getShutdownTimeoutMs(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | RuntimeException e) {
            System.err.println("shards did not move in good order: " + e);
        }
    }
}
