package io.shardbus.core.entity;

import io.shardbus.FailureCode;
import io.shardbus.RestartPolicy;
import io.shardbus.StartReason;
import io.shardbus.StopReason;
import io.shardbus.core.passivation.Resident;
import io.shardbus.core.protocol.Failure;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The place of one entity on its lane: at most one instance, one message at a time, and a mailbox while there is work.
 *
 * <pre>
 *            begun            handled
 * STARTING ---------> IDLE <---------> BUSY
 *     |                 |                |  code threw: RESTART -> STARTING, RESUME -> IDLE,
 *     | failed          | stop           |              STOP -> ENDED, STOP_WITH_BACKOFF -> PAUSED -> STARTING
 *     v                 v                v
 *   ENDED <--------- STOPPING <--- (forced when time is up)
 * </pre>
 *
 * The subclass runs the user's code; it answers {@code begun}, {@code handled} and {@code stopped}, at once or later, on the lane.
 */
public abstract class EntityCell extends Resident {
    private static final int BURST = 64;
    /** Not to be put away; else so many more messages at most are handled before. */
    private static final int STAYS = -1;

    /** Where the cell is in its life. */
    public enum State {
        STARTING,
        IDLE,
        BUSY,
        STOPPING,
        PAUSED,
        ENDED
    }

    private State state = State.ENDED;
    private int beforeEnd = STAYS;
    private boolean scheduled;
    private int failures;
    private long deadline;
    private @Nullable Envelope current;
    private @Nullable StopReason stopReason;
    private @Nullable ArrayDeque<Envelope> mailbox;

    protected EntityCell(String id) {
        super(id);
    }

    protected abstract EntityOwner owner();

    protected abstract RestartPolicy restartPolicy();

    /** Makes an instance and prepares it; ends with {@link #begun} or {@link #startFailed}. */
    protected abstract void beginStart(StartReason reason);

    /** Gives the instance a message; ends with {@link #handled}. */
    protected abstract void beginReceive(Envelope envelope);

    /** Ends the instance; ends with {@link #stopped}. */
    protected abstract void beginStop(StopReason reason);

    /** Forgets the instance, its timers, and whatever it still does. */
    protected abstract void discard();

    /** Whether code of the instance occupies a thread of its own right now: the shard must not be given up before it returns. */
    protected abstract boolean occupiesThread();

    /** Where the entity is: the answer to a start request. */
    protected abstract Object location();

    public final State state() {
        return state;
    }

    /** Whether an instance is there. */
    public final boolean isLive() {
        return state == State.STARTING || state == State.IDLE || state == State.BUSY || state == State.STOPPING;
    }

    /** Whether nothing is under way and nothing waits. */
    public final boolean isQuiet() {
        boolean resting = state == State.IDLE || state == State.PAUSED || state == State.ENDED;
        return resting && waiting() == 0;
    }

    /** Ends a pause early where messages wait: the shard wants to leave. */
    public final void hurry() {
        if (state == State.PAUSED && waiting() > 0) {
            start(StartReason.RESTART);
        }
    }

    public final int waiting() {
        return mailbox == null ? 0 : mailbox.size();
    }

    /** Starts an instance, if one may start now; what waits without a lease is failed when the shard is stopped. */
    public final void start(StartReason reason) {
        if (!owner().mayStart(this)) {
            state = State.PAUSED;
            deadline = Long.MAX_VALUE;
            return;
        }
        state = State.STARTING;
        beforeEnd = STAYS;
        stopReason = null;
        owner().starting(this);
        owner().running(this);
        try {
            beginStart(reason);
        } finally {
            owner().running(null);
        }
    }

    /** Takes a message: it runs now, waits its turn, or is refused because too many wait. */
    public final void offer(Envelope envelope) {
        if (state == State.IDLE && waiting() == 0 && !owner().isRunning() && beforeEnd == STAYS) {
            run(envelope);
            settle();
        } else if (waiting() >= owner().mailboxSize()) {
            owner().failed(
                            envelope,
                            Failure.of(
                                    FailureCode.MAILBOX_FULL, waiting() + " messages wait for entity '" + id() + "'"));
        } else {
            enqueue(envelope);
        }
    }

