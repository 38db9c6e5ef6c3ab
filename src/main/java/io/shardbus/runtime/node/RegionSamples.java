package io.shardbus.runtime.node;

import io.shardbus.model.TypeState;
import io.shardbus.runtime.region.RegionHandle;
import io.vertx.core.AsyncResult;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * Tells a region's metrics every so often how it is doing, one sample after the other, as long as the region has lanes.
 */
final class RegionSamples {
    private final Vertx vertx;
    private final RegionHandle<?> region;
    private final long pause;

    private RegionSamples(Vertx vertx, RegionHandle<?> region, Duration interval) {
        this.vertx = vertx;
        this.region = region;
        this.pause = interval.toMillis();
    }

    /** Begins, if there are metrics. */
    static void begin(Vertx vertx, RegionHandle<?> region) {
        region.metrics().sampleInterval().ifPresent(interval -> new RegionSamples(vertx, region, interval).later());
    }

    private void later() {
        vertx.setTimer(pause, timer -> {
            if (region.isOpen()) {
                region.state().onComplete(this::sampled);
            }
        });
    }

    /** A region that does not answer is about to leave. */
    private void sampled(AsyncResult<TypeState.Region> state) {
        if (state.succeeded()) {
            region.metrics().sampled(state.result());
        }
        later();
    }
}
