package io.shardbus;

import java.time.Duration;
import java.util.Objects;

/**
 * What happens to an instance whose code threw. The ask that met the exception fails in every case.
 *
 * @param kind what to do
 * @param minBackoff with {@link Kind#STOP_WITH_BACKOFF}: the pause after the first failure
 * @param maxBackoff with {@link Kind#STOP_WITH_BACKOFF}: the longest pause; it doubles with every failure in a row
 */
public record RestartPolicy(Kind kind, Duration minBackoff, Duration maxBackoff) {
    /** The choices. */
    public enum Kind {
        /** A new instance takes the rest of the mailbox. The default. */
        RESTART,
        /** The same instance goes on with the next message. */
        RESUME,
        /** The instance stops; what waited fails; the next message starts another. */
        STOP,
        /** As STOP, but messages wait for a pause that grows with every failure in a row. */
        STOP_WITH_BACKOFF
    }

    public RestartPolicy {
        Objects.requireNonNull(kind, "kind");
        if (minBackoff.isNegative() || maxBackoff.compareTo(minBackoff) < 0) {
            throw new IllegalArgumentException(
                    "restart back-off: min " + minBackoff + " must be between 0 and max " + maxBackoff);
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
}
