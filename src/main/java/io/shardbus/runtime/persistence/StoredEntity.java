package io.shardbus.runtime.persistence;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.core.persistence.Commit;
import io.shardbus.core.persistence.LogKey;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.entity.CodedFailure;
import io.shardbus.runtime.entity.HostedContext;
import io.shardbus.runtime.entity.IdentifiedReceiver;
import io.shardbus.spi.Discardable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A persistent entity as a plain one: reads what is stored before the first command, has the user's entity decide, and
 * answers when what follows is stored. Where the store fails, the state is read again before the next command; that is
 * no failure of the entity.
 *
 * @param <R> rows of the model
 * @param <L> what is read of an entity
 */
abstract class StoredEntity<M, S, R, L> implements Entity<M>, IdentifiedReceiver<M>, Discardable {
    private static final Logger LOG = LoggerFactory.getLogger(StoredEntity.class);

    final String id;
    private final PersistenceStore store;
    /** After all that is stored. */
    S state;
    /** Of the last event that is stored, or of the state. */
    long number;
    /** The commands of senders that repeat them, as they are stored. */
    TakenCommands taken = new TakenCommands();
    /** The command of such a sender that is decided on, or whose effect is under way. */
    private @Nullable RepeatedCommand current;
    /** Whether it is put aside: it is decided on again. */
    private boolean isStashed;
    /** Of the log, when the state was read. */
    private long generation;

    private boolean isCurrent;
    /** The present generation of the log; any thread. */
    private LongSupplier generations = () -> 0;

    private SetReminders reminders = new SetReminders(message -> Buffer.buffer());
    private volatile boolean isGone;
    private @Nullable Place<M> place;

    /** Host, log and context of the instance. */
    private record Place<M>(HostedContext host, LogKey key, PersistenceContext<M> context) {}

    StoredEntity(PersistenceStore store, String id, S empty) {
        this.store = store;
        this.id = id;
        this.state = empty;
    }

    /** Persistence model of the type. */
    abstract TypeSpec.Model model();

    abstract LaneLogs<R, L> makeLogs(TypeSpec spec, PersistenceStore in, HostedContext host);

    /** Sets {@link #state} and {@link #number} from what was read; on the lane. */
    abstract Future<Void> restore(L read);

    /** The state is there; on the lane. */
    abstract void recovered();

    /** Has the user's entity decide; what it throws is the command's failure. */
    abstract Future<@Nullable Object> decide(M message);

    /** Something was stored; on the lane. */
    abstract void stored();

    @Override
    public Future<?> started(EntityContext<M> plain) {
        if (!(plain instanceof HostedContext host)) {
            throw new IllegalStateException("a persistent entity runs in a region or in EntityTestKit");
        }
        LogKey key = new LogKey(plain.shard(), plain.token());
        reminders = new SetReminders(message -> encoded(host, message));
        place = new Place<>(
                host, key, new InstanceContext<>(plain, () -> number, this::commandId, this::stashed, reminders));
        return load().otherwiseEmpty();
    }

    @Override
    public Future<?> receive(M message, EntityContext<M> plain) {
        forgetCurrent();
        return whenCurrent(() -> decide(message));
    }

    @Override
    public Future<?> receive(M message, String commandId, EntityContext<M> plain) {
        forgetCurrent();
        return whenCurrent(() -> decide(message, commandId));
    }

    private void forgetCurrent() {
        current = null;
        isStashed = false;
    }

    /** Decides with the state as it is stored, on the thread of the caller if that may wait. */
    private Future<@Nullable Object> whenCurrent(Supplier<Future<@Nullable Object>> decision) {
        reminders.clear();
        if (isCurrent && generations.getAsLong() == generation) {
            return decision.get();
        }
        boolean hasThread = Context.isOnWorkerThread();
        Supplier<Future<@Nullable Object>> unlessGone = () -> isGone ? Future.failedFuture(gone()) : decision.get();
        return load().compose(done -> hasThread
                ? context().vertx().executeBlocking(unlessGone::get, false).compose(Function.identity())
                : unlessGone.get());
    }

