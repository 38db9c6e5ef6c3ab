package io.shardbus.persistence;

import io.shardbus.EntityFailure;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decision of an entity with a durable state about a command: the state to store, the answer, and the actions that
 * follow. Immutable. When the state is stored, answer and actions are computed in order, on the shard's event loop.
 * Actions do not run if the instance has ended by then.
 *
 * @param <S> the state
 */
public final class StateEffect<S> {
    private static final Function<Object, @Nullable Object> NO_ANSWER = state -> null;

    private final @Nullable S saved;
    private final boolean deletes;
    private final @Nullable EntityFailure refusal;
    private final @Nullable Future<StateEffect<S>> decision;
    private final Function<? super S, ? extends @Nullable Object> answer;
    private final List<Consumer<? super S>> actions;
    private final boolean passivates;
    private final boolean confirmed;

    private StateEffect(
            @Nullable S saved,
            boolean deletes,
            @Nullable EntityFailure refusal,
            @Nullable Future<StateEffect<S>> decision) {
        this.saved = saved;
        this.deletes = deletes;
        this.refusal = refusal;
        this.decision = decision;
        this.answer = NO_ANSWER;
        this.actions = List.of();
        this.passivates = false;
        this.confirmed = false;
    }

    private StateEffect(
            StateEffect<S> before,
            Function<? super S, ? extends @Nullable Object> answer,
            List<Consumer<? super S>> actions,
            boolean passivates,
            boolean confirmed) {
        this.saved = before.saved;
        this.deletes = before.deletes;
        this.refusal = before.refusal;
        this.decision = before.decision;
        this.answer = answer;
        this.actions = actions;
        this.passivates = passivates;
        this.confirmed = confirmed;
    }

    static <S> StateEffect<S> save(S state) {
        return new StateEffect<>(Objects.requireNonNull(state, "state"), false, null, null);
    }

    static <S> StateEffect<S> none() {
        return new StateEffect<>(null, false, null, null);
    }

    static <S> StateEffect<S> refuse(EntityFailure refusal) {
        return new StateEffect<>(null, false, refusal, null);
    }

    static <S> StateEffect<S> delete() {
        return new StateEffect<>(null, true, null, null);
    }

    static <S> StateEffect<S> after(Future<StateEffect<S>> decision) {
        return new StateEffect<>(null, false, null, Objects.requireNonNull(decision, "decision"));
    }

    /** Answers the ask from the state after the command; without this, the answer is null. */
    public StateEffect<S> thenReply(Function<? super S, ? extends @Nullable Object> reply) {
        return new StateEffect<>(this, Objects.requireNonNull(reply, "reply"), actions, passivates, confirmed);
    }

    /** Runs an action at most once. An exception is logged. */
    public StateEffect<S> thenRun(Consumer<? super S> action) {
        List<Consumer<? super S>> more = new ArrayList<>(actions);
        more.add(Objects.requireNonNull(action, "action"));
        return new StateEffect<S>(this, answer, List.copyOf(more), passivates, confirmed);
    }

    /** Passivates the entity, as {@link io.shardbus.EntityContext#passivate} does. */
    public StateEffect<S> thenPassivate() {
        return new StateEffect<>(this, answer, actions, true, confirmed);
    }

    /**
     * Makes the answer of an effect that stores nothing, or its refusal, wait until the store has confirmed that this
     * node is the home of the entity; as {@link Effect#confirmed}.
     */
    public StateEffect<S> confirmed() {
        return new StateEffect<>(this, answer, actions, passivates, true);
    }

    /** The state to store, if there is one. */
    public Optional<S> saved() {
        return Optional.ofNullable(saved);
    }

    /** Whether the state is deleted. */
    public boolean deletes() {
        return deletes;
    }

    /** The refusal of the command, if it is refused. */
    public Optional<EntityFailure> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** The pending decision, if this effect was made by {@code after}; then no other part of this effect counts. */
    public Optional<Future<StateEffect<S>>> decision() {
        return Optional.ofNullable(decision);
    }

    /** The answer, from the state after the command. */
    public @Nullable Object answer(S state) {
        return answer.apply(state);
    }

    /** The actions to run after the state is stored. */
    public List<Consumer<? super S>> actions() {
        return actions;
    }

    /** Whether the entity is passivated. */
    public boolean passivates() {
        return passivates;
    }

    /** Whether an answer without a state to store waits until the store has confirmed the home. */
    public boolean isConfirmed() {
        return confirmed;
    }
}
