package io.shardbus.core.entity;

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

    final class Owner implements EntityOwner {
        final ArrayDeque<EntityCell> ready = new ArrayDeque<>();
        boolean lease = true;
        long now;
        int live;

        @Override
        public void answered(Envelope envelope, @Nullable Object value) {
            log.add("answered " + value);
        }

        @Override
        public void failed(Envelope envelope, Failure failure) {
            log.add(envelope.payload() + " failed " + failure.code());
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
    final class Cell extends EntityCell {
        private final RestartPolicy policy;

        @Nullable
        Envelope inHand;

        boolean onThread;
        boolean turnTakesTime;

        Cell(RestartPolicy policy) {
            super("e");
            this.policy = policy;
        }

        @Override
        protected EntityOwner owner() {
            return owner;
        }

        @Override
        protected RestartPolicy restartPolicy() {
            return policy;
        }

        @Override
        protected void beginStart(StartReason reason) {
            log.add("start " + reason);
        }

        @Override
        protected void beginReceive(Envelope envelope) {
            log.add("receive " + envelope.payload());
            inHand = envelope;
        }

        @Override
        protected void beginStop(StopReason reason) {
            log.add("stop " + reason);
        }

        @Override
        protected void discard() {
            log.add("discard");
        }

        @Override
        protected boolean occupiesThread() {
            return onThread;
        }

        @Override
        protected Object location() {
            return "here";
        }

        @Override
        protected void failureTreated(RestartPolicy.Action action, int inARow) {
            log.add(action + " " + inARow);
        }

        @Override
        protected void beginTurn() {
            log.add("turn");
            if (!turnTakesTime) {
                turnEnded();
            }
        }

        void endTurn() {
            turnEnded();
        }

        void stash() {
            stashCurrent();
            finish();
        }

        void begin() {
            begun();
        }

        void failStart() {
            startFailed(Failure.of(FailureCode.ENTITY_FAILED, "no"));
        }

        void finish() {
            handled(inHand, "done", null, false);
        }

        void fail() {
            handled(inHand, null, Failure.of(FailureCode.ENTITY_FAILED, "thrown"), true);
        }

        void end() {
            stopped();
        }
    }

    Cell idle(RestartPolicy policy) {
        Cell cell = new Cell(policy);
        cell.start(StartReason.MESSAGE);
        cell.begin();
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

    Cell failing(RestartPolicy policy) {
        Cell cell = idle(policy);
        cell.offer(tell(1));
        cell.offer(tell(2));
        log.clear();
        cell.fail();
        return cell;
    }
}
