package io.shardbus.spi;

import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.model.TypeState;
import java.time.Duration;

/**
 * Listener of an application's metrics for the entities of a type on this node; given by {@link
 * io.shardbus.EntityDefinition#withMetrics}. All methods do nothing unless overridden; none is called for a message.
 *
 * <p>Called on event loops of the region, from several of them at the same time: methods must be safe for threads and
 * must not block. What they throw is logged once for each region and counted as {@code metrics_failures}; the entity
 * notices nothing. The calls for one instance come in order.
 */
public interface ShardingMetrics {
    /**
     * An instance is about to start.
     *
     * @param reason RESTART after a failure, REMEMBERED without being asked
     */
    default void entityStarted(String type, int shard, StartReason reason) {}

    /**
     * An instance begins to stop, or has ended without: one call for each that started.
     *
     * @param reason PASSIVATION for one that is passivated; FAILURE also for one that was busy for longer than the stop
     *     timeout
     */
    default void entityStopped(String type, int shard, StopReason reason) {}

    /** An instance could not start, or its code threw; what its restart policy makes of that follows. */
    default void entityFailed(String type, int shard, Throwable failure) {}

    /**
     * A sample of the region's state, once in each {@link #sampleInterval}; the next one only follows when this one
     * has returned.
     *
     * @param region live entities, shards, messages that wait, and the counters, of which some are levels
     */
    default void sampled(String type, TypeState.Region region) {}

    /** The pause between two samples, asked for when a region starts. 100 ms to 1 hour; 10 s unless overridden. */
    default Duration sampleInterval() {
        return Duration.ofSeconds(10);
    }
}
