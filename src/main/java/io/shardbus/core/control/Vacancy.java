package io.shardbus.core.control;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.TermId;
import org.jspecify.annotations.Nullable;

/**
 * Since when the term record has had no owner, and when each candidate may claim it. While the whole cluster stops the
 * record stays vacant for most of a lease, counted from the end of the last reign that was long enough for all regions
 * to renew their leases: a shorter one renews some, and the others run out when they would have without it.
 *
 * <p>A node that has seen no reign yet, only the record of an owner that is gone, may have joined members that have
 * stopped. If a minority may go on, it claims nothing for a lease: by then those members have made the caches
 * unavailable. Members that were paused may keep them for longer, but there the record enrols no newcomer.
 */
final class Vacancy {
    private static final long NONE = Long.MIN_VALUE;

    private final LeaseTimes times;
    private long since = NONE;
    /** The term that has left the record vacant; null if that is not known. */
    private @Nullable TermId left;
    /** Observed begin of the present reign, or of the last one; NONE if it may have begun before that. */
    private long begunAt = NONE;
    /** Since when leases may not have been renewed. */
    private long unrenewedSince = NONE;

    private boolean minorityMayGoOn;
    private boolean hasSeenReign;

    Vacancy(LeaseTimes times) {
        this.times = times;
    }

    /** Sets whether a side of a split may go on without a majority; called before the first event. */
    void minorityMayGoOn(boolean may) {
        minorityMayGoOn = may;
    }

    /** The clock gained time that may not have passed: it is no part of a newcomer's wait. */
    void postpone(long millis) {
        since += since == NONE ? 0 : millis;
    }

    /**
     * Looks at the record as this node knows it.
     *
     * @param term of the record; null if none is known
     */
    void look(@Nullable TermId term, boolean vacant, long now) {
        if (!vacant) {
            hasSeenReign = true;
            if (since != NONE) {
                begunAt = left != null && term != null && term.isHigherThan(left) ? now : NONE;
            }
            since = NONE;
            return;
        }
        left = term;
        if (since == NONE) {
            since = now;
            if (unrenewedSince == NONE || begunAt == NONE || now - begunAt >= times.lease() / 4) {
                unrenewedSince = now;
            }
        }
    }

    /** Whether the candidate of this rank, from 0, may claim the vacant record. */
    boolean isOver(int rank, boolean stopping, long now) {
        long lease = times.lease();
        long from = stopping ? Math.max(since, unrenewedSince + lease * 11 / 16) : since;
        boolean mayBeAmongStopped = minorityMayGoOn && !hasSeenReign && left != null;
        from = mayBeAmongStopped ? Math.max(from, since + lease) : from;
        return now >= from + rank * lease / (stopping ? 16 : 4);
    }
}
