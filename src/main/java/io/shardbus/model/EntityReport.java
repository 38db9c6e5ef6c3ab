package io.shardbus.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entity as its home sees it at one moment.
 *
 * @param remembered whether its id is remembered, so that it starts without a message
 * @param instance its instance; null when no instance is live and none is about to start
 */
public record EntityReport(
        EntityLocation location,
        boolean remembered,
        @Nullable Instance instance) {
    public EntityReport {
        Objects.requireNonNull(location, "location");
    }

    /** Phase of an instance's life. Later builds only add constants. */
    public enum Phase {
        STARTING,
        /** Between two messages. */
        IDLE,
        /** Handling a message. */
        BUSY,
        STOPPING,
        /** Its code has failed: the next instance starts after a pause, or when its shard may start one. */
        PAUSED
    }

    /**
     * One instance. Times are in milliseconds before the moment of the report.
     *
     * @param incarnation the value of {@code EntityContext.incarnation}; empty while there is no instance
     * @param liveMs how long ago it started
     * @param inspectable whether its state can be inspected
     * @param restarts how often an instance was replaced after a failure, as far as its home remembers: at most since
     *     the entity was last passivated
     * @param lastFailure the last failure that a restart policy handled; null for none
     */
    public record Instance(
            Phase phase,
            String incarnation,
            StartReason startReason,
            long liveMs,
            boolean inspectable,
            Mailbox mailbox,
            int restarts,
            @Nullable Failure lastFailure) {
        public Instance {
            Objects.requireNonNull(phase, "phase");
            Objects.requireNonNull(incarnation, "incarnation");
            Objects.requireNonNull(startReason, "startReason");
            Objects.requireNonNull(mailbox, "mailbox");
        }

        /**
         * This instance without parts of the entity's state: it cannot be inspected, and its last failure has no text.
         */
        public Instance withoutState() {
            Failure hidden = lastFailure == null ? null : new Failure(lastFailure.kind(), "", lastFailure.agoMs());
            return new Instance(phase, incarnation, startReason, liveMs, false, mailbox, restarts, hidden);
        }
    }

    /**
     * Pending work of an instance.
     *
     * @param waiting messages that wait for their turn
     * @param oldestWaitMs how long the next waiting message has waited; 0 if no message waits
     * @param stashed messages that its code has stashed
     * @param timers timers that its code has set and that are still running
     * @param message the class of the message that it handles; null for none
     * @param busyMs for how long it has handled that message; 0 for none
     */
    public record Mailbox(
            int waiting,
            long oldestWaitMs,
            int stashed,
            int timers,
            @Nullable String message,
            long busyMs) {}

    /**
     * Last failure of an entity's code.
     *
     * @param kind the class of the failure; empty if the home runs an earlier build
     * @param text its message, with at most 500 characters, which may contain parts of the entity's state; empty if its
     *     home does not show states
     */
    public record Failure(String kind, String text, long agoMs) {
        public Failure {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(text, "text");
        }
    }
}
