package io.shardbus.projection;

import io.shardbus.persistence.spi.OffsetStore;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Handler of a projection: it processes batches of events. Called on the worker's event loop, one batch of a log at
 * a time, and where {@link #logsAtOnce} says so, batches of several logs at once.
 */
public interface ProjectionHandler<E> {
    /**
     * Handles events in order and moves the offset behind them.
     *
     * @param offsets of the projection
     * @return whether the offset is behind all of them. Where it is not, the log is read again from where it is, unless
     *     another worker has it. A failure is repeated after a pause.
     */
    Future<Boolean> handle(ProjectionBatch<E> batch, OffsetStore offsets);

    /**
     * Whether the handler parks by itself the events that are to be skipped: it is not started with {@link
     * Projection.OnFailure#PARK} then.
     */
    default boolean parksItself() {
        return false;
    }

    /**
     * The number of logs of a worker of which batches may be under way at once, from 1 (default). With more, a log
     * whose batch takes long does not hold up the others.
     */
    default int logsAtOnce() {
        return 1;
    }

    /** The store of the projection's offsets. */
    default OffsetStore offsets(OffsetStore ofEvents) {
        return ofEvents;
    }

    /**
     * Handles each event at least once: the offset moves after the batch, so events come again after a failure or a
     * move. An event that comes again has the same log and position.
     *
     * @param handler the next event waits for its future
     */
    static <E> ProjectionHandler<E> each(Function<EventEnvelope<E>, Future<?>> handler) {
        return new AtLeastOnce.Each<>(handler);
    }
}
