package io.shardbus.core.splitbrain;

import io.shardbus.model.TermRecord;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a coordinator is alive in the caches that this node has, from the writes to the term record that its
 * replica shows. A reign has one write under way at a time. When two sides meet, the replica may show one earlier
 * write, and one that was under way; the third one was sent after the meeting.
 *
 * <p>In the same way, of three writes that this node had not seen at its last loss, one was sent after the loss: the
 * remaining members have gone on since, or have met nodes that had.
 */
final class LiveReign {
    private static final int PROOF = 3;

    private @Nullable TermRecord last;
    private int writes;
    private @Nullable TermRecord newest;
    /** The newest record that was seen when a member was lost last. */
    private @Nullable TermRecord atLoss;

    /**
     * Whether a remaining member has written since. This stays true when the next reign begins, which has fewer writes.
     */
    private boolean goneOn;
    /**
     * The record of a reign that had begun or ended since the loss when the record was read, and was not confirmed yet.
     */
    private @Nullable TermRecord young;

    private int youngFor;

    /** A member is gone: writes that it may have sent prove nothing about the remaining members. */
    void memberGone() {
        atLoss = newest;
        goneOn = false;
        young = null;
    }

    /** Whether the record was written so often since the last loss that a remaining member has written it. */
    boolean hasGoneOn(TermRecord record) {
        TermRecord before = atLoss;
        long last = before != null && record.isSameReign(before) ? before.beat() : -1;
        goneOn |= record.isNewerThan(before) && record.beat() - last >= PROOF;
        return goneOn;
    }

    /**
     * Whether a reign that had just begun when the record was read may still be confirmed, or the record be claimed
     * after a release: it has changed since the last reading. A record that is unchanged in two readings, half a lease
     * apart, has no owner; a released one if it is unchanged in one reading more than there are members.
     */
    boolean isYoung(TermRecord record, int members) {
        TermRecord before = atLoss;
        boolean begun = before != null && record.isSameReign(before) ? record.isReleased() : record.isNewerThan(before);
        if (!begun) {
            young = null;
            return false;
        }
        youngFor = record.equals(young) ? youngFor + 1 : 1;
        young = record;
        return youngFor <= (record.isReleased() ? members : 1);
    }

    /** Two sides have met: only writes that are seen from now on count. */
    void forget() {
        last = null;
        writes = 0;
    }

    /** Returns whether the record's reign has gone on writing since the meeting. */
    boolean sighted(TermRecord record) {
        newest = record.isNewerThan(newest) ? record : newest;
        goneOn = hasGoneOn(record);
        TermRecord before = last;
        if (before == null || !record.isSameReign(before)) {
            last = record;
            writes = 1;
        } else if (record.isNewerThan(before)) {
            last = record;
            writes++;
        }
        return writes >= PROOF && !record.isReleased();
    }
}
