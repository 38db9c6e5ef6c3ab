package io.shardbus.core.entity;

import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.RestartPolicy.Action;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * The place of one entity on its lane: at most one instance, one message at a time, and a mailbox while there is work.
 *
 * <pre>{@code
 *            begun            handled
 * STARTING ---------> IDLE <---------> BUSY
 *     |                 |                |  code threw: RESTART -> STARTING, RESUME -> IDLE,
 *     | failed          | stop           |              STOP -> ENDED, STOP_WITH_BACKOFF -> PAUSED -> STARTING;
 *     v                 v                v              beyond the limit: ENDED
 *   ENDED <--------- STOPPING <--- (forced when time is up)
 * }</pre>
 *
 * The subclass runs the user's code; it answers {@code begun}, {@code handled} and {@code stopped}, at once or later,
 * on the lane.
 */
public abstract class EntityCell extends MailboxOwner {
    /** What the shard has asked of a live instance that it may have to keep. */
    private enum Offer {
        NONE,
        /** It is asked what it knows; its messages wait. */
        ASKED,
        /** It has said it; its messages wait until it is known whether the shard moves. */
        MADE
    }

    private static final int BURST = 64;
    /** Not to be put away; else so many more messages at most are handled before. */
    private static final int STAYS = -1;

    private CellState state = CellState.ENDED;
    private int beforeEnd = STAYS;
    private boolean scheduled;
    private boolean stashing;
    /** Whether the subclass wants a turn before the next message. */
    private boolean turnAsked;
    /** Whether another instance begins when this one has ended. */
    private boolean again;

    private long deadline;
    private Offer offer = Offer.NONE;
    private @Nullable Envelope current;
    private @Nullable StopReason stopReason;
    private @Nullable Failures failures;

    protected EntityCell(String id) {
        super(id);
    }

    protected abstract RestartPolicy restartPolicy();

    /** Makes an instance and prepares it; ends with {@link #begun} or {@link #startFailed}. */
    protected abstract void beginStart(StartReason reason);

    /** Gives the instance a message; ends with {@link #handled}. */
    protected abstract void beginReceive(Envelope envelope);

    /** Ends the instance; ends with {@link #stopped}. */
    protected abstract void beginStop(StopReason reason);

    /** Forgets the instance, its timers, and code of it that still runs. */
    protected abstract void discard();

    /** Looks at the instance between two messages; ends with {@link #turnEnded}. */
    protected void beginTurn() {
        turnEnded();
    }

    /** Asks the instance what it knows, though it may stay; ends with {@link #offered}. */
    protected void beginOffer() {
        offered(null, null);
    }

    /**
     * Whether code of the instance occupies a thread of its own right now: the shard must not be given up before it
     * returns.
     */
    protected abstract boolean occupiesThread();

    /** The instance's code failed, so often in a row; its message has failed, the policy acts next. */
    protected void failureTreated(Action action, int inARow) {}

    /**
     * The instance has not ended in its time, and is ended without its consent next; its last code began so many
     * milliseconds ago.
     */
    protected void overtime(StopReason reason, long millis) {}

    /** Where the entity is: the answer to a start request. */
    protected abstract Object location();

    public final CellState state() {
        return state;
    }

    /** Whether an instance is there. */
    public final boolean isLive() {
        return state.isLive();
    }

    /** Whether nothing is under way and nothing waits. */
    public final boolean isQuiet() {
        return (state == CellState.IDLE || !isLive()) && holdsNothing();
    }

    /** Ends a pause early where messages wait: the shard wants to leave. */
    public final void hurry() {
        if (state == CellState.PAUSED && waiting() > 0) {
            start(StartReason.RESTART);
        }
    }

    /** Starts an instance, if one may start now; what waits without a lease is failed when the shard is stopped. */
    public final void start(StartReason reason) {
        again = false;
        turnAsked = false;
        if (!owner().mayStart(this)) {
            become(CellState.PAUSED);
            deadline = Long.MAX_VALUE;
            return;
        }
        become(CellState.STARTING);
        beforeEnd = STAYS;
        offer = Offer.NONE;
        stopReason = null;
        owner().starting(this);
        busyFrom(owner().now());
        owner().running(this);
        try {
            beginStart(reason);
        } finally {
            owner().running(null);
        }
    }

