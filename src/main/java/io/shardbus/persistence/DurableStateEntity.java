package io.shardbus.persistence;

import io.shardbus.EntityFailure;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * An entity whose state is stored as a whole, with a revision that rises with each write. Called as an {@link
 * io.shardbus.Entity} is: one command at a time, and the next command only when the state that the last one saved is
 * stored.
 *
 * @param <M> the commands
 * @param <S> the state; immutable
 */
public interface DurableStateEntity<M, S> {
    /** The state before the first one is saved, and after a deletion. */
    S emptyState();

    /** Decides on a command. Changes nothing itself; an exception fails the ask, and nothing is stored. */
    StateEffect<S> handle(S state, M command, PersistenceContext<M> context);

    /**
     * Called each time the stored state has been read: before the first command of an instance, and again before a
     * later command if the state had to be read again, for instance after a write with an unknown outcome.
     */
    default void recovered(S state, PersistenceContext<M> context) {}

    /** Stores this state in place of the present one. */
    default StateEffect<S> save(S state) {
        return StateEffect.save(state);
    }

    /** Stores nothing, and answers with this value. */
    default StateEffect<S> reply(@Nullable Object answer) {
        return StateEffect.<S>none().thenReply(state -> answer);
    }

    /** Stores nothing and fails the ask with a code of the entity's own, as {@link EntityFailure}. */
    default StateEffect<S> refuse(String code, String text) {
        return StateEffect.refuse(new EntityFailure(code, text));
    }

    /** Stores nothing, and answers with null. */
    default StateEffect<S> nothing() {
        return StateEffect.none();
    }

    /** Deletes the state. The next command meets the empty state; revisions go on. */
    default StateEffect<S> delete() {
        return StateEffect.delete();
    }

    /**
     * A decision that awaits an asynchronous result; the next command waits for it. If the future fails, so does the
     * ask.
     */
    default StateEffect<S> after(Future<StateEffect<S>> decision) {
        return StateEffect.after(decision);
    }
}
