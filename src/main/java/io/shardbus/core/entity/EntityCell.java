package io.shardbus.core.entity;

import io.shardbus.core.passivation.PassivationNode;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The place of one entity on its lane: at most one instance, one message at a time, and a mailbox while there is work.
 * The cell says what comes next; it has its parts for the rest: the code of the entity, the mailbox with the stash,
 * the messages that are handled and not answered, the end that the instance is to come to, the failures that the
 * restart policy counts, and the place in the lists of passivation.
 *
 * <pre>{@code
 *            begun            handled
 * STARTING ---------> IDLE <---------> BUSY
 *     |               |  ^               |  code threw: RESTART -> STARTING, RESUME -> IDLE,
 *     |               |  | goOn          |              STOP -> ENDED, STOP_WITH_BACKOFF -> PAUSED -> STARTING;
 *     |   offerState  |  |               |              beyond the limit: ENDED
 *     |               |  ASKED --offered--> OFFERED
 *     | failed        | stop             |    | stop
 *     v               v                  v    v
 *   ENDED <--------- STOPPING <--------- (forced when time is up)
 * }</pre>
 *
 * The {@link EntityCode} answers {@code begun}, {@code handled} and {@code stopped}, at once or later, on the lane. It
 * may say {@code decided} before {@code handled}: then the next message may come, and the state is UNANSWERED until
 * there is nothing left to answer. Turns, offers and stops wait for that.
 */
public final class EntityCell implements PassivationNode.Owner {
    private static final int BURST = 64;

    private final String id;
    private final EntityOwner owner;
    private final EntityCode code;
    private final PassivationNode place = new PassivationNode(this);
    /** Null while nothing waits and nothing is stashed. */
    private @Nullable Mailbox mailbox;

    private CellState state = CellState.ENDED;
    private boolean scheduled;
    private boolean stashing;
    /** Whether the code wants a turn before the next message. */
    private boolean turnAsked;

    private long deadline;
    private long busyFrom;
    /** In hand, or the last that was decided on and is not answered. */
    private @Nullable Envelope current;
    /** The messages that were decided on before {@link #current} and are not answered; null for none. */
    private @Nullable Unanswered earlier;
    /** Null for an instance that stays. */
    private @Nullable Ending ending;

    private @Nullable Failures failures;

    /** @param code the entity's code, which answers to this cell alone */
    public EntityCell(String id, EntityOwner owner, EntityCode code) {
        this.id = id;
        this.owner = owner;
        this.code = code;
    }

    @Override
    public String id() {
        return id;
    }

    /** The code that runs in it. */
    public EntityCode code() {
        return code;
    }

    /** Its place in the lists of its shard's passivation. */
    public PassivationNode place() {
        return place;
    }

    @Override
    public boolean isAwaited() {
        return code.isAwaited();
    }

    @Override
    public boolean isWanted() {
        return waiting() > 0;
    }

    /** Messages that wait for their turn, without those that are stashed. */
    public int waiting() {
        return mailbox == null ? 0 : mailbox.waiting();
    }

    /** Messages that are stashed. */
    public int stashed() {
        return mailbox == null ? 0 : mailbox.stashed();
    }

    /** For how long the message that is next has waited or been stashed, in milliseconds; 0 where none waits. */
    public long oldestWait() {
        return mailbox == null ? 0 : mailbox.oldestWait();
    }

    /** Moment at which it took up the message that is answered next, or last took up a message or began a start. */
    public long busyFrom() {
        return earlier == null ? busyFrom : earlier.from();
    }

    public CellState state() {
        return state;
    }

    /** Whether an instance is there. */
    public boolean isLive() {
        return state.isLive();
    }

    /** Whether nothing is under way and nothing waits. */
    public boolean isQuiet() {
        return (state == CellState.IDLE || !isLive()) && (mailbox == null || mailbox.isEmpty());
    }

    /** Ends a pause early where messages wait: the shard wants to leave. */
    public void hurry() {
        if (state == CellState.PAUSED && waiting() > 0) {
            start(StartReason.RESTART);
        }
    }

