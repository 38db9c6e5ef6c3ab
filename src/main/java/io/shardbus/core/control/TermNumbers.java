package io.shardbus.core.control;

import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import org.jspecify.annotations.Nullable;

/**
 * Which numbers terms get. Each is greater than every term that this node knows of, and so are the fencing tokens in
 * it. That alone does not hold over a full restart of the cluster, which forgets its record: so the first term of a
 * cluster is one more than the wall clock's milliseconds, which no number of claims can outrun.
 *
 * <p>Later terms follow the wall clock too, as a reserve for a record that was lost, but no further than the record
 * itself says that time has passed: the number of its term, and the confirmations since. So a claimant whose clock is a
 * year ahead takes about the term that one with the right clock would have taken, and where the first term was claimed
 * by such a clock, later ones rise by one each until the time is there.
 */
final class TermNumbers {
    private TermNumbers() {}

    /**
     * The number of the next term.
     *
     * @param replaced the record that the claim replaces; null for the first term of a cluster
     * @param unchangedFor how long this node has seen that record without another confirmation, in milliseconds
     * @param highest of what this node has met in messages and records, and has tried itself
     * @param wall the wall clock's milliseconds
     */
    static long next(@Nullable TermRecord replaced, long unchangedFor, TermId highest, long wall) {
        long known = Math.max(highest.number(), replaced == null ? 0 : replaced.term());
        boolean first = known == 0;
        long clock = first ? wall : Math.min(wall, latest(replaced, unchangedFor));
        return Math.max(known, clock) + 1;
    }

    /**
     * The time at which the record says that it is now, at the latest, if its term was the time at which it was
     * claimed.
     */
    private static long latest(@Nullable TermRecord record, long unchangedFor) {
        if (record == null) {
            return 0;
        }
        long confirmed = Math.max(0, record.beat()) * Math.max(1, record.leaseMillis() / 10);
        return record.term() + confirmed + unchangedFor;
    }
}
