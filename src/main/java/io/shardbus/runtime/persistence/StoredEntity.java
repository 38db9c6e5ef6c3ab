package io.shardbus.runtime.persistence;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.core.persistence.Commit;
import io.shardbus.core.persistence.CommitWindow;
import io.shardbus.core.persistence.LogKey;
import io.shardbus.model.CommandId;
import io.shardbus.model.Deduplication;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.entity.CodedFailure;
import io.shardbus.runtime.entity.Erasable;
import io.shardbus.runtime.entity.HostedContext;
import io.shardbus.runtime.entity.IdentifiedReceiver;
import io.shardbus.runtime.entity.LateThrow;
import io.shardbus.spi.Discardable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A persistent entity as a plain one: reads what is stored before the first command, has the user's entity decide, and
 * answers when what follows is stored. Meanwhile it decides on further commands, as many as its window lets it, each on
 * the state to which those before it lead. Where the store fails, the state is read again before the next command; that
 * is no failure of the entity.
 *
 * @param <R> rows of the model
 * @param <L> what is read of an entity
 */
abstract class StoredEntity<M, S, R, L> implements Entity<M>, IdentifiedReceiver<M>, Erasable, Discardable {
    /** Bytes that a commit without rows counts for in the limits of the lane and of a batch. */
    private static final int CONFIRMATION_BYTES = 100;

    final String id;
    private final PersistenceStore store;
    /** The state after all decided commands, stored or not. */
    S state;
    /** Number of the last decided event, or revision of the state. */
    long number;
    /** The executed commands of senders that retry, as they are stored. */
    TakenCommands taken;
    /** {@link #taken} with the commands that are not stored yet; null if there are none, or before the first use. */
    private @Nullable TakenCommands takenAhead;

    private boolean isErased;
    /** The decided commands that are not answered; null before the first, and when all are answered. */
    private @Nullable CommitWindow window;
    /** The command whose outcome is being told, while its actions run. */
    private @Nullable Step told;
    /** The last decided command, if the next one waits until an earlier one is answered. */
    private @Nullable Step held;
    /** Whether the next command may come before the one in hand is answered: not where code has a thread of its own. */
    private boolean mayPipeline;
    /** The command that is being decided, if its sender retries it. */
    private @Nullable RepeatedCommand current;
    /** Whether the command that is being decided may have been executed before. */
    private boolean isRepetition;
    /** Whether the command in hand was stashed: it is decided again later. */
    private boolean isStashed;
    /** Generation of the log when the state was read; the state is read again when the log has another one. */
    private long generation;

    private boolean isCurrent;
    /** The present generation of the log; any thread. */
    private LongSupplier generations = () -> 0;

    private volatile boolean isGone;
    /** Host, log and context of the instance; null before it has started. */
    private @Nullable HostedContext host;

    private @Nullable LogKey key;
    private @Nullable InstanceContext<M> context;

    StoredEntity(PersistenceStore store, String id, S empty, Deduplication remembered) {
        this.store = store;
        this.id = id;
        this.state = empty;
        this.taken = new TakenCommands(remembered);
    }

    /** Persistence model of the type. */
    abstract TypeSpec.Model model();

    /** Commands of it that may be unanswered at once; at least 1. */
    abstract int commitWindow();

    abstract LaneLogs<R, L> makeLogs(TypeSpec spec, PersistenceStore in, HostedContext host);

    /** Sets {@link #state} and {@link #number} from what was read; on the lane. */
    abstract Future<Void> restore(L read);

    /** The state is there; on the lane. */
    abstract void recovered();

    /** Has the user's entity decide; what it throws is the command's failure. */
    abstract Future<@Nullable Object> decide(M message);

    /** Stores that there is no state any more. */
    abstract Ending end(Marked<S> marked);

    /** Whether the row sets or cancels reminders of its entity. */
    abstract boolean changesReminders(R row);

    /** All rows that lead to this state are stored, the last with this number; on the lane. */
    abstract void stored(S reached, long at, boolean wantsSnapshot);

    @Override
    public Future<?> started(EntityContext<M> plain) {
        if (!(plain instanceof HostedContext hosted)) {
            throw new IllegalStateException("a persistent entity runs in a region or in EntityTestKit");
        }
        host = hosted;
        context = new InstanceContext<>(plain, this);
        return load().otherwiseEmpty();
    }

    @Override
    public Future<?> receive(M message, EntityContext<M> plain) {
        begin();
        return whenCurrent(() -> decide(message));
    }

