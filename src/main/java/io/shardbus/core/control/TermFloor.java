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
        tried = term.isHigherThan(tried) ? term : tried;
    }

    private TermId known() {
        return tried.isHigherThan(met) ? tried : met;
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
        long number = outdated
                ? TermNumbers.nextAfterUnknown(record, unchangedFor, met, tried, wall)
                : TermNumbers.next(record, unchangedFor, known(), wall);
        return Math.max(number, stored + 1);
    }
}
