package io.shardbus.runtime.persistence;

import io.shardbus.persistence.DurableState;
import io.shardbus.persistence.DurableStateEntity;
import io.shardbus.persistence.StateCodec;
import io.shardbus.persistence.StateEffect;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderChange;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.entity.CodedFailure;
import io.shardbus.runtime.entity.HostedContext;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An entity with a durable state as a plain one. */
final class DurableEntity<M, S> extends StoredEntity<M, S, StateRow, Optional<StateRow>> {
    /** Bytes of a row beside the user's values. */
    private static final int ROW_BYTES = 100;

    /** A state that is under way would be replaced by the next one: batches have each entity once. */
    private static final int ONE_COMMAND = 1;

    private final DurableState<M, S> type;
    private final DurableStateEntity<M, S> user;

    private DurableEntity(DurableState<M, S> type, PersistenceStore store, String id, DurableStateEntity<M, S> user) {
        super(store, id, user.emptyState(), type.deduplication());
        this.type = type;
        this.user = user;
    }

    static <M, S> DurableEntity<M, S> of(DurableState<M, S> type, PersistenceStore store, String id) {
        DurableStateEntity<M, S> user = Objects.requireNonNull(type.factory().apply(id), "the factory gave null");
        return new DurableEntity<>(type, store, id, user);
    }

    @Override
    int commitWindow() {
        return ONE_COMMAND;
    }

    @Override
    TypeSpec.Model model() {
        return TypeSpec.Model.STATE;
    }

    @Override
    LaneLogs<StateRow, Optional<StateRow>> makeLogs(TypeSpec spec, PersistenceStore in, HostedContext host) {
        return new StateLogs(spec, in, host, context().vertx());
    }

    @Override
    Future<Void> restore(Optional<StateRow> read) {
        state = user.emptyState();
        number = read.map(StateRow::revision).orElse(0L);
        try {
            taken = new TakenCommands(type.deduplication())
                    .after(read.map(StateRow::meta).orElse(null));
        } catch (WireFormatException e) {
            if (isErased()) {
                taken = new TakenCommands(type.deduplication());
                return Future.succeededFuture();
            }
            return unreadable(CodedFailure.because("the commands at its state " + number, e));
        }
        Buffer payload = read.map(StateRow::payload).orElse(null);
        if (read.isEmpty() || payload == null) {
            return Future.succeededFuture();
        }
        StateRow row = read.get();
        try {
            state = type.codec().decode(row.format(), row.version(), payload);
            return Future.succeededFuture();
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            return isErased()
                    ? Future.succeededFuture()
                    : unreadable(CodedFailure.because(
                            "its state " + row.revision() + " (version " + row.version() + ")", e));
        }
    }

    @Override
    void recovered() {
        user.recovered(state, context());
    }

    @Override
    Future<@Nullable Object> decide(M message) {
        context().openReminders();
        return carryOut(Objects.requireNonNull(user.handle(state, message, context()), "handle gave null"));
    }

    private Future<@Nullable Object> carryOut(StateEffect<S> effect) {
        Future<StateEffect<S>> decision = effect.decision().orElse(null);
        if (decision != null) {
            return later(decision, made -> carryOut(Objects.requireNonNull(made, "the decision is null")));
        }
        if (effect.refusal().isPresent()) {
            context().closeReminders();
            return refused(effect.refusal().get(), effect.isConfirmed());
        }
        S saved = effect.saved().orElse(null);
        StateCodec<S> codec = type.codec();
        if (effect.deletes()) {
            context().closeReminders();
            return end(mark(new Outcome(effect), user.emptyState(), number + 1)).stored();
        }
        if (saved == null) {
            context().requireNoReminders();
            return unstored(new Outcome(effect), effect.isConfirmed());
        }
        Buffer payload = codec.encode(saved);
        List<ReminderChange> changes = context().takeReminders();
        Marked<S> marked = mark(new Outcome(effect), saved, number + 1);
        Buffer commands = marked.whole();
        var row = new StateRow(id, number + 1, 0, codec.version(), codec.format(), payload, commands, changes);
        return commit(
                List.of(row),
                payload.length() + ROW_BYTES * (1 + changes.size()) + Marked.length(commands),
                saved,
                marked);
    }

    /** The row without a state takes the place of the one with it. */
    @Override
    Ending end(Marked<S> marked) {
        Buffer commands = marked.whole();
        StateCodec<S> codec = type.codec();
        var gone = new StateRow(id, number + 1, 0, codec.version(), codec.format(), null, commands);
        Future<@Nullable Object> stored =
                commit(List.of(gone), ROW_BYTES + Marked.length(commands), user.emptyState(), marked);
        return new Ending(stored, stored.mapEmpty());
    }

    @Override
    boolean changesReminders(StateRow row) {
        return row.payload() == null || !row.reminders().isEmpty();
    }

    @Override
    void stored(S reached, long at, boolean wantsSnapshot) {}

    /** Decision of the user's effect. */
    private final class Outcome implements Decided<S> {
        private final StateEffect<S> effect;

        Outcome(StateEffect<S> effect) {
            this.effect = effect;
        }

        @Override
        public boolean wantsSnapshot() {
            return false;
        }

        @Override
        public List<Consumer<? super S>> actions() {
            return effect.actions();
        }

        @Override
        public boolean passivates() {
            return effect.passivates();
        }

        @Override
        public @Nullable Object answer(S now) {
            return effect.answer(now);
        }
    }
}