    @Override
    public Future<?> receive(M message, String commandId, EntityContext<M> plain) {
        begin();
        return whenCurrent(() -> decide(message, commandId));
    }

    @Override
    public Future<?> erase() {
        begin();
        isErased = true;
        return whenCurrent(this::eraseNow);
    }

    private Future<@Nullable Object> eraseNow() {
        var decided = new Decided.Answered<S>(null, true);
        if (number == 0) {
            return unstored(decided, true);
        }
        // the answers may tell what was stored
        return end(new Marked<>(decided, takenAhead(), TakenCommands::forgetAnswers))
                .dropped()
                .mapEmpty();
    }

    /** Whether the message in hand ends what is stored: what cannot be read then does not matter. */
    final boolean isErased() {
        return isErased;
    }

    private void begin() {
        current = null;
        isRepetition = false;
        isErased = false;
        isStashed = false;
        mayPipeline = host().lane().isLane();
    }

    /** Decides with the state as it is stored; if that is read first, on another thread of the entity's kind. */
    private Future<@Nullable Object> whenCurrent(Supplier<Future<@Nullable Object>> decision) {
        context().closeReminders();
        if (isCurrent && !isBroken() && generations.getAsLong() == generation) {
            return decideNow(decision);
        }
        Supplier<Future<@Nullable Object>> unlessGone = () -> isGone ? Future.failedFuture(gone()) : decision.get();
        return load().compose(done -> host().goOn(unlessGone));
    }

