package io.shardbus.projection;

import io.shardbus.persistence.spi.OffsetStore;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.function.Function;

/**
 * A handler whose offset moves behind a batch. A worker lets the offsets of several logs move together, and handles the
 * events of the next log meanwhile.
 */
abstract class AtLeastOnce<E> implements ProjectionHandler<E> {
    /** Completes when the handler is through with all events of the batch; the offset is none of its business. */
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