    /** Ended by force: another instance may have read what is stored, and nothing of this one is stored any more. */
    private CodedFailure gone() {
        String text = "entity " + context().type().name() + "/" + id + ": this instance has ended";
        return new CodedFailure(FailureCode.ENTITY_STOPPED, text);
    }

    private Future<@Nullable Object> decide(M message, String tag) {
        RepeatedCommand command;
        try {
            command = RepeatedCommand.of(tag, message, host().payloads());
            if (!command.isNewTo(taken, host().lane().wallMillis())) {
                String entity = context().type().name() + "/" + id;
                return Future.succeededFuture(command.firstAnswer(taken, entity));
            }
        } catch (CodedFailure e) {
            return Future.failedFuture(e);
        }
        current = command;
        return command.isNotedWithoutEffect() ? decide(message).compose(said -> noted(command)) : decide(message);
    }

    private void stashed() {
        isStashed = true;
    }

    /** After its success: where it has stored nothing, it is noted nowhere yet. */
    private Future<@Nullable Object> noted(RepeatedCommand command) {
        if (isStashed) {
            return Future.succeededFuture();
        }
        Promise<@Nullable Object> answer = Promise.promise();
        onLane(() -> {
            command.note(null).accept(taken);
            answer.complete(null);
        });
        return answer.future();
    }

    private Optional<CommandId> commandId() {
        return Optional.ofNullable(current).flatMap(RepeatedCommand::commandId);
    }

    /**
     * An effect with what is stored of its command. The answer is made before, so that it can be stored; what it throws
     * is the command's failure.
     */
    final Marked<S> mark(Decided<S> decided, S next) {
        RepeatedCommand command = current;
        if (command == null) {
            return new Marked<>(decided, taken, null);
        }
        Object answer = command.answer(() -> decided.answer(next));
        return new Marked<>(new AnsweredEarly<>(decided, answer), taken, command.note(answer));
    }

    static int length(@Nullable Buffer bytes) {
        return bytes == null ? 0 : bytes.length();
    }

    /** An effect, and what is noted of its command if that is one that is sent again. */
    record Marked<S>(
            Decided<S> decided,
            TakenCommands before,
            @Nullable Consumer<TakenCommands> note) {
        /** For a row behind others. */
        @Nullable
        Buffer one() {
            return note == null ? null : TakenCommands.one(note);
        }

        /** For a row that takes the place of others. */
        @Nullable
        Buffer whole() {
            if (note == null) {
                return before.whole();
            }
            TakenCommands after = before.copy();
            note.accept(after);
            return after.whole();
        }
    }

    private record AnsweredEarly<S>(
            Decided<S> decided, @Nullable Object value) implements Decided<S> {
        @Override
        public List<Consumer<? super S>> actions() {
            return decided.actions();
        }

        @Override
        public boolean passivates() {
            return decided.passivates();
        }

        @Override
        public @Nullable Object answer(S state) {
            return value;
        }
    }

