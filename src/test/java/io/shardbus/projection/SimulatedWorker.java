package io.shardbus.projection;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Vertx;

/** The one worker of a projection, on time that the simulator moves. */
public final class SimulatedWorker {
    private static final long STOP_MS = 10_000;

    private final ProjectionWorker<?> worker;

    public SimulatedWorker(
            Projection<?> projection, PersistenceStore store, FencingToken token, Vertx vertx, ElapsedClock clock) {
        this.worker = new ProjectionWorker<>(projection, store, 0, 1, token, STOP_MS, clock);
        worker.init(vertx, vertx.getOrCreateContext());
    }

    public void start() {
        worker.start();
    }

    /** Begins to stop: the batch under way goes on. */
    public void stop() {
        worker.stop();
    }
}
