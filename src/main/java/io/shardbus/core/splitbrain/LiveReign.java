package io.shardbus.core.splitbrain;

import io.shardbus.model.TermRecord;
import org.jspecify.annotations.Nullable;

/**
 * Whether a coordinator is alive in the caches that this node has, from the writes to the term record that its replica
 * shows. A reign has one write under way at a time: what was under way when two sides met shows as one write, and what
 * was there already as another one. The third was sent after the meeting.
 */
final class LiveReign {
    private static final int PROOF = 3;

    private @Nullable TermRecord last;
    private int writes;

    /** Two sides have met: only what is seen from now on counts. */
    void forget() {
        last = null;
        writes = 0;
    }

    /** Returns whether the record's reign has gone on writing since the meeting. */
    boolean sighted(TermRecord record) {
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