    /** Starts an instance, if one may start now; what waits without a lease is failed when the shard is stopped. */
    public void start(StartReason reason) {
        turnAsked = false;
        if (!owner.mayStart(this)) {
            become(CellState.PAUSED);
            deadline = Long.MAX_VALUE;
            return;
        }
        become(CellState.STARTING);
        ending = null;
        owner.starting(this);
        busyFrom = owner.now();
        CodeCalls.start(this, owner, code, reason);
    }

    /** Into a state with which an instance may begin or end; the others follow one another while it lives. */
    private void become(CellState next) {
        int change = (next.isLive() ? 1 : 0) - (isLive() ? 1 : 0);
        state = next;
        owner.live(change);
    }

    /** Takes a message: it runs now, waits its turn, or is refused because too many wait. */
    public void offer(Envelope envelope) {
        if (isReady() && waiting() == 0 && !owner.isRunning() && ending == null) {
            run(envelope);
            settle();
        } else if (mailbox().keep(envelope)) {
            arrived();
        }
    }

    private Mailbox mailbox() {
        Mailbox present = mailbox;
        if (present == null) {
            present = new Mailbox(id, owner);
            mailbox = present;
        }
        return present;
    }

    /** Whether the next message may be taken up. */
    private boolean isReady() {
        return state == CellState.IDLE || (state == CellState.UNANSWERED && !turnAsked);
    }