    private void enqueue(Envelope envelope) {
        if (mailbox == null) {
            mailbox = new ArrayDeque<>(4);
        }
        mailbox.add(envelope);
        if (state == State.IDLE) {
            schedule();
        } else if (state == State.ENDED) {
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
        for (int i = 0; i < BURST && state == State.IDLE && beforeEnd != 0; i++) {
            Envelope next = mailbox == null ? null : mailbox.poll();
            if (next == null) {
                break;
            }
            beforeEnd = Math.max(STAYS, beforeEnd - 1);
            run(next);
        }
        settle();
    }

    private void settle() {
        if (state != State.IDLE) {
            return;
        }
        if (beforeEnd == 0 || (beforeEnd > 0 && waiting() == 0)) {
            stop(StopReason.PASSIVATION);
        } else if (waiting() > 0) {
            schedule();
        } else {
            mailbox = null;
        }
    }

    private void run(Envelope envelope) {
        if (envelope.isStart()) {
            owner().answered(envelope, location());
            return;
        }
        state = State.BUSY;
        current = envelope;
        owner().running(this);
        try {
            beginReceive(envelope);
        } finally {
            owner().running(null);
        }
    }

    /** The instance is ready for messages. */
    protected final void begun() {
        if (state == State.STARTING) {
            state = State.IDLE;
            if (stopReason != null) {
                beginStopping(stopReason);
            } else if (waiting() > 0 || beforeEnd != STAYS) {
                schedule();
            }
        }
    }

    /** The instance could not be prepared. */
    protected final void startFailed(Failure failure) {
        if (state != State.STARTING) {
            return;
        }
        failures++;
        owner().count(FailureCode.ENTITY_FAILED);
        discard();
        if (restartPolicy().kind() == RestartPolicy.Kind.STOP_WITH_BACKOFF && stopReason == null) {
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
    protected final void handled(Envelope envelope, @Nullable Object value, @Nullable Failure failure, boolean threw) {
        if (current != envelope) {
            return;
        }
        current = null;
        if (failure == null) {
            failures = 0;
            owner().answered(envelope, value);
        } else {
            owner().failed(envelope, failure);
        }
        if (state == State.BUSY) {
            state = State.IDLE;
            goOn(threw);
        }
    }

    private void goOn(boolean threw) {
        if (threw) {
            applyPolicy();
        }
        if (state == State.IDLE && stopReason != null) {
            beginStopping(stopReason);
        } else if (state == State.IDLE && (waiting() > 0 || beforeEnd != STAYS)) {
            schedule();
        }
    }

    private void applyPolicy() {
        failures++;
        owner().count(FailureCode.ENTITY_FAILED);
        switch (restartPolicy().kind()) {
            case RESUME -> {}
            case RESTART -> restart();
            case STOP -> {
                discard();
                failWaiting(FailureCode.ENTITY_STOPPED, "entity '" + id() + "' stopped after a failure", null);
                end();
            }
            case STOP_WITH_BACKOFF -> {
                discard();
                pauseOrEnd();
            }
        }
    }

    private void restart() {
        discard();
        if (stopReason == null) {
            start(StartReason.RESTART);
        } else {
            end();
        }
    }

    private void pauseOrEnd() {
        if (stopReason == null) {
            pause();
        } else {
            end();
        }
    }

    private void pause() {
        RestartPolicy policy = restartPolicy();
        long millis = policy.minBackoff().toMillis() << Math.min(failures - 1, 20);
        state = State.PAUSED;
        deadline = owner().now() + Math.min(millis, policy.maxBackoff().toMillis());
        owner().wakeAt(this, deadline);
    }

    /** Asks for the instance to be put away when its mailbox is empty, or after a burst; what comes then wakes a new one. */
    public final void putAway() {
        if (beforeEnd == STAYS) {
            beforeEnd = Math.max(BURST, waiting());
        }
        if (state == State.IDLE) {
            schedule();
        }
    }

    /** Ends the instance once what it does now is done; what waits stays in the mailbox. */
    public final void stop(StopReason reason) {
        stopReason = reason;
        deadline = owner().now() + owner().stopTimeout();
        switch (state) {
            case IDLE -> beginStopping(reason);
            case STARTING, BUSY, STOPPING -> owner().wakeAt(this, deadline);
            case PAUSED -> end();
            case ENDED -> {}
        }
    }

    private void beginStopping(StopReason reason) {
        state = State.STOPPING;
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
        if (state == State.STOPPING) {
            discard();
            end();
        }
    }

    /** A moment given to wakeAt has come. */
    public final void wake() {
        if (owner().now() < deadline) {
            return;
        }
        if (state == State.PAUSED) {
            wakeFromPause();
        } else if (stopReason != null && isLive()) {
            force();
        }
    }

    private void wakeFromPause() {
        if (waiting() > 0) {
            start(StartReason.RESTART);
        } else {
            end();
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
        discard();
        if (interrupted != null) {
            owner().failed(
                            interrupted,
                            Failure.of(FailureCode.OUTCOME_UNKNOWN, "entity '" + id() + "' was stopped by force"));
        }
        end();
    }

    private void end() {
        state = State.ENDED;
        boolean wanted = waiting() > 0 && (stopReason == null || stopReason == StopReason.PASSIVATION);
        if (wanted) {
            start(StartReason.MESSAGE);
        } else {
            owner().ended(this, stopReason);
        }
    }

    /** Takes what waits out of the mailbox and fails it. */
    public final void failWaiting(FailureCode code, String message, @Nullable String entityCode) {
        ArrayDeque<Envelope> waiting = mailbox;
        mailbox = null;
        if (waiting != null) {
            for (Envelope envelope : waiting) {
                owner().failed(envelope, new Failure(code, message, entityCode));
            }
        }
    }
}
