package io.shardbus.projection;

import io.shardbus.persistence.spi.OffsetStore;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Handler of a projection: it processes batches of events. Called on the worker's event loop, with one batch of a log
 * at a time. With a {@link #logsAtOnce} above 1, batches of several logs may be under way at once.
 */
public interface ProjectionHandler<E> {
    /**
     * Handles events in order and moves the offset behind them.
     *
     * @param offsets the store of the projection's offsets
     * @return whether the offset is past all of them. If it is not, the log is read again from the offset, unless
     *     another worker has the log. If the future fails, the batch is repeated after a pause: 100 ms at first, twice
     *     as long each time, up to 30 s
     */
    Future<Boolean> handle(ProjectionBatch<E> batch, OffsetStore offsets);

    /**
     * Whether the handler itself parks events that it cannot handle. Such a handler is refused with {@link
     * Projection.OnFailure#PARK}.
     */
    default boolean parksItself() {
        return false;
    }

    /**
     * The number of logs of a worker whose batches may be under way at once; at least 1, the default. With more, a log
     * whose batch takes long does not hold up the others.
     */
    default int logsAtOnce() {
        return 1;
    }

    /**
     * The store of the projection's offsets.
     *
     * @param ofEvents that of the store of the events, the default
     */
    default OffsetStore offsets(OffsetStore ofEvents) {
        return ofEvents;
    }

    /**
     * Handles each event at least once: the offset moves after the batch, so events come again after a failure or a
     * move. An event that comes again has the same log and position.
     *
     * @param handler called for one event after the other: the next event waits for the returned future
     */
    static <E> ProjectionHandler<E> each(Function<EventEnvelope<E>, Future<?>> handler) {
        return new AtLeastOnce.Each<>(handler);
    }
}
