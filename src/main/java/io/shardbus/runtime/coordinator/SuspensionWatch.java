package io.shardbus.runtime.coordinator;

import io.shardbus.runtime.node.ElapsedClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notices that the wall clock ran ahead of the other: this machine slept, and its sense of time is not to be trusted. */
final class SuspensionWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SuspensionWatch.class);

    private final ElapsedClock clock;
    private final long tolerated;
    private long seen;

    /** @param tolerated how far the clocks may drift from one look to the next, in milliseconds */
    SuspensionWatch(ElapsedClock clock, long tolerated) {
        this.clock = clock;
        this.tolerated = tolerated;
        this.seen = clock.skew();
    }

    /** Whether the machine slept since the last look. */
    boolean slept() {
        long skew = clock.skew();
        long ahead = skew - seen;
        seen = skew;
        if (ahead <= tolerated) {
            return false;
        }
        LOG.warn("the wall clock ran {} ms ahead: this machine was suspended or its time was set", ahead);
        return true;
    }
}
