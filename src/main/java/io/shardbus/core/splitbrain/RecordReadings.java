package io.shardbus.core.splitbrain;

import org.jspecify.annotations.Nullable;

/**
 * When a side that stopped, and has the caches, reads the term record to learn whether a node goes on with them.
 */
final class RecordReadings {
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final SplitTimes times;
    /** The moment of the next reading. */
    private long next = NEVER;
    /** Latest time of the first reading; further losses do not postpone it. */
    private long latest = NEVER;

    private long number;
    /** Whether the answer to the last reading is still valid. */
    private boolean isAwaited;

    RecordReadings(SplitTimes times) {
        this.times = times;
    }

    /**
     * This side stops after a loss. The first reading is so late that each node of this side that did not stop has the
     * arbiter's answer.
     *
     * @param reads whether there is something to read
     */
    void stopped(boolean reads, long now) {
        latest = now + 2 * times.releaseAfter();
        readAt(now + times.releaseAfter(), reads);
    }

    /** This side, which has stopped, meets another one. */
    void met(boolean reads, long now) {
        latest = now + 2 * times.releaseAfter();
        readAt(now + times.look(), reads);
    }

    /** Members of this side, which has stopped, come or go. */
    void membersChanged(boolean reads, long now) {
        readAt(Math.max(now, Math.min(now + times.releaseAfter(), latest)), reads);
    }

    private void readAt(long moment, boolean reads) {
        isAwaited = false;
        next = reads ? moment : NEVER;
    }

    boolean isDue(long now) {
        return next != NEVER && now >= next;
    }

    /** Time for a reading: gives the command for it, null if it is left out, and sets the time of the next one. */
    SplitCommand.@Nullable ReadRecord read(boolean reads, long now) {
        next = now + times.look();
        isAwaited = reads;
        return reads ? new SplitCommand.ReadRecord(++number) : null;
    }

    /** Whether the answer to this reading counts. */
    boolean awaits(SplitCommand.ReadRecord reading) {
        return isAwaited && reading.number() == number;
    }

    /** Postpones the readings by so many milliseconds. */
    void postpone(long gained) {
        next = next == NEVER ? NEVER : next + gained;
        latest = latest == NEVER ? NEVER : latest + gained;
    }
}
