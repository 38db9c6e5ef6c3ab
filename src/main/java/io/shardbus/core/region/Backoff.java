package io.shardbus.core.region;

/** Pauses that double, from a tenth of a second to the longest. Milliseconds. */
final class Backoff {
    private static final long FIRST = 100;

    private final long longest;
    private long next;

    Backoff(long longest) {
        this.longest = longest;
        reset();
    }

    void reset() {
        next = Math.min(FIRST, longest);
    }

    /** The pause to take now. */
    long pause() {
        long pause = next;
        next = Math.min(next * 2, longest);
        return pause;
    }
}
