package io.shardbus.core.splitbrain;

/**
 * The time that Infinispan has for a merge of two sides' caches. Counted in seconds of the caller's clock, and not in
 * looks at the members: events of the caches trigger many looks in a moment.
 */
final class MergeTime {
    /** A merge takes a second or two, on a busy machine longer. */
    static final int SECONDS = 10;

    private int left;

    /** Two sides have met. */
    void begin() {
        // the next second may be about to end
        left = SECONDS + 1;
    }

    /** Call it once a second. */
    void secondPassed() {
        left = Math.max(0, left - 1);
    }

    boolean isOver() {
        return left == 0;
    }
}
