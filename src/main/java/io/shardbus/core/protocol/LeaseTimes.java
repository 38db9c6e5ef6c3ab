package io.shardbus.core.protocol;

import io.shardbus.model.TermRecord;
import org.jspecify.annotations.Nullable;

/**
 * The times that follow from one lease time. All in milliseconds of elapsed time.
 *
 * @param lease how long authority and grants last
 * @param decision how long after a loss without goodbye no node claims a term
 * @param awaitPredecessors whether a new term waits for leases that were not reported; false only in tests
 */
public record LeaseTimes(long lease, long decision, boolean awaitPredecessors) {
    /** A moment before all others, for events that have not happened. */
    public static final long NEVER = Long.MIN_VALUE / 2;

    /** Allowance for the drift of clocks in one lease, and for the time of a message. */
    public long margin() {
        return lease / 10;
    }

    /** Time from the grant of a lease until it has run out for sure. */
    public long runOut() {
        return lease + margin();
    }

    /** The times of leases that last as long as those of the record's reign, if these are longer. */
    public LeaseTimes orThoseOf(@Nullable TermRecord record) {
        return record != null && record.leaseMillis() > lease
                ? new LeaseTimes(record.leaseMillis(), decision, awaitPredecessors)
                : this;
    }

    /** Interval of the coordinator's confirmations of its term. */
    public long confirmInterval() {
        return Math.max(1, lease / 10);
    }

    /** Interval of a region's requests for its lease. */
    public long heartbeatInterval() {
        return Math.max(1, lease / 10);
    }
}
