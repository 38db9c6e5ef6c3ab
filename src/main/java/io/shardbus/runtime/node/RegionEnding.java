package io.shardbus.runtime.node;

import io.shardbus.core.control.RegionEnd;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.control.CoordinatorVerticle;
import io.shardbus.runtime.region.RegionControl;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a region of this node: its address closes, its shards are handed off, its lanes are undeployed. Where the
 * hand-off takes too long, the entities are stopped. Any thread.
 */
final class RegionEnding {
    private static final Logger LOG = LoggerFactory.getLogger(RegionEnding.class);
    /** More than a lane takes to notice that an entity's time to stop is up. */
    private static final long FORCED_STOP_MS = 1000;

    private final NodeAssembly assembly;

    RegionEnding(NodeAssembly assembly) {
        this.assembly = assembly;
    }

    /**
     * Ends the region of an entry. What an overtaken start still deploys and opens is taken down too: such a start
     * fails, and is awaited.
     */
    Future<Void> end(StartedRegion<?> entry) {
        RegionControl<?> region = entry.region();
        ShardingOptions options = assembly.parts().options();
        long mayTake = options.getShutdownTimeoutMs();
        // what is left when the shards could not be handed off is for their entities to stop
        long stopping = Math.min(region.handle().settings().times().stop() + FORCED_STOP_MS, mayTake / 2);
        return entry.address()
                .close()
                .otherwiseEmpty()
                .compose(done -> assembly.onControl(control -> leave(control, region)))
                .timeout(mayTake - stopping, TimeUnit.MILLISECONDS)
                .recover(failure -> stopNow(region, stopping))
                .compose(done -> assembly.<Void>onControl(control -> {
                    control.remove(region);
                    return Future.succeededFuture();
                }))
                .eventually(() -> entry.started()
                        .timeout(options.getShutdownTimeoutMs(), TimeUnit.MILLISECONDS)
                        .otherwiseEmpty())
                .eventually(() -> entry.address().close().otherwiseEmpty())
                .eventually(() -> undeploy(entry));
    }

    /** Undeploys the lanes; where entity code still runs after its time limit, they stay until it has returned. */
    private Future<Void> undeploy(StartedRegion<?> entry) {
        RegionControl<?> region = entry.region();
        // on a node that has not started no code of it has run, and none will say that it has ended
        Future<Void> ended = assembly.started().failed() ? Future.succeededFuture() : region.ended();
        boolean late = !ended.isComplete();
        Future<Void> undeployed = ended.eventually(region::undeploy)
                .onComplete(done -> entry.gone().tryComplete());
        if (late) {
            assembly.parts().membership().occupyUntil(undeployed);
        }
        return late ? Future.succeededFuture() : undeployed;
    }

    private static Future<Void> leave(CoordinatorVerticle control, RegionControl<?> region) {
        if (control.regionEnd(region.status()) == RegionEnd.STOP) {
            region.stopNow();
        } else {
            region.leave();
        }
        return region.ended();
    }

    private Future<Void> stopNow(RegionControl<?> region, long mayTake) {
        LOG.warn(
                "type={}: the region did not leave in time and is stopped",
                region.handle().type().name());
        return assembly.<Void>onControl(control -> {
                    region.stopNow();
                    return region.ended();
                })
                .timeout(mayTake, TimeUnit.MILLISECONDS)
                .otherwiseEmpty();
    }
}
