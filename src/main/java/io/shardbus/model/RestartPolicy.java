package io.shardbus.model;

import java.time.Duration;
import java.util.Objects;

/**
 * Restart policy: how an instance is treated after its code threw. The ask that met the exception fails in every case.
 *
 * @param kind what happens to the instance
 * @param minBackoff with {@link Kind#STOP_WITH_BACKOFF}: the pause after the first failure
 * @param maxBackoff with {@link Kind#STOP_WITH_BACKOFF}: the longest pause; the pause doubles with every failure in a
 *     row
 * @param maxRestarts how many failures within {@code within} the policy allows; the next one stops the entity. 0 to
 *     1,000, or {@link #UNLIMITED}
 * @param within the time over which failures are counted, 1 ms to 1 day; zero if there is no limit
 */
public record RestartPolicy(Kind kind, Duration minBackoff, Duration maxBackoff, int maxRestarts, Duration within) {
    /** As {@link #maxRestarts}: failures are not limited. */
    public static final int UNLIMITED = -1;

    private static final int MOST_RESTARTS = 1_000;
    private static final Duration LONGEST = Duration.ofDays(1);

    /** The choices. */
    public enum Kind {
        /** A new instance takes the rest of the mailbox. The default. */
        RESTART,
        /** The same instance goes on with the next message. */
        RESUME,
        /** The instance stops; waiting messages fail; the next message starts another. */
        STOP,
        /**
         * As STOP, but waiting messages are kept, and the next instance starts only after a pause that grows with every
         * failure in a row.
         */
        STOP_WITH_BACKOFF
    }

    /** Action taken on an instance whose code failed. */
    public enum Action {
        /** A new instance takes the rest of the mailbox. */
        RESTARTED,
        /** The same instance goes on. */
        RESUMED,
        /**
         * The instance stopped, by {@link Kind#STOP}, because it could not be started, or because it was to stop
         * anyway.
         */
        STOPPED,
        /** The instance stopped; another one starts after the pause if messages wait then. */
        BACKING_OFF,
        /**
         * The limit is exceeded: the instance stopped, waiting messages fail, the next message starts another instance
         * with a new count.
         */
        GAVE_UP
    }

    public RestartPolicy {
        Objects.requireNonNull(kind, "kind");
        if (minBackoff.isNegative() || maxBackoff.compareTo(minBackoff) < 0) {
            throw new IllegalArgumentException(
                    "restart back-off: min " + minBackoff + " must be between 0 and max " + maxBackoff);
        }
        Objects.requireNonNull(within, "within");
        if (maxRestarts != UNLIMITED) {
            requireLimit(kind, maxRestarts, within);
        }
    }

    /** A policy without a limit. */
    public RestartPolicy(Kind kind, Duration minBackoff, Duration maxBackoff) {
        this(kind, minBackoff, maxBackoff, UNLIMITED, Duration.ZERO);
    }

    private static void requireLimit(Kind kind, int maxRestarts, Duration within) {
        if (kind == Kind.STOP) {
            throw new IllegalArgumentException(
                    "restart limit: policy STOP stops at the first failure, it has no limit");
        }
        if (maxRestarts < 0 || maxRestarts > MOST_RESTARTS) {
            throw new IllegalArgumentException(
                    "restart limit: " + maxRestarts + " failures must be between 0 and " + MOST_RESTARTS);
        }
        if (within.compareTo(Duration.ofMillis(1)) < 0 || within.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("restart limit: within " + within + " must be between 1 ms and 1 day");
        }
    }

    public static RestartPolicy restart() {
        return new RestartPolicy(Kind.RESTART, Duration.ZERO, Duration.ZERO);
    }

    public static RestartPolicy resume() {
        return new RestartPolicy(Kind.RESUME, Duration.ZERO, Duration.ZERO);
    }

    public static RestartPolicy stop() {
        return new RestartPolicy(Kind.STOP, Duration.ZERO, Duration.ZERO);
    }

    public static RestartPolicy stopWithBackoff(Duration min, Duration max) {
        return new RestartPolicy(Kind.STOP_WITH_BACKOFF, min, max);
    }

    /**
     * This policy for so many failures at most: one more within the time stops the entity, as {@link Kind#STOP} does.
     * Failures are counted while the entity is on its node, not across passivation, a move or a stop.
     *
     * @param maxRestarts 0 to 1,000 failures that the policy allows
     * @param within 1 ms to 1 day
     * @throws IllegalArgumentException when out of range, or with {@link Kind#STOP}
     */
    public RestartPolicy withLimit(int maxRestarts, Duration within) {
        requireLimit(kind, maxRestarts, within);
        return new RestartPolicy(kind, minBackoff, maxBackoff, maxRestarts, within);
    }

    /** Whether failures are limited. */
    public boolean isLimited() {
        return maxRestarts != UNLIMITED;
    }
}
