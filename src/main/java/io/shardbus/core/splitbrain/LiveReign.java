package io.shardbus.core.splitbrain;

import io.shardbus.model.TermRecord;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a coordinator is alive in the caches that this node has, from the writes to the term record that its
 * replica shows. A reign has one write under way at a time: what was under way when two sides met shows as one write,
 * and what was there already as another one. The third was sent after the meeting.
 *
 * <p>In the same way three writes that this node has not seen when it last lost a member were not all sent before:
 * those that are left have gone on since, or have met nodes that had.
 */
final class LiveReign {
    private static final int PROOF = 3;

    private @Nullable TermRecord last;
    private int writes;
    private @Nullable TermRecord newest;
    /** The newest record that was seen when a member was lost last. */
    private @Nullable TermRecord atLoss;

    /** Whether one of those left has written since. The next reign has fewer writes at first, and changes nothing. */
    private boolean goneOn;
    /** A reign that had begun, or ended, since the loss when the record was looked at, and not been confirmed. */
    private @Nullable TermRecord young;

    private int youngFor;

    /** A member is gone: what it may have written says nothing of those that are left. */
    void memberGone() {
        atLoss = newest;
        goneOn = false;
        young = null;
    }

    /** Whether the record has been written so often since a member was lost last that one of those left did. */
    boolean hasGoneOn(TermRecord record) {
        TermRecord before = atLoss;
        long last = before != null && record.isSameReign(before) ? before.beat() : -1;
        goneOn |= record.isNewerThan(before) && record.beat() - last >= PROOF;
        return goneOn;
    }

    /**
     * Whether a reign that had just begun when the record was looked at may yet be confirmed, or the next one after a
     * release be claimed: the record has changed since it was looked at the last time. One that stays as it is for two
     * looks, or a released one for as many as there are members, half a lease each, and one more, has no owner.
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

    /** Two sides have met: only what is seen from now on counts. */
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
