package io.shardbus.runtime.entity;

import io.shardbus.Entity;
import io.shardbus.EntityFailure;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardingException;
import io.shardbus.codec.AnswerTypes;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.entity.UserCalls.Ending;
import io.shardbus.runtime.entity.UserCalls.LeaseOver;
import io.shardbus.runtime.tracing.MessageTracing;
import io.shardbus.runtime.tracing.TracedTurn;
import io.vertx.core.Future;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Handles the messages of one shard's instances: selects the code and the trace, and acts on the end of the call. On
 * the lane.
 */
final class Handling<M> {
    private final EntityHost<M> host;
    private final EntityLane lane;
    private final int shard;
    private final UserCalls calls;

    Handling(EntityHost<M> host, EntityLane lane, int shard, UserCalls calls) {
        this.host = host;
        this.lane = lane;
        this.shard = shard;
        this.calls = calls;
    }

    /** Ends with {@link LiveEntity#done}. */
    void begin(LiveEntity<M> entity, Entity<M> live, M message, Envelope envelope) {
        MessageTracing tracing = host.tracing;
        TracedTurn turn = tracing == null ? null : tracing.handle(lane.context(), envelope, message);
        if (turn != null || !envelope.headers().commandId().isEmpty()) {
            withHeaders(turn, entity, live, message, envelope);
        } else if (host.definition.execution() == ExecutionModel.EVENT_LOOP && host.logged == null) {
            onLane(entity, live, message, envelope);
        } else {
            InstanceContext<M> context = entity.context();
            calls.call(entity, () -> live.receive(message, context), receiving(entity, envelope, message));
        }
    }

    /** Ends what is stored of the entity. Ends with {@link LiveEntity#done}. */
    void erase(LiveEntity<M> entity, Entity<M> live, M request, Envelope envelope) {
        if (live instanceof Erasable erasable) {
            calls.call(entity, erasable::erase, receiving(entity, envelope, request));
            return;
        }
        String text = entity.type().name() + "/" + entity.id() + " stores nothing that could be erased";
        entity.done(envelope, null, Failure.of(FailureCode.NOT_APPLICABLE, text), false);
    }

    /** The way of nearly every message: nothing is allocated when the future is complete. */
    private void onLane(LiveEntity<M> entity, Entity<M> live, M message, Envelope envelope) {
        Future<?> future;
        try {
            future = live.receive(message, entity.context());
        } catch (Throwable e) {
            calls.fail(entity, e, receiving(entity, envelope, message));
            return;
        }
        if (future == null) {
            entity.done(envelope, null, null, false);
        } else if (future.succeeded()) {
            answered(entity, envelope, message, future.result());
        } else {
            calls.await(entity, future, receiving(entity, envelope, message));
        }
    }

    private void withHeaders(
            @Nullable TracedTurn turn, LiveEntity<M> entity, Entity<M> live, M message, Envelope envelope) {
        Callable<Future<?>> code = code(entity, live, message, envelope);
        if (code == null) {
            Failure refusal = storesNothing(entity);
            if (turn != null) {
                turn.end(new ShardingException(refusal.code(), refusal.message()), Handling::code);
            }
            entity.done(envelope, null, refusal, false);
        } else if (turn == null) {
            calls.call(entity, code, receiving(entity, envelope, message));
        } else {
            traced(turn, entity, turn.watched(code, Handling::code), receiving(entity, envelope, message));
        }
    }

    /**
     * Null for a command with an id to an entity that stores nothing: a sender that repeats a command relies on one
     * effect, and an entity that cannot promise it does not execute it.
     */
    @SuppressWarnings("unchecked")
    private @Nullable Callable<Future<?>> code(LiveEntity<M> entity, Entity<M> live, M message, Envelope envelope) {
        String commandId = envelope.headers().commandId();
        InstanceContext<M> context = entity.context();
        if (commandId.isEmpty()) {
            return () -> live.receive(message, context);
        }
        return live instanceof IdentifiedReceiver<?> receiver
                ? () -> ((IdentifiedReceiver<M>) receiver).receive(message, commandId, context)
                : null;
    }

    private static Failure storesNothing(LiveEntity<?> entity) {
        return Failure.of(
                FailureCode.DELIVERY_REFUSED,
                "a command with an id was sent to " + entity.type().name() + "/" + entity.id()
                        + ", which stores nothing: make the type persistent, or send it without an id");
    }

    /** The entity's code runs in the turn's context; what follows from its end does not. */
    private void traced(TracedTurn turn, LiveEntity<M> entity, Callable<Future<?>> code, Ending ending) {
        if (host.definition.execution() == ExecutionModel.EVENT_LOOP) {
            Future<?> future;
            try {
                future = turn.within(() -> host.run(entity.id(), code));
            } catch (Throwable e) {
                calls.fail(entity, e, ending);
                return;
            }
            calls.await(entity, future, ending);
            return;
        }
        turn.dispatch(() -> calls.call(entity, code, (value, failure, threw) -> {
            if (failure instanceof LeaseOver) {
                turn.end(failure, refusal -> FailureCode.NOT_IN_MAJORITY);
            }
            ending.ended(value, failure, threw);
        }));
    }

    private static FailureCode code(Throwable failure) {
        return EntityHost.describe(failure).code();
    }

    private Ending receiving(LiveEntity<M> entity, Envelope envelope, M message) {
        return (value, failure, threw) -> {
            try {
                received(entity, envelope, message, value, failure, threw);
            } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                entity.broken(envelope, e);
            }
        };
    }

    private void received(
            LiveEntity<M> entity,
            Envelope envelope,
            M message,
            @Nullable Object value,
            @Nullable Throwable failure,
            boolean threw) {
        if (failure == null) {
            answered(entity, envelope, message, value);
        } else if (failure instanceof LeaseOver) {
            String text = "entity '" + entity.id() + "': " + failure.getMessage();
            entity.done(envelope, null, Failure.of(FailureCode.NOT_IN_MAJORITY, text), false);
        } else if (threw && !(failure instanceof EntityFailure)) {
            host.metrics.failed(shard, failure);
            Failure told = EntityHost.describe(failure);
            entity.supervision().ask(failure, () -> entity.done(envelope, null, told, true));
        } else {
            entity.done(envelope, null, EntityHost.describe(failure), false);
        }
    }

    /** An answer that is not what the message's Ask says fails the ask, and nothing else. */
    private void answered(LiveEntity<M> entity, Envelope envelope, M message, @Nullable Object value) {
        boolean asked = envelope.ask() != 0;
        if (asked && value != null && !AnswerTypes.fits(message, value)) {
            String text = AnswerTypes.mismatch(host.definition.type().name() + "/" + entity.id(), message, value);
            entity.done(envelope, null, Failure.of(FailureCode.INVALID_ANSWER, text), false);
        } else {
            entity.done(envelope, value, null, false);
        }
    }
}
