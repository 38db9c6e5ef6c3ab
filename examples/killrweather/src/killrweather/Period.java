package killrweather;

import java.time.Duration;

/** The lengths of time that a station sums its readings over; both begin on the hour or day of UTC. */
public enum Period {
    HOURLY(Duration.ofHours(1), 14 * 24),
    DAILY(Duration.ofDays(1), 366);

    private final long length;
    private final int kept;

    Period(Duration length, int kept) {
        this.length = length.toMillis();
        this.kept = kept;
    }

    /** How many of them a station keeps at most, the newest. */
    public int kept() {
        return kept;
    }

    /** Milliseconds. */
    long length() {
        return length;
    }

    /** The beginning of the period of a moment, both milliseconds since 1970. */
    long startOf(long at) {
        return Math.floorDiv(at, length) * length;
    }
}
