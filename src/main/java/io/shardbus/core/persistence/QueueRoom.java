package io.shardbus.core.persistence;

/**
 * Number of commands of a delivery queue's partition that are stored and not confirmed. What a look into the store has
 * shown grows with each command that is stored after it. A command that was on its way to the store during a look may
 * count twice, so the number is exact or too high, never too low.
 */
public final class QueueRoom {
    /** Unconfirmed commands of a partition: more are refused. */
    public static final int MOST = 10_000;
    /** From this number on producers should wait. */
    public static final int FULL = MOST / 2;

    /** Pause between two looks into the store, in ms. */
    static final long LOOK_PAUSE_MS = 50;

    private static final long UNKNOWN = -1;

    private long unconfirmed = UNKNOWN;
    private long lookedAt;
    private long lookedAtSequence;
    private boolean isExact;

    /**
     * Whether the store should be asked before these are admitted.
     *
     * @param sequence of the last command that is stored
     * @param more that are to be stored
     * @param now elapsed milliseconds
     */
    public boolean isLookDue(long sequence, int more, long now) {
        return unconfirmed == UNKNOWN || unconfirmed(sequence) + more >= FULL && now - lookedAt >= LOOK_PAUSE_MS;
    }

    /**
     * Takes the answer of a look into the store.
     *
     * @param sequence of the last command that was known to be stored when the look began
     * @param underWay how many commands were on their way to the store then
     * @param now elapsed milliseconds
     */
    public void looked(long shown, long sequence, long underWay, long now) {
        isExact = underWay == 0;
        unconfirmed = shown;
        lookedAtSequence = sequence;
        lookedAt = now;
    }

    /** The store did not answer; what is known stays. */
    public void failed(long now) {
        lookedAt = now;
    }

    /** Whether the last look has counted no command twice. */
    public boolean isExact() {
        return isExact;
    }

    /** Whether the store has ever answered. */
    public boolean isKnown() {
        return unconfirmed != UNKNOWN;
    }

    /** Commands that are not confirmed, or more than these; 0 while nothing is known. */
    public long unconfirmed(long sequence) {
        return isKnown() ? Math.max(0, unconfirmed + sequence - lookedAtSequence) : 0;
    }

    /** Whether so many more may be stored. */
    public boolean admits(long sequence, int more) {
        return isKnown() && unconfirmed(sequence) + more <= MOST;
    }
}
