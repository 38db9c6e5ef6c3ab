package io.shardbus.core.control;

import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import org.jspecify.annotations.Nullable;

/** Lower bound of the next term: the terms that this node knows, and the highest one of a store. */
final class TermFloor {
    private long wall;
    private long stored;
    private TermId met = TermId.NONE;
    /** By a claim of this node, which may not have taken hold. */
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
     */
    long next(@Nullable TermRecord record, long unchangedFor, boolean outdated) {
        TermId claimed = exceeded(record);
        long number = outdated
                ? TermNumbers.nextAfterUnknown(record, unchangedFor, met, claimed, wall)
                : TermNumbers.next(record, unchangedFor, claimed.isHigherThan(met) ? claimed : met, wall);
        return Math.max(number, stored + 1);
    }
}