    private void arrived() {
        if (isReady()) {
            schedule();
        } else {
            CodeCalls.messageWaits(this, code);
        }
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            owner.ready(this);
        }
    }

    /** Runs what waits, up to a burst, so that no entity keeps its lane. */
    public void runWaiting() {
        scheduled = false;
        takeTurn();
        for (int i = 0; i < BURST && isReady() && mayTakeMore() && mailbox != null; i++) {
            Envelope next = mailbox.waiting() > 0 && owner.mayRun() ? mailbox.next(code) : null;
            if (next == null) {
                break;
            }
            if (ending != null) {
                ending.taken();
            }
            run(next);
        }
        settle();
    }

    private boolean mayTakeMore() {
        return ending == null || ending.mayTakeMore();
    }

    private void settle() {
        if (!isReady()) {
            return;
        }
        if (state == CellState.IDLE && ending != null && ending.isPutAway(waiting())) {
            putAwayNow();
        } else if ((waiting() > 0 && mayTakeMore()) || turnAsked) {
            schedule();
        } else if (mailbox != null && mailbox.isEmpty()) {
            mailbox = null;
        }
    }

    /** An instance without a lease learns that it is over when its shard is stopped, not that it is passivated. */
    private void putAwayNow() {
        if (owner.mayRun()) {
            owner.passivating();
            stop(StopReason.PASSIVATION);
        }
    }

    private void run(Envelope envelope) {
        if (envelope.isStart()) {
            owner.answered(envelope, code.location());
            return;
        }
        if (current != null) {
            earlier = earlier == null ? new Unanswered() : earlier;
            earlier.add(current, busyFrom);
        }
        state = CellState.BUSY;
        current = envelope;
        busyFrom = owner.now();
        CodeCalls.receive(this, owner, code, envelope);
    }

    /** The instance is ready for messages. */
    public void begun() {
        if (state == CellState.STARTING) {
            state = CellState.IDLE;
            stopOrGoOn();
        }
    }

    private void stopOrGoOn() {
        if (state == CellState.IDLE && stopReason() != null) {
            beginStopping();
        } else if (isReady() && (waiting() > 0 || turnAsked || ending != null)) {
            schedule();
        }
    }

    private @Nullable StopReason stopReason() {
        return ending == null ? null : ending.reason();
    }

    /** The instance could not be prepared. */
    public void startFailed(Failure failure) {
        if (state == CellState.STARTING) {
            failed(failure);
        }
    }

    /**
     * The message in hand is decided on, and {@link #handled} comes later: the next message may come before. Does
     * nothing if the message is to be stashed.
     */
    public void decided() {
        if (state == CellState.BUSY && current != null && !stashing) {
            state = CellState.UNANSWERED;
            stopOrGoOn();
        }
    }

    /**
     * The message is done, in hand or decided on.
     *
     * @param failure null when it went well
     * @param threw whether the instance's code threw, so that the restart policy applies; only of the one in hand
     */
    public void handled(Envelope envelope, @Nullable Object value, @Nullable Failure failure, boolean threw) {
        boolean isInHand = current == envelope && state != CellState.UNANSWERED;
        if (current == envelope) {
            current = null;
        } else if (earlier == null || !earlier.remove(envelope)) {
            return;
        } else if (earlier.isEmpty()) {
            earlier = null;
        }
        boolean isStashed = isInHand && stashing;
        stashing &= !isInHand;
        try {
            if (failure != null) {
                Answers.fail(owner, envelope, failure);
            } else if (isStashed) {
                mailbox().stash(envelope);
            } else {
                failures = Failures.afterSuccess(failures);
                Answers.give(owner, envelope, value);
            }
        } finally {
            if (state == (isInHand ? CellState.BUSY : CellState.UNANSWERED)) {
                state = current == null && earlier == null ? CellState.IDLE : CellState.UNANSWERED;
                if (isInHand && threw) {
                    failed(null);
                }
                stopOrGoOn();
            }
        }
    }

    /**
     * A call of the code, or what follows from its end, has thrown at the lane: what the call was begun for ends as a
     * failure, unless it has ended.
     */
    public void broken(Throwable fault) {
        CodeCalls.broken(this, code, fault);
    }

    /** What follows from the end of this message has thrown at the lane; another message may be in hand. */
    public void broken(Envelope envelope, Throwable fault) {
        CodeCalls.broken(this, code, envelope, fault);
    }

    /**
     * Gives the code a turn between two messages, before those that wait; it begins with {@link EntityCode#beginTurn}.
     *
     * @return false if there is no instance, or it is about to end
     */
    public boolean askForTurn() {
        if (!isLive() || ending != null) {
            return false;
        }
        turnAsked = true;
        if (state == CellState.IDLE) {
            schedule();
        }
        return true;
    }

    private void takeTurn() {
        if (!turnAsked || state != CellState.IDLE || !owner.mayRun()) {
            return;
        }
        turnAsked = false;
        state = CellState.BUSY;
        busyFrom = owner.now();
        CodeCalls.turn(this, owner, code);
    }

    /** The turn that was asked for is over. */
    public void turnEnded() {
        if (state == CellState.BUSY && current == null) {
            state = CellState.IDLE;
            stopOrGoOn();
        }
    }

    /** The message in hand, or the last that was decided on and is not answered; null between two messages. */
    public @Nullable Envelope inHand() {
        return current;
    }

    /** The message that is answered next; null if none is to be. */
    public @Nullable Envelope answeredNext() {
        return earlier == null ? current : earlier.oldest();
    }

    /** Puts the message in hand aside once its handling ends, unless that fails. */
    public void stashCurrent() {
        if (current == null || state == CellState.UNANSWERED) {
            throw new IllegalStateException("entity '" + id + "' has no message in hand that it could stash");
        }
        stashing = true;
    }

    /** Puts what is stashed before all that waits. */
    public void unstash() {
        bringBack();
        if (isReady() && waiting() > 0) {
            schedule();
        }
    }

    private void bringBack() {
        if (mailbox != null) {
            mailbox.unstash();
        }
    }

    /** Fails what is stashed. */
    public void failStash() {
        if (mailbox != null) {
            mailbox.failStash();
        }
    }

    /** Takes what waits and what is stashed out of the mailbox and fails it. */
    public void failWaiting(Failure failure) {
        Mailbox held = mailbox;
        if (held != null) {
            mailbox = null;
            held.failAll(failure);
        }
    }

    /** @param ofStart null if the code threw at a message */
    private void failed(@Nullable Failure ofStart) {
        failures = failures == null ? new Failures() : failures;
        failures.treat(this, code, owner.now(), ofStart, stopReason() != null);
    }

    /** The next failure is the first one again. */
    void forgetFailures() {
        failures = null;
    }

    /** The instance has ended; its stashed messages wait for the next one. */
    void drop() {
        Envelope interrupted = current;
        Unanswered others = earlier;
        current = null;
        earlier = null;
        stashing = false;
        CodeCalls.discard(code);
        bringBack();
        Unanswered.interrupted(owner, others, interrupted);
    }

    void pause(long millis) {
        become(CellState.PAUSED);
        deadline = owner.now() + millis;
        owner.wakeAt(this, deadline);
    }

    /** Asks for the instance to be passivated once what waits now is handled; what comes later wakes a new one. */
    public void putAway() {
        if (ending == null) {
            ending = Ending.afterMessages(waiting());
        }
        if (state == CellState.IDLE) {
            schedule();
        }
    }

    /** Passivates the instance when its present call is complete; waiting messages start a new one. */
    public void putAwayAtOnce() {
        if (stopReason() == null) {
            ending = Ending.afterMessages(0);
        }
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
    public boolean restart() {
        if (state == CellState.PAUSED) {
            start(StartReason.RESTART);
            return true;
        }
        if (!isLive() || stopReason() != null) {
            return false;
        }
        stop(Ending.withSuccessor());
        return true;
    }

    /** Asks an idle instance for what it knows; its messages wait until it goes on or is stopped. */
    public void offerState() {
        state = CellState.ASKED;
        busyFrom = owner.now();
        CodeCalls.offer(this, owner, code);
    }

    /**
     * The instance has said what it knows.
     *
     * @param known null for nothing
     * @param refusal why it could not; null if it could
     */
    public void offered(@Nullable EntityState known, @Nullable String refusal) {
        if (state == CellState.ASKED) {
            state = CellState.OFFERED;
            owner.offered(this, known, refusal);
            if (state == CellState.OFFERED && stopReason() != null) {
                beginStopping();
            }
        }
    }

    /** The shard stays: what was offered is void. */
    public void goOn() {
        if (state == CellState.ASKED || state == CellState.OFFERED) {
            state = CellState.IDLE;
            stopOrGoOn();
        }
    }

    /**
     * Ends the instance when its present call is complete; waiting messages stay in the mailbox. A restart is called
     * off.
     */
    public void stop(StopReason reason) {
        stop(Ending.of(reason));
    }

    private void stop(Ending wanted) {
        ending = wanted;
        deadline = owner.now() + owner.stopTimeout();
        switch (state) {
            case IDLE, OFFERED -> beginStopping();
            case BUSY, UNANSWERED, ASKED, STARTING, STOPPING -> owner.wakeAt(this, deadline);
            case PAUSED -> end();
            case ENDED -> {}
        }
    }

    private void beginStopping() {
        StopReason reason = Objects.requireNonNull(stopReason(), "an instance stops for a reason");
        boolean offered = state == CellState.OFFERED;
        state = CellState.STOPPING;
        CodeCalls.stop(this, owner, code, reason, offered);
        if (state == CellState.STOPPING) { // else the lane would keep a cell that has ended at once
            owner.wakeAt(this, deadline);
        }
    }

    /** The instance has ended by itself. */
    public void stopped() {
        if (state == CellState.STOPPING) {
            drop();
            end();
        }
    }

    /** A moment given to wakeAt has come. */
    public void wake() {
        if (owner.now() < deadline) {
            return;
        }
        StopReason reason = stopReason();
        if (state == CellState.PAUSED && waiting() > 0) {
            start(StartReason.RESTART);
        } else if (state == CellState.PAUSED) {
            end();
        } else if (reason != null && isLive()) {
            if (!code.occupiesThread()) {
                code.overtime(reason, owner.now() - busyFrom());
            }
            force();
        }
    }

    /** Ends the instance without its consent, unless its code is on a thread that cannot be taken back. */
    public void force() {
        if (code.occupiesThread()) {
            deadline = owner.now() + owner.stopTimeout();
            owner.wakeAt(this, deadline);
            return;
        }
        drop();
        end();
    }

    void end() {
        become(CellState.ENDED);
        StopReason reason = stopReason();
        boolean wanted = waiting() > 0 && (reason == null || reason == StopReason.PASSIVATION);
        boolean restarts = ending != null && ending.hasSuccessor();
        if (wanted || restarts) {
            start(restarts ? StartReason.RESTART : StartReason.MESSAGE);
        } else {
            String text = "entity '" + id + "' stopped before it handled this message";
            failWaiting(Failure.of(FailureCode.ENTITY_STOPPED, text));
            owner.ended(this, reason);
        }
    }
}
