package io.shardbus.core.control;

/** What terms rise above: the wall clock, and the highest term of a store, which refuses lower ones. */
final class TermFloor {
    /**
     * By how much a store's term may be ahead of the wall clock, in milliseconds. A clock that was set back by a time
     * zone makes hours; a term further ahead would take all later ones with it, in this store and in all others.
     */
    static final long LEAD = 86_400_000;

    private long wall;
    private long stored;

    /** The wall clock's milliseconds now. */
    void wallClock(long millis) {
        wall = millis;
    }

    long wall() {
        return wall;
    }

    /** A store has this term; false if it is too far ahead to be a floor. */
    boolean raise(long term) {
        if (term > wall + LEAD || term >= HeardTerms.HIGHEST) {
            return false;
        }
        stored = Math.max(stored, term);
        return true;
    }

    /** Whether a store refuses the tokens of this term. */
    boolean isAbove(long term) {
        return term <= stored;
    }

    /** This number, or the first one above all stored terms. */
    long least(long number) {
        return Math.max(number, stored + 1);
    }
}