    /** An exception is reported when the commands before it are answered, and the next command waits for that. */
    private Future<@Nullable Object> decideNow(Supplier<Future<@Nullable Object>> decision) {
        Step telling = told;
        told = null;
        try {
            return decision.get();
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            if (isIdle()) {
                throw e;
            }
            return failed(new LateThrow(e));
        } finally {
            told = telling;
        }
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
            TakenCommands known = takenAhead();
            isRepetition = true;
            if (!command.isNewTo(known, host().lane().wallMillis())) {
                Object first = command.firstAnswer(known, context().type().name() + "/" + id);
                return answered(new Decided.Answered<>(first, false));
            }
        } catch (CodedFailure e) {
            return failed(e);
        }
        isRepetition = false;
        current = command;
        return decide(message);
    }

    /** The commands that are taken when all that is under way is stored. */
    private TakenCommands takenAhead() {
        TakenCommands known = takenAhead;
        if (known == null && !isIdle() && isNotedUnderWay()) {
            TakenCommands ahead = taken.layer();
            window().forEach(entry -> ((StoredEntity<?, ?, ?, ?>.Step) entry).noteIn(ahead));
            takenAhead = ahead;
            return ahead;
        }
        return known == null ? taken : known;
    }

    private boolean isNotedUnderWay() {
        return window().anyMatch(entry -> ((StoredEntity<?, ?, ?, ?>.Step) entry).isNoted());
    }

    /** The command in hand is about to be put aside. */
    final void stashed() {
        if (told != null) {
            throw new IllegalStateException("entity '" + id + "': an action after a command cannot put it aside");
        }
        isStashed = true;
    }

    /** Whether an action after an earlier command runs. */
    final boolean isInAction() {
        return told != null;
    }

    final long sequenceNumber() {
        Step of = told;
        return of == null ? number : of.at;
    }

    final Optional<CommandId> commandId() {
        Step of = told;
        return Optional.ofNullable(of == null ? current : of.command).flatMap(RepeatedCommand::commandId);
    }

    /**
     * An effect with what is stored of its command, whose last row has this number. The answer is made before, so that
     * it can be stored; what it throws is the command's failure.
     */
    final Marked<S> mark(Decided<S> decided, S next, long last) {
        RepeatedCommand command = current;
        if (command == null) {
            return new Marked<>(decided, takenAhead(), null);
        }
        long before = number;
        Object answer;
        try {
            number = last;
            answer = command.answer(() -> decided.answer(next));
        } finally {
            number = before;
        }
        return new Marked<>(new Decided.AnsweredEarly<>(decided, answer), takenAhead(), command.note(answer));
    }

    /** Like {@link #mark} for a command that stores nothing. Some are noted in the instance, as long as it lives. */
    private Marked<S> markUnstored(Decided<S> decided) {
        RepeatedCommand command = current;
        return command == null || !command.isNotedWithoutEffect() || isStashed
                ? new Marked<>(decided, taken, null)
                : mark(decided, state, number);
    }

    private Future<Void> load() {
        Promise<Void> done = Promise.promise();
        onLane(() -> {
            LogKey log = logs().key(context().shard(), context().token());
            key = log;
            generations = logs().generations(log);
            long before = generations.getAsLong();
            logs().load(log, id, host()).compose(this::restore).onComplete(result -> {
                isCurrent = result.succeeded();
                generation = before;
                if (result.failed() || isGone) {
                    done.fail(result.failed() ? result.cause() : gone());
                    return;
                }
                try {
                    if (window != null) {
                        window.renew();
                    }
                    recovered();
                    done.complete();
                } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                    isCurrent = false;
                    done.handle(isErased ? Future.succeededFuture() : Future.failedFuture(new LateThrow(e)));
                }
            });
        });
        return done.future();
    }

    /** A decided command, until it learns its outcome; on the lane. */
    private final class Step extends CommitWindow.Entry {
        private final Promise<@Nullable Object> answer;
        private final @Nullable RepeatedCommand command = current;
        private final boolean repeats = isRepetition;
        private final S reached = state;
        private final long at = number;
        private final boolean stores;
        /** Null for a command that fails. */
        private final @Nullable Marked<S> marked;

        private final @Nullable Throwable failure;

        /** A command with an effect, which may have no rows. */
        Step(Marked<S> marked, boolean stores, Promise<@Nullable Object> answer) {
            this.marked = marked;
            this.stores = stores;
            this.failure = null;
            this.answer = answer;
        }

        /** A command that fails, and stores nothing. */
        Step(Throwable failure, Promise<@Nullable Object> answer) {
            this.marked = null;
            this.stores = false;
            this.failure = failure;
            this.answer = answer;
        }

        boolean isNoted() {
            return marked != null && marked.note() != null;
        }

        void noteIn(@Nullable TakenCommands all) {
            Consumer<TakenCommands> note = marked == null ? null : marked.note();
            if (all != null && note != null) {
                note.accept(all);
            }
        }

        @Override
        protected void stored() {
            Step before = told;
            told = this;
            try {
                if (marked == null) {
                    answer.fail(failure);
                    return;
                }
                noteIn(taken);
                answered(marked.decided(), reached, answer);
                boolean wantsSnapshot = marked.decided().wantsSnapshot();
                if (stores || wantsSnapshot) {
                    StoredEntity.this.stored(reached, at, wantsSnapshot);
                }
            } finally {
                told = before;
                wasTold(this);
            }
        }

        @Override
        protected void failed(FailureCode code, String reason) {
            isCurrent = false;
            try {
                answer.fail(new CodedFailure(repeats ? FailureCode.OUTCOME_UNKNOWN : code, reason));
            } finally {
                wasTold(this);
            }
        }
    }

    private void wasTold(Step step) {
        CommitWindow open = window();
        if (open.isEmpty()) {
            takenAhead = null;
            window = open.isBroken() ? open : null;
        }
        if (held == step) {
            held = null;
        } else if (held != null && !open.isFull() && !open.isBroken() && logs().hasRoom()) {
            held = null;
            host().decided();
        }
    }

    /** The command is decided on: the next one may come, unless too many are unanswered. */
    private void letNextCome(Step step) {
        if (!mayPipeline || isIdle() || isBroken()) {
            return;
        }
        if (window().isFull() || !logs().hasRoom()) {
            held = step;
        } else {
            host().decided();
        }
    }

    /** Stores rows that lead to the next state; then the actions, then the answer. */
    final Future<@Nullable Object> commit(List<R> rows, int bytes, S next, Marked<S> marked) {
        return commit(rows, bytes, next, answer -> new Step(marked, !rows.isEmpty(), answer));
    }

    /** An effect without rows. To confirm it is a commit without rows, which fails if the log has another home. */
    final Future<@Nullable Object> unstored(Decided<S> decided, boolean isConfirmed) {
        return isConfirmed ? commit(List.of(), CONFIRMATION_BYTES, state, markUnstored(decided)) : answered(decided);
    }

    /** Like {@link #unstored} for a command that the entity refuses. */
    final Future<@Nullable Object> refused(Throwable refusal, boolean isConfirmed) {
        return isConfirmed
                ? commit(List.of(), CONFIRMATION_BYTES, state, answer -> new Step(refusal, answer))
                : failed(refusal);
    }

    private Future<@Nullable Object> commit(
            List<R> rows, int bytes, S next, Function<Promise<@Nullable Object>, Step> decided) {
        Promise<@Nullable Object> answer = Promise.promise();
        onLane(() -> {
            if (isGone) {
                answer.fail(gone());
                return;
            }
            state = next;
            number += rows.size();
            Step step = decided.apply(answer);
            CommitWindow open = window();
            step.noteIn(takenAhead);
            if (open.addCommit(step)) {
                send(open, step, rows, bytes);
                letNextCome(step);
            }
        });
        return answer.future();
    }

    private void send(CommitWindow open, Step step, List<R> rows, int bytes) {
        Commit<R> commit = new Commit<>(id, rows, bytes, rows.stream().anyMatch(this::changesReminders)) {
            @Override
            protected void stored() {
                open.stored(step);
            }

            @Override
            protected void failed(FailureCode code, String reason) {
                open.failed(step, code, reason);
            }
        };
        String outdated = "the store failed before this was stored";
        try {
            logs().commit(key(), generation, commit, () -> open.failed(step, FailureCode.STORE_UNAVAILABLE, outdated));
        } catch (RuntimeException e) {
            open.failed(step, FailureCode.STORE_UNAVAILABLE, outdated);
            throw e;
        }
    }

    /** An effect without rows: the actions, then the answer, at once or behind the commands that are under way. */
    final Future<@Nullable Object> answered(Decided<S> decided) {
        Marked<S> marked = markUnstored(decided);
        Promise<@Nullable Object> answer = Promise.promise();
        boolean isPlain = marked.note() == null && !decided.wantsSnapshot();
        if (isIdle() && !isBroken() && isPlain) {
            answered(decided, state, answer);
        } else {
            onLane(() -> {
                Step step = new Step(marked, false, answer);
                step.noteIn(takenAhead);
                window().addRead(step);
                letNextCome(step);
            });
        }
        return answer.future();
    }

    /** A refusal, at once or behind the commands that are under way. */
    final Future<@Nullable Object> failed(Throwable failure) {
        if (isIdle()) {
            return Future.failedFuture(failure);
        }
        Promise<@Nullable Object> answer = Promise.promise();
        Step step = new Step(failure, answer);
        window().addRead(step);
        if (!(failure instanceof LateThrow)) {
            letNextCome(step);
        }
        return answer.future();
    }

    /** Runs the actions, and answers; on the lane, or where the decision was made if nothing was stored. */
    private void answered(Decided<S> decided, S reached, Promise<@Nullable Object> answer) {
        if (!isGone) {
            context().act(decided, reached);
        }
        try {
            answer.complete(decided.answer(reached));
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            answer.tryFail(e);
        }
    }

    /** Carries out a decision that was made asynchronously. */
    final <D> Future<@Nullable Object> later(Future<D> decision, Function<D, Future<@Nullable Object>> carryOut) {
        Promise<@Nullable Object> answer = Promise.promise();
        decision.onComplete(made -> onLane(() -> {
            if (isGone) {
                answer.fail(gone());
                return;
            }
            Step telling = told;
            told = null;
            try {
                (made.failed() ? failed(made.cause()) : carryOut.apply(made.result())).onComplete(answer);
            } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                failed(new LateThrow(e)).onComplete(answer);
            } finally {
                told = telling;
            }
        }));
        return answer.future();
    }

    final void onLane(Runnable task) {
        host().lane().execute((hosting, now) -> task.run());
    }

    /** The failure of an entity whose stored rows cannot be read. */
    final Future<Void> unreadable(String why) {
        String text = "entity " + context().type().name() + "/" + id + ": " + why;
        host().counters().storeFailed(context().type().name(), text);
        return Future.failedFuture(new CodedFailure(FailureCode.STATE_UNREADABLE, text));
    }

    private CommitWindow window() {
        CommitWindow open = window;
        if (open == null) {
            open = new CommitWindow(commitWindow());
            window = open;
        }
        return open;
    }

    /** Whether no decided command is unanswered. */
    private boolean isIdle() {
        return window == null || window.isAtRest();
    }

    /** Whether the state is based on rows that were not stored. */
    private boolean isBroken() {
        return window != null && window.isBroken();
    }

    /** On the lane only. */
    final LaneLogs<R, L> logs() {
        HostedContext host = host();
        return host.lane().part(store, () -> {
            TypeSpec spec = new TypeSpec(context().type().name(), model(), host.numberOfShards(), host.addressing());
            return makeLogs(spec, store, host);
        });
    }

    final InstanceContext<M> context() {
        return present(context);
    }

    final LogKey key() {
        return present(key);
    }

    final HostedContext host() {
        return present(host);
    }

    private static <T> T present(@Nullable T part) {
        return Objects.requireNonNull(part, "the instance has not started");
    }

    final boolean isGone() {
        return isGone;
    }

    @Override
    public void discarded() {
        isGone = true;
    }
}
