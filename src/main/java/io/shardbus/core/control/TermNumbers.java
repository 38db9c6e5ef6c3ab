package io.shardbus.core.control;

import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of new terms. Fencing tokens must rise over every reign that there was, so a new term is greater than
 *
 * <ol>
 *   <li>every term that this node knows: of the record that it replaces, of messages it believed, of its own claims;
 *   <li>the highest term of a store that a type brings before its first shard has a home ({@link TermFloor});
 *   <li>by the wall clock, every term of reigns of which no trace is left here. After a full stop only this bound is
 *       left: so the first term of a cluster is one more than the clock's milliseconds, which no number of claims can
 *       outrun.
 * </ol>
 *
 * <p>The first two hold with any clocks. The third one holds if clocks are right, except for a cluster whose store was
 * ahead of them: its terms are ahead by a day at most, until the time has caught up. After a full stop within that day
 * the store raises the terms again; other stores refuse tokens until then, or, where the type with that store is gone,
 * until the day is over.
 *
 * <p>A clock that is ahead moves terms as little as possible, as terms stay high after the clock is corrected. Where
 * the record is that of the last reign, a term follows the clock no further than the record itself says that time has
 * passed: the number of its term, and the confirmations since. Where others may have reigned since, of which nothing is
 * left but the time that it took them, the clock counts up to {@linkplain #LEAD a day} ahead of that, once for a
 * process ({@link TermFloor}). If no term is known, the clock counts as it is; later terms rise by one each until the
 * time has caught up.
 */
final class TermNumbers {
    /**
     * By how much one wrong clock, or one wrong store, moves terms, in milliseconds. A clock that was set back by a
     * time zone makes hours, and so does a cut behind which others reigned.
     */
    static final long LEAD = 86_400_000;

    /** The year 2025: a clock that is behind this has not been set since its machine started. */
    static final long CLOCKS_SET_FROM = 1_735_689_600_000L;

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
        long known = known(replaced, highest);
        long clock = known == 0 ? wall : Math.min(wall, latest(replaced, unchangedFor));
        return Math.max(known, clock) + 1;
    }

    /**
     * The number of the next term if others may have reigned since the record, whose terms this node does not know.
     *
     * @param met the highest term of messages and records
     * @param tried the highest one of this node's claims, which may not have taken hold: it moves the clock's bound no
     *     further
     */
    static long nextAfterUnknown(
            @Nullable TermRecord replaced, long unchangedFor, TermId met, TermId tried, long wall) {
        long known = Math.max(tried.number(), known(replaced, met));
        return Math.max(known, clock(replaced, unchangedFor, met, wall)) + 1;
    }

    /** The wall clock, as far as it is believed: a day ahead of what this node knows, any time if it knows no term. */
    static long clock(@Nullable TermRecord record, long unchangedFor, TermId met, long wall) {
        long known = known(record, met);
        return known == 0 ? wall : Math.min(wall, latestKnown(record, unchangedFor, met) + LEAD);
    }

    /**
     * The highest term of a store that is believed: a day ahead of the clock. Terms that were claimed by a clock that
     * had never been set do not bound a clock that has been set.
     */
    static long mostOfStore(@Nullable TermRecord record, long unchangedFor, TermId met, long wall) {
        boolean unset = known(record, met) < CLOCKS_SET_FROM && wall >= CLOCKS_SET_FROM;
        return (unset ? wall : clock(record, unchangedFor, met, wall)) + LEAD;
    }

    static long known(@Nullable TermRecord record, TermId highest) {
        return Math.max(highest.number(), record == null ? 0 : record.term());
    }

    /** The time that it is now by what this node knows, if the terms that it knows are times. */
    static long latestKnown(@Nullable TermRecord record, long unchangedFor, TermId met) {
        return Math.max(known(record, met), latest(record, unchangedFor));
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
