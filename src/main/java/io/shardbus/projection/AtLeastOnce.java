package io.shardbus.projection;

import io.shardbus.persistence.spi.OffsetStore;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.function.Function;

/**
 * A handler that leaves the move of the offset to the worker. The worker moves the offsets of several logs together,
 * and handles the events of the next log meanwhile.
 */
abstract class AtLeastOnce<E> implements ProjectionHandler<E> {
    /** Completes when all events of the batch are handled; does not move the offset. */
    abstract Future<?> handleEvents(ProjectionBatch<E> batch);

    @Override
    public final Future<Boolean> handle(ProjectionBatch<E> batch, OffsetStore offsets) {
        return handleEvents(batch)
                .compose(all ->
                        offsets.move(batch.projection(), batch.log(), batch.before(), batch.after(), batch.token()));
    }

    /** Handles events one after the other. */
    static final class Each<E> extends AtLeastOnce<E> {
        private final Function<EventEnvelope<E>, Future<?>> handler;

        Each(Function<EventEnvelope<E>, Future<?>> handler) {
            this.handler = Objects.requireNonNull(handler, "handler");
        }

        @Override
        Future<?> handleEvents(ProjectionBatch<E> batch) {
            Future<?> handled = Future.succeededFuture();
            for (EventEnvelope<E> event : batch.events()) {
                handled = handled.compose(
                        before -> Objects.requireNonNull(handler.apply(event), "the handler's answer for an event"));
            }
            return handled;
        }
    }
}