    /** Into a state with which an instance may begin or end; the others follow one another while it lives. */
    private void become(CellState next) {
        int change = (next.isLive() ? 1 : 0) - (isLive() ? 1 : 0);
        state = next;
        owner().live(change);
    }

    /** Takes a message: it runs now, waits its turn, or is refused because too many wait. */
    public final void offer(Envelope envelope) {
        if (state == CellState.IDLE && waiting() == 0 && !owner().isRunning() && beforeEnd == STAYS) {
            run(envelope);
            settle();
        } else if (keep(envelope)) {
            arrived();
        }
    }

    private void arrived() {
        if (state == CellState.IDLE) {
            schedule();
        } else if (state == CellState.ENDED) {
            start(StartReason.MESSAGE);
        }
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            owner().ready(this);
        }
    }

    /** Runs what waits, up to a burst, so that no entity keeps its lane. */
    public final void runWaiting() {
        scheduled = false;
        takeTurn();
        for (int i = 0;
                i < BURST && state == CellState.IDLE && beforeEnd != 0 && waiting() > 0 && owner().mayRun();
                i++) {
            Envelope next = next();
            if (next == null) {
                break;
            }
            beforeEnd = Math.max(STAYS, beforeEnd - 1);
            run(next);
        }
        settle();
    }

    private void settle() {
        if (state != CellState.IDLE) {
            return;
        }
        if (beforeEnd == 0 || (beforeEnd > 0 && waiting() == 0)) {
            putAwayNow();
        } else if (waiting() > 0 || turnAsked) {
            schedule();
        } else {
            tidy();
        }
    }

    /** An instance without a lease learns that it is over when its shard is stopped, not that it is put away. */
    private void putAwayNow() {
        if (owner().mayRun()) {
            owner().passivating();
            stop(StopReason.PASSIVATION);
        }
    }

    private void run(Envelope envelope) {
        if (envelope.isStart()) {
            owner().answered(envelope, location());
            return;
        }
        state = CellState.BUSY;
        current = envelope;
        busyFrom(owner().now());
        owner().running(this);
        try {
            beginReceive(envelope);
        } finally {
            owner().running(null);
        }
    }

    /** The instance is ready for messages. */
    protected final void begun() {
        if (state == CellState.STARTING) {
            state = CellState.IDLE;
            if (stopReason != null) {
                beginStopping(stopReason);
            } else if (hasWork()) {
                schedule();
            }
        }
    }

    /** The instance could not be prepared. */
    protected final void startFailed(Failure failure) {
        if (state != CellState.STARTING) {
            return;
        }
        Action action = judge(true);
        drop();
        if (action == Action.BACKING_OFF) {
            pause();
        } else {
            failWaiting(failure.code(), failure.message(), failure.entityCode());
            end();
        }
    }

    /**
     * The message is done.
     *
     * @param failure null when it went well
     * @param threw whether the instance's code threw, so that the restart policy applies
     */
    protected void handled(Envelope envelope, @Nullable Object value, @Nullable Failure failure, boolean threw) {
        if (current != envelope) {
            return;
        }
        current = null;
        boolean isStashed = stashing;
        stashing = false;
        if (failure != null) {
            owner().failed(envelope, isLate(envelope, failure) ? unknownOutcome() : failure);
        } else if (isStashed) {
            stash(envelope);
        } else {
            failures = Failures.afterSuccess(failures);
            answer(envelope, value);
        }
        if (state == CellState.BUSY) {
            state = CellState.IDLE;
            goOn(threw);
        }
    }

    private void answer(Envelope envelope, @Nullable Object value) {
        if (isLate(envelope, null)) {
            owner().failed(envelope, unknownOutcome());
        } else {
            owner().answered(envelope, value);
        }
    }

    /**
     * Whether an ask's answer comes when another instance may have begun elsewhere. One that was never begun can be
     * told so.
     */
    private boolean isLate(Envelope envelope, @Nullable Failure failure) {
        boolean begun = failure == null || failure.code() != FailureCode.NOT_IN_MAJORITY;
        return envelope.ask() != 0 && begun && !owner().holdsLease();
    }

    private Failure unknownOutcome() {
        String text = "entity '" + id() + "' answered after the lease of its shard had ended";
        return Failure.of(FailureCode.OUTCOME_UNKNOWN, text);
    }

    private void goOn(boolean threw) {
        if (threw) {
            applyPolicy();
        }
        if (state == CellState.IDLE && stopReason != null) {
            beginStopping(stopReason);
        } else if (state == CellState.IDLE && hasWork()) {
            schedule();
        }
    }

    private boolean hasWork() {
        return waiting() > 0 || turnAsked || beforeEnd != STAYS;
    }

    /**
     * Gives the subclass a turn between two messages, before those that wait; it begins with {@link #beginTurn}.
     *
     * @return false if there is no instance, or it is about to end
     */
    public final boolean askForTurn() {
        if (!isLive() || stopReason != null || beforeEnd != STAYS) {
            return false;
        }
        turnAsked = true;
        if (state == CellState.IDLE) {
            schedule();
        }
        return true;
    }

    private void takeTurn() {
        if (!turnAsked || state != CellState.IDLE || !owner().mayRun()) {
            return;
        }
        turnAsked = false;
        state = CellState.BUSY;
        busyFrom(owner().now());
        owner().running(this);
        try {
            beginTurn();
        } finally {
            owner().running(null);
        }
    }

    /** The turn that was asked for is over. */
    protected final void turnEnded() {
        if (state == CellState.BUSY && current == null && offer == Offer.NONE) {
            state = CellState.IDLE;
            goOn(false);
        }
    }

    /** The message in hand; null between two messages. */
    public final @Nullable Envelope inHand() {
        return current;
    }

    /** Puts the message in hand aside once its handling ends, unless that fails. */
    public final void stashCurrent() {
        if (current == null) {
            throw new IllegalStateException("entity '" + id() + "' has no message in hand that it could stash");
        }
        stashing = true;
    }

    /** Puts what is stashed before all that waits. */
    public final void unstash() {
        bringBack();
        if (state == CellState.IDLE && waiting() > 0) {
            schedule();
        }
    }

    private void applyPolicy() {
        Action action = judge(false);
        if (action == Action.RESUMED) {
            return;
        }
        drop();
        switch (action) {
            case RESTARTED -> start(StartReason.RESTART);
            case BACKING_OFF -> pause();
            default -> {
                if (action == Action.GAVE_UP || restartPolicy().kind() == RestartPolicy.Kind.STOP) {
                    failWaiting(FailureCode.ENTITY_STOPPED, "entity '" + id() + "' stopped after a failure", null);
                }
                end();
            }
        }
    }

    /** Counts one more failure, finds what the policy makes of it, and tells the subclass. */
    private Action judge(boolean isStart) {
        if (failures == null) {
            failures = new Failures();
        }
        Action judged = failures.judge(restartPolicy(), owner().now(), stopReason != null);
        boolean endsStart = judged == Action.RESUMED || judged == Action.RESTARTED;
        Action action = isStart && endsStart ? Action.STOPPED : judged;
        failureTreated(action, failures.inARow());
        if (action == Action.GAVE_UP) {
            failures = null;
        }
        return action;
    }

    /** The instance is no more; what it had put aside waits for the next one. */
    private void drop() {
        discard();
        bringBack();
    }

    private void pause() {
        become(CellState.PAUSED);
        deadline = owner().now() + (failures == null ? 0 : failures.pause(restartPolicy()));
        owner().wakeAt(this, deadline);
    }

    /** Asks for the instance to be put away once what waits now is handled; what comes later wakes a new one. */
    public final void putAway() {
        if (beforeEnd == STAYS) {
            beforeEnd = waiting();
        }
        if (state == CellState.IDLE) {
            schedule();
        }
    }

    /** Asks for the instance to be put away once what it does now is done; what waits wakes a new one. */
    public final void putAwayAtOnce() {
        beforeEnd = 0;
        if (state == CellState.IDLE) {
            schedule();
        }
    }

    /**
     * Ends the instance as a passivation does, by force when its time is up, and begins another one, which gets what
     * waits. A pause after a failure ends at once.
     *
     * @return false if there is no instance, or it is about to end
     */
    public final boolean restart() {
        if (state == CellState.PAUSED) {
            start(StartReason.RESTART);
            return true;
        }
        if (!isLive() || stopReason != null) {
            return false;
        }
        again = true;
        stop(StopReason.PASSIVATION);
        return true;
    }

    /** Asks an idle instance for what it knows; its messages wait until it goes on or is stopped. */
    public final void offerState() {
        state = CellState.BUSY;
        offer = Offer.ASKED;
        busyFrom(owner().now());
        owner().running(this);
        try {
            beginOffer();
        } finally {
            owner().running(null);
        }
    }

    /**
     * The instance has said what it knows.
     *
     * @param known null for nothing
     * @param refusal why it could not; null if it could
     */
    protected final void offered(@Nullable EntityState known, @Nullable String refusal) {
        if (offer == Offer.ASKED) {
            offer = Offer.MADE;
            owner().offered(this, known, refusal);
            if (offer == Offer.MADE && stopReason != null) {
                beginStopping(stopReason);
            }
        }
    }

    /** Whether the instance is asked what it knows, and has not said it. */
    public final boolean isAsked() {
        return offer == Offer.ASKED;
    }

    /** Whether the instance waits for its shard to move, or to stay. */
    public final boolean hasOffered() {
        return offer != Offer.NONE;
    }

    /** The shard stays: what was offered is void. */
    public final void goOn() {
        if (offer != Offer.NONE) {
            offer = Offer.NONE;
            state = CellState.IDLE;
            goOn(false);
        }
    }

    /** Ends the instance once what it does now is done; what waits stays in the mailbox. */
    public final void stop(StopReason reason) {
        stopReason = reason;
        deadline = owner().now() + owner().stopTimeout();
        switch (state) {
            case IDLE -> beginStopping(reason);
            case BUSY -> {
                if (offer == Offer.MADE) {
                    beginStopping(reason);
                } else {
                    owner().wakeAt(this, deadline);
                }
            }
            case STARTING, STOPPING -> owner().wakeAt(this, deadline);
            case PAUSED -> end();
            case ENDED -> {}
        }
    }

    private void beginStopping(StopReason reason) {
        state = CellState.STOPPING;
        owner().wakeAt(this, deadline);
        owner().running(this);
        try {
            beginStop(reason);
        } finally {
            owner().running(null);
        }
    }

    /** The instance has ended by itself. */
    protected final void stopped() {
        if (state == CellState.STOPPING) {
            drop();
            end();
        }
    }

    /** A moment given to wakeAt has come. */
    public final void wake() {
        if (owner().now() < deadline) {
            return;
        }
        if (state == CellState.PAUSED && waiting() > 0) {
            start(StartReason.RESTART);
        } else if (state == CellState.PAUSED) {
            end();
        } else if (stopReason != null && isLive()) {
            if (!occupiesThread()) {
                overtime(stopReason, owner().now() - busyFrom());
            }
            force();
        }
    }

    /** Ends the instance without its consent, unless its code is on a thread that cannot be taken back. */
    public final void force() {
        if (occupiesThread()) {
            deadline = owner().now() + owner().stopTimeout();
            owner().wakeAt(this, deadline);
            return;
        }
        Envelope interrupted = current;
        current = null;
        stashing = false;
        drop();
        if (interrupted != null) {
            owner().failed(
                            interrupted,
                            Failure.of(FailureCode.OUTCOME_UNKNOWN, "entity '" + id() + "' was stopped by force"));
        }
        end();
    }

    private void end() {
        become(CellState.ENDED);
        boolean wanted = waiting() > 0 && (stopReason == null || stopReason == StopReason.PASSIVATION);
        boolean restarts = again && stopReason == StopReason.PASSIVATION;
        if (wanted || restarts) {
            start(again ? StartReason.RESTART : StartReason.MESSAGE);
        } else {
            failWaiting(FailureCode.ENTITY_STOPPED, "entity '" + id() + "' stopped before it took it up again", null);
            owner().ended(this, stopReason);
        }
    }
}
