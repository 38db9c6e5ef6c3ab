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
 * Decision of an event-sourced entity about a command: the events to store, the answer, and the actions that follow.
 * Immutable. When the events are stored, answer and actions are computed in order, from the state right after these
 * events, on the shard's event loop. Actions do not run if the instance has ended by then.
 *
 * @param <E> the events
 * @param <S> the state
 */
public final class Effect<E, S> {
    private static final Function<Object, @Nullable Object> NO_ANSWER = state -> null;

    private final List<E> events;
    private final boolean deletes;
    private final @Nullable EntityFailure refusal;
    private final @Nullable Future<Effect<E, S>> decision;
    private final Function<? super S, ? extends @Nullable Object> answer;
    private final List<Consumer<? super S>> actions;
    private final boolean snapshot;
    private final boolean passivates;
    private final boolean confirmed;

    private Effect(
            List<E> events,
            boolean deletes,
            @Nullable EntityFailure refusal,
            @Nullable Future<Effect<E, S>> decision,
            Function<? super S, ? extends @Nullable Object> answer,
            After<S> after) {
        this.events = events;
        this.deletes = deletes;
        this.refusal = refusal;
        this.decision = decision;
        this.answer = answer;
        this.actions = after.actions();
        this.snapshot = after.snapshot();
        this.passivates = after.passivates();
        this.confirmed = after.confirmed();
    }

    /** Actions after the events are stored. */
    private record After<S>(
            List<Consumer<? super S>> actions, boolean snapshot, boolean passivates, boolean confirmed) {}

    private static <S> After<S> nothingMore() {
        return new After<>(List.of(), false, false, false);
    }

    static <E, S> Effect<E, S> persist(List<? extends E> events) {
        return new Effect<>(List.copyOf(events), false, null, null, NO_ANSWER, nothingMore());
    }

    static <E, S> Effect<E, S> none() {
        return persist(List.of());
    }

    static <E, S> Effect<E, S> refuse(EntityFailure refusal) {
        return new Effect<>(List.of(), false, refusal, null, NO_ANSWER, nothingMore());
    }

    static <E, S> Effect<E, S> delete() {
        return new Effect<>(List.of(), true, null, null, NO_ANSWER, nothingMore());
    }

    static <E, S> Effect<E, S> after(Future<Effect<E, S>> decision) {
        Objects.requireNonNull(decision, "decision");
        return new Effect<>(List.of(), false, null, decision, NO_ANSWER, nothingMore());
    }

    /** Answers the ask from the state after the events; without this, the answer is null. */
    public Effect<E, S> thenReply(Function<? super S, ? extends @Nullable Object> reply) {
        Objects.requireNonNull(reply, "reply");
        return new Effect<>(
                events, deletes, refusal, decision, reply, new After<>(actions, snapshot, passivates, confirmed));
    }

    /**
     * Runs an action at most once; an action that must run at least once belongs in a projection. An exception is
     * logged.
     */
    public Effect<E, S> thenRun(Consumer<? super S> action) {
        Objects.requireNonNull(action, "action");
        List<Consumer<? super S>> more = new ArrayList<>(actions);
        more.add(action);
        return with(new After<S>(List.copyOf(more), snapshot, passivates, confirmed));
    }

    /** Stores a snapshot of the state, if the type has a codec for it. */
    public Effect<E, S> thenSnapshot() {
        return with(new After<>(actions, true, passivates, confirmed));
    }

    /** Passivates the entity, as {@link io.shardbus.EntityContext#passivate} does. */
    public Effect<E, S> thenPassivate() {
        return with(new After<>(actions, snapshot, true, confirmed));
    }

    /**
     * Makes the answer of an effect without events, or its refusal, wait until the store has confirmed that this node
     * is the home of the entity. The answer is then at least as recent as the ask, even if this node was paused for
     * longer than its lease. It costs a write to the store, which may be shared with other commands. If another node is
     * the home, the ask fails with {@link io.shardbus.model.FailureCode#SUPERSEDED}. An effect with events needs no
     * such confirmation: the store checks the home with each write.
     */
    public Effect<E, S> confirmed() {
        return with(new After<>(actions, snapshot, passivates, true));
    }

    private Effect<E, S> with(After<S> after) {
        return new Effect<>(events, deletes, refusal, decision, answer, after);
    }

    /** The events to store, in order. */
    public List<E> events() {
        return events;
    }

    /** Whether the entity is deleted. */
    public boolean deletes() {
        return deletes;
    }

    /** The refusal of the command, if it is refused. */
    public Optional<EntityFailure> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** The pending decision, if this effect was made by {@code after}; then no other part of this effect counts. */
    public Optional<Future<Effect<E, S>>> decision() {
        return Optional.ofNullable(decision);
    }

    /** The answer, from the state after the events. */
    public @Nullable Object answer(S state) {
        return answer.apply(state);
    }

    /** The actions to run after the events are stored. */
    public List<Consumer<? super S>> actions() {
        return actions;
    }

    /** Whether a snapshot is wanted. */
    public boolean wantsSnapshot() {
        return snapshot;
    }

    /** Whether the entity is passivated. */
    public boolean passivates() {
        return passivates;
    }

    /** Whether an answer without events waits until the store has confirmed the home. */
    public boolean isConfirmed() {
        return confirmed;
    }
}