    private Future<Void> load() {
        Promise<Void> done = Promise.promise();
        onLane(() -> {
            generations = logs().generations(key());
            long before = generations.getAsLong();
            logs().load(key(), id).compose(this::restore).onComplete(result -> {
                isCurrent = result.succeeded();
                generation = before;
                if (result.failed() || isGone) {
                    done.fail(result.failed() ? result.cause() : gone());
                    return;
                }
                try {
                    recovered();
                    done.complete();
                } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
                    isCurrent = false;
                    done.fail(e);
                }
            });
        });
        return done.future();
    }

    /** Stores rows that lead to the next state; then the actions, then the answer. */
    final Future<@Nullable Object> commit(List<R> rows, int bytes, S next, Marked<S> marked) {
        Promise<@Nullable Object> answer = Promise.promise();
        Commit<R> commit = new Commit<>(id, rows, bytes) {
            @Override
            protected void stored() {
                state = next;
                number += rows.size();
                if (marked.note() != null) {
                    marked.note().accept(taken);
                }
                answered(marked.decided(), answer);
                StoredEntity.this.stored();
            }

            @Override
            protected void failed(FailureCode code, String reason) {
                isCurrent = false;
                answer.fail(new CodedFailure(code, reason));
            }
        };
        onLane(() -> {
            if (isGone) {
                answer.fail(gone());
                return;
            }
            logs().commit(key(), generation, commit, () -> {
                isCurrent = false;
                answer.fail(new CodedFailure(FailureCode.STORE_UNAVAILABLE, "the store failed before this was stored"));
            });
        });
        return answer.future();
    }

    /** Actions, passivation and answer after a decision has taken effect. */
    interface Decided<S> {
        List<Consumer<? super S>> actions();

        boolean passivates();

        @Nullable
        Object answer(S state);
    }

    /** Runs the actions, and answers; on the lane, or where the decision was made if nothing was stored. */
    final void answered(Decided<S> decided, Promise<@Nullable Object> answer) {
        if (!isGone) {
            for (Consumer<? super S> action : decided.actions()) {
                try {
                    action.accept(state);
                } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
                    LOG.warn(
                            "type={}: entity {}: an action after a command failed",
                            context().type().name(),
                            id,
                            e);
                }
            }
            if (decided.passivates()) {
                context().passivate();
            }
        }
        try {
            answer.complete(decided.answer(state));
        } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
            answer.tryFail(e);
        }
    }

    /** Carries out a decision that was made asynchronously. */
    final <D> Future<@Nullable Object> later(Future<D> decision, Function<D, Future<@Nullable Object>> carryOut) {
        Promise<@Nullable Object> answer = Promise.promise();
        decision.onComplete(made -> onLane(() -> {
            if (made.failed() || isGone) {
                answer.fail(made.failed() ? made.cause() : gone());
                return;
            }
            try {
                carryOut.apply(made.result()).onComplete(answer);
            } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
                answer.fail(e);
            }
        }));
        return answer.future();
    }

    final void onLane(Runnable task) {
        host().lane().execute((hosting, now) -> task.run());
    }

    /** The failure of an entity whose stored rows cannot be read. */
    final Future<Void> unreadable(String what, @Nullable Throwable why) {
        String text = "entity " + context().type().name() + "/" + id + ": " + what
                + (why == null ? "" : ": " + (why.getMessage() == null ? why.toString() : why.getMessage()));
        host().counters().storeFailed(context().type().name(), text);
        return Future.failedFuture(new CodedFailure(FailureCode.STATE_UNREADABLE, text));
    }

    /** A message as the type's codec writes it; fails for what is no message of the type. */
    private static Buffer encoded(HostedContext host, Object message) {
        Buffer bytes = Buffer.buffer();
        host.payloads().encodeMessage(message, bytes);
        host.payloads().decodeMessage(bytes, 0, bytes.length());
        return bytes;
    }

    /** The reminders that the command under way has set and cancelled. */
    final SetReminders reminders() {
        return reminders;
    }

    /** On the lane only. */
    final LaneLogs<R, L> logs() {
        HostedContext host = host();
        return host.lane().part(store, () -> {
            TypeSpec spec = new TypeSpec(context().type().name(), model(), host.numberOfShards(), host.addressing());
            return makeLogs(spec, store, host);
        });
    }

    final PersistenceContext<M> context() {
        return place().context();
    }

    final LogKey key() {
        return place().key();
    }

    final HostedContext host() {
        return place().host();
    }

    private Place<M> place() {
        return Objects.requireNonNull(place, "an instance that has started has a place");
    }

    final boolean isGone() {
        return isGone;
    }

    @Override
    public void discarded() {
        isGone = true;
    }
}
