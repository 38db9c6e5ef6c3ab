package io.shardbus.persistence;

import io.shardbus.EntityFailure;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entity whose state is computed from its stored events. It decides on commands and applies events; the runtime
 * stores the events before the command is answered, and applies them again when the entity starts. Called as an {@link
 * io.shardbus.Entity} is: one command at a time. The next command may come before the events of the last one are
 * stored; it is given the state to which those events lead, see {@link EventSourced#withCommitWindow}.
 *
 * @param <M> the commands
 * @param <E> the events
 * @param <S> the state; immutable, or changed by {@link #apply} alone on a copy
 */
public interface EventSourcedEntity<M, E, S> {
    /** The state before the first event, and after a deletion. */
    S emptyState();

    /** Decides on a command. Changes nothing itself; an exception fails the ask, and nothing is stored. */
    Effect<E, S> handle(S state, M command, PersistenceContext<M> context);

    /**
     * The state after an event; pure and quick. Called before the event is stored, and again when the entity starts. If
     * it throws for a new event, the event is not stored.
     */
    S apply(S state, E event);

    /**
     * Called each time the stored state has been read: before the first command of an instance, and again before a
     * later command if the state had to be read again, for instance after a write with an unknown outcome.
     */
    default void recovered(S state, PersistenceContext<M> context) {}

    /** Stores an event. */
    default Effect<E, S> persist(E event) {
        return Effect.persist(List.of(event));
    }

    /** Stores events, all or none, in this order. */
    default Effect<E, S> persist(List<? extends E> events) {
        return Effect.persist(events);
    }

    /** Stores nothing, and answers with this value. */
    default Effect<E, S> reply(@Nullable Object answer) {
        return Effect.<E, S>none().thenReply(state -> answer);
    }

    /** Stores nothing and fails the ask with a code of the entity's own, as {@link EntityFailure}. */
    default Effect<E, S> refuse(String code, String text) {
        return Effect.refuse(new EntityFailure(code, text));
    }

    /** Stores nothing, and answers with null. */
    default Effect<E, S> nothing() {
        return Effect.none();
    }

    /**
     * Deletes the entity's events and snapshot. The next command meets the empty state; sequence numbers go on, and
     * projections see the deletion.
     */
    default Effect<E, S> delete() {
        return Effect.delete();
    }

    /**
     * A decision that awaits an asynchronous result; the next command waits until it is made. If the future fails, so
     * does the ask.
     */
    default Effect<E, S> after(Future<Effect<E, S>> decision) {
        return Effect.after(decision);
    }
}
