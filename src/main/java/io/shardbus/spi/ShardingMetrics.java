package io.shardbus.spi;

import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.model.TypeState;
import java.time.Duration;

/**
 * Listener of an application's metrics for the entities of a type on this node; given by {@link
 * io.shardbus.EntityDefinition#withMetrics}. All methods do nothing unless overridden. No method is called for each
 * message.
 *
 * <p>Called on event loops of the region, from several of them at the same time: methods must be thread-safe and must
 * not block. An exception is logged once for each region and counted as {@code metrics_failures}; it does not affect
 * the entity. The calls for one instance come in order.
 */
public interface ShardingMetrics {
    /**
     * An instance is about to start.
     *
     * @param reason RESTART after a failure, REMEMBERED for a remembered entity that starts without a message
     */
    default void entityStarted(String type, int shard, StartReason reason) {}

    /**
     * An instance begins to stop, or has ended without a stop before. Called once for each instance that started.
     *
     * @param reason PASSIVATION for a passivation; FAILURE also for an instance that was busy for longer than the stop
     *     timeout
     */
    default void entityStopped(String type, int shard, StopReason reason) {}

    /** An instance could not start, or its code threw; the restart policy acts after this call. */
    default void entityFailed(String type, int shard, Throwable failure) {}

    /**
     * A sample of the region's state, once in each {@link #sampleInterval}; the next sample comes only after this call
     * has returned.
     *
     * @param region live entities, shards, waiting messages, and the counters; some counters are present values that
     *     may also fall
     */
    default void sampled(String type, TypeState.Region region) {}

    /** The pause between two samples, read when a region starts. 100 ms to 1 hour; 10 s unless overridden. */
    default Duration sampleInterval() {
        return Duration.ofSeconds(10);
    }
}
