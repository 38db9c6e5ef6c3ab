package io.shardbus.runtime.entity;

import io.shardbus.Entity;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Which code of an entity handles a message that has headers. */
final class Handling {
    private Handling() {}

    /**
     * Null for a command with an id to an entity that stores nothing: a sender that repeats a command relies on one
     * effect, and an entity that cannot promise it does not execute it.
     */
    @SuppressWarnings("unchecked")
    static <M> @Nullable Callable<Future<?>> of(Entity<M> live, M message, Envelope envelope, LiveEntity<M> context) {
        String commandId = envelope.headers().commandId();
        if (commandId.isEmpty()) {
            return () -> live.receive(message, context);
        }
        return live instanceof IdentifiedReceiver<?> receiver
                ? () -> ((IdentifiedReceiver<M>) receiver).receive(message, commandId, context)
                : null;
    }

    static Failure storesNothing(LiveEntity<?> entity) {
        return Failure.of(
                FailureCode.DELIVERY_REFUSED,
                "a command with an id was sent to " + entity.type().name() + "/" + entity.id()
                        + ", which stores nothing: make the type persistent, or send it without an id");
    }
}
