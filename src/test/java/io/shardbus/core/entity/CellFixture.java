package io.shardbus.core.entity;

import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cell whose owner writes down what it is told, and whose code ends when a test says so. */
abstract class CellFixture {
    final List<String> log = new ArrayList<>();
    final Owner owner = new Owner();
    /** What runs in the cell that was made last. */
    Code code = new Code(RestartPolicy.stop());

    final class Owner implements EntityOwner {
        final ArrayDeque<EntityCell> ready = new ArrayDeque<>();
        boolean lease = true;
        /** Whether answers throw. */
        boolean throwing;

        long now;
        int live;
        int waiting;
        int stashing;

        @Override
        public void answered(Envelope envelope, @Nullable Object value) {
            log.add("answered " + value);
            if (throwing) {
                throw new IllegalStateException("an answer");
            }
        }

        @Override
        public void failed(Envelope envelope, Failure failure) {
            log.add(envelope.payload() + " failed " + failure.code());
            if (throwing) {
                throw new IllegalStateException("a failure");
            }
        }

        @Override
        public void ready(EntityCell cell) {
            ready.add(cell);
        }

        @Override
        public boolean mayRun() {
            return lease;
        }

        @Override
        public boolean holdsLease() {
            return lease;
        }

        @Override
        public boolean isLost() {
            return !lease;
        }

        @Override
        public boolean isRunning() {
            return false;
        }

        @Override
        public void running(@Nullable EntityCell cell) {}

        @Override
        public void live(int change) {
            live += change;
        }

        @Override
        public void starting(EntityCell cell) {}

        @Override
        public void ended(EntityCell cell, @Nullable StopReason reason) {
            log.add("ended");
        }

        @Override
        public void offered(EntityCell cell, @Nullable EntityState known, @Nullable String refusal) {
            log.add("offered");
        }

        @Override
        public void waiting(int change) {
            waiting += change;
        }

        @Override
        public void stashing(int change) {
            stashing += change;
        }

        @Override
        public void wakeAt(EntityCell cell, long moment) {
            log.add("wake at " + moment);
        }

        @Override
        public int mailboxSize() {
            return 2;
        }

        @Override
        public long stopTimeout() {
            return 100;
        }

        @Override
        public long now() {
            return now;
        }
    }

    /** Answers when told to. */
    final class Code implements EntityCode {
        private final RestartPolicy policy;
        final EntityCell cell = new EntityCell("e", owner, this);

        @Nullable
        Envelope inHand;

        boolean onThread;
        boolean endsAtOnce;
        /** Whether each call throws once it has begun. */
        boolean throwing;

        boolean turnTakesTime;
        /** Messages of which it was told while it started. */
        int wanted;

        final List<Long> waits = new ArrayList<>();

        Code(RestartPolicy policy) {
            this.policy = policy;
        }

        @Override
        public void broken(Throwable fault) {
            log.add("broken by " + fault.getMessage());
        }

        @Override
        public RestartPolicy restartPolicy() {
            return policy;
        }

        @Override
        public void beginStart(StartReason reason) {
            log.add("start " + reason);
            throwIfToldTo();
        }

        @Override
        public void wanted() {
            wanted++;
        }

        @Override
        public void beginReceive(Envelope envelope) {
            log.add("receive " + envelope.payload());
            inHand = envelope;
            throwIfToldTo();
        }

        @Override
        public void beginStop(StopReason reason, boolean offered) {
            log.add("stop " + reason + (offered ? " after an offer" : ""));
            throwIfToldTo();
            if (endsAtOnce) {
                end();
            }
        }

        @Override
        public void discard() {
            log.add("discard");
            throwIfToldTo();
        }

        @Override
        public boolean occupiesThread() {
            return onThread;
        }

        @Override
        public Object location() {
            return "here";
        }

        @Override
        public void failureTreated(RestartPolicy.Action action, int inARow) {
            log.add(action + " " + inARow);
        }

        @Override
        public void beginTurn() {
            log.add("turn");
            throwIfToldTo();
            if (!turnTakesTime) {
                cell.turnEnded();
            }
        }

        @Override
        public void beginOffer() {
            log.add("offer");
            throwIfToldTo();
        }

        @Override
        public void waited(long millis) {
            waits.add(millis);
        }

        private void throwIfToldTo() {
            if (throwing) {
                throw new IllegalStateException("a call");
            }
        }

        void endTurn() {
            cell.turnEnded();
        }

        void stash() {
            cell.stashCurrent();
            finish();
        }

        void begin() {
            cell.begun();
        }

        void failStart() {
            cell.startFailed(Failure.of(FailureCode.ENTITY_FAILED, "no"));
        }

        void finish() {
            cell.handled(inHand, "done", null, false);
        }

        void fail() {
            cell.handled(inHand, null, Failure.of(FailureCode.ENTITY_FAILED, "thrown"), true);
        }

        void end() {
            cell.stopped();
        }
    }

    /** A new cell, with {@link #code} in it. */
    EntityCell cell(RestartPolicy policy) {
        code = new Code(policy);
        return code.cell;
    }

    EntityCell idle(RestartPolicy policy) {
        EntityCell cell = cell(policy);
        cell.start(StartReason.MESSAGE);
        code.begin();
        log.clear();
        return cell;
    }

    static Envelope tell(Object payload) {
        return new Envelope(1, "e", payload, 0, null);
    }

    void runReady() {
        while (!owner.ready.isEmpty()) {
            owner.ready.remove().runWaiting();
        }
    }

    EntityCell failing(RestartPolicy policy) {
        EntityCell cell = idle(policy);
        cell.offer(tell(1));
        cell.offer(tell(2));
        log.clear();
        code.fail();
        return cell;
    }
}
