package io.shardbus.projection;

import io.shardbus.persistence.spi.OffsetStore;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Handler of a projection: it processes batches of events. Called on the worker's event loop, must not block. One batch
 * of a log is under way at a time; with a {@link #logsAtOnce} above 1, batches of several logs may be.
 */
public interface ProjectionHandler<E> {
    /**
     * Handles events in order, and moves the offset from {@link ProjectionBatch#before} to {@link
     * ProjectionBatch#after}.
     *
     * @param offsets the store of the projection's offsets
     * @return whether the offset has moved past all of the events. If it has not, the log is read again from its stored
     *     offset, unless another worker has the log. If the future fails, the same events are handled again, one row at
     *     a time, after a pause of 100 ms, doubled with each failure, up to 30 s
     */
    Future<Boolean> handle(ProjectionBatch<E> batch, OffsetStore offsets);

    /**
     * Whether the handler itself parks events that it cannot handle. {@link Projections#start} refuses such a handler
     * together with {@link Projection.OnFailure#PARK}.
     */
    default boolean parksItself() {
        return false;
    }

    /**
     * Limit of the logs of a worker whose batches may be under way at once; at least 1, the default. With more, a log
     * whose batch takes long delays fewer others.
     */
    default int logsAtOnce() {
        return 1;
    }

    /**
     * The store of the projection's offsets.
     *
     * @param ofEvents the offset store beside the events, which is the default
     */
    default OffsetStore offsets(OffsetStore ofEvents) {
        return ofEvents;
    }

    /**
     * Handles each event at least once. The offset moves after the batch, so events come again after a failure or a
     * move of the worker. An event that comes again has the same log and position.
     *
     * @param handler called for one event after the other on the worker's event loop: the next event waits for the
     *     returned future
     */
    static <E> ProjectionHandler<E> each(Function<EventEnvelope<E>, Future<?>> handler) {
        return new AtLeastOnce.Each<>(handler);
    }
}
