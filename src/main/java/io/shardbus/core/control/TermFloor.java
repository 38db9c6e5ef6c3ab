package io.shardbus.core.control;

import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import org.jspecify.annotations.Nullable;

/**
 * Lower bound of the next term of this node.
 *
 * <ul>
 *   <li>The floor is above the terms that this node knows, and above the highest term of a store.
 *   <li>If others may have reigned whose terms this node does not know, the floor follows the wall clock, up to a day
 *       above what this node knows ({@link TermNumbers#LEAD}): a clock that is wrong by more moves the terms by a day.
 *   <li>A process gains this day once. Its ceiling is set with the first such claim, and rises with elapsed time only:
 *       otherwise a wrong clock would gain a day with each claim whose outcome is unknown and which a record shows
 *       later. Terms of others follow the time, so those since that claim are below the ceiling.
 *   <li>The ceiling is reset, to a day above what is known, when a known term is more than an hour above it: then the
 *       clock of another process is ahead, and terms above that one may exist. A smaller excess is an error in the
 *       measured time.
 * </ul>
 */
final class TermFloor {
    private static final long NO_CEILING = -1;

    /**
     * By how much terms that follow the time may pass the ceiling, in milliseconds: confirmations that are sent early
     * count as if they were not, and clocks drift.
     */
    private static final long MISCOUNTED = 3_600_000;

    private long wall;
    /** How far this process's clock counts, at a moment; NO_CEILING before the first claim that may follow it. */
    private long ceiling = NO_CEILING;

    private long ceilingAt;
    private long stored;
    private TermId met = TermId.NONE;
    /** The term of this node's last claim, which may not have taken hold. */
    private TermId tried = TermId.NONE;

    /** The wall clock's milliseconds now. */
    void wallClock(long millis) {
        wall = millis;
    }

    long wall() {
        return wall;
    }

    /** The highest term of a record that was read, or of a message that was believed. */
    TermId met() {
        return met;
    }

    /** Whether the term is higher than all before. */
    boolean meet(TermId term) {
        boolean higher = term.isHigherThan(met);
        met = higher ? term : met;
        return higher;
    }

    void tries(TermId term) {
        tried = term;
    }

    /**
     * The last claim of this node, which the next one exceeds, as it may have taken hold. One further ahead of all that
     * is known than two days is the first claim of a process whose clock is wrong: another claim was first, and the
     * cluster's terms do not follow that clock.
     */
    private TermId exceeded(@Nullable TermRecord record) {
        long known = Math.max(Math.max(met.number(), stored), record == null ? 0 : record.term());
        return known == 0 || tried.number() <= known + 2 * TermNumbers.LEAD ? tried : TermId.NONE;
    }

    /**
     * A store has this term, and refuses lower ones; false if it is more than a day ahead of the clock: it would take
     * all later terms with it, in this store and in all others.
     */
    boolean raise(long term, @Nullable TermRecord record, long unchangedFor) {
        long most = TermNumbers.mostOfStore(record, unchangedFor, met, wall);
        if (term > most || term >= HeardTerms.HIGHEST) {
            return false;
        }
        stored = Math.max(stored, term);
        return true;
    }

    /** Whether a store refuses the tokens of this term. */
    boolean isAbove(long term) {
        return term <= stored;
    }

    /**
     * The number of the next term.
     *
     * @param outdated whether others may have reigned since the record, of whose terms this node knows nothing
     * @param now elapsed milliseconds
     */
    long next(@Nullable TermRecord record, long unchangedFor, boolean outdated, long now) {
        TermId claimed = exceeded(record);
        long number = outdated
                ? TermNumbers.nextAfterUnknown(record, unchangedFor, met, claimed, counted(record, unchangedFor, now))
                : TermNumbers.next(record, unchangedFor, claimed.isHigherThan(met) ? claimed : met, wall);
        return Math.max(number, stored + 1);
    }

    /** The wall clock, up to the ceiling; as it is where no term is known. */
    private long counted(@Nullable TermRecord record, long unchangedFor, long now) {
        if (TermNumbers.known(record, met) == 0) {
            return wall;
        }
        long latest = TermNumbers.latestKnown(record, unchangedFor, met);
        long before = ceiling == NO_CEILING ? NO_CEILING : ceiling + now - ceilingAt;
        boolean isPassed = before == NO_CEILING || TermNumbers.known(record, met) > before + MISCOUNTED;
        ceiling = isPassed ? latest + TermNumbers.LEAD : Math.max(before, latest);
        ceilingAt = now;
        return Math.min(wall, ceiling);
    }
}
