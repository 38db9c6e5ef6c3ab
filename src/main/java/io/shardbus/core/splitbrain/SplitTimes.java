package io.shardbus.core.splitbrain;

/**
 * The times of a decision. All in milliseconds of elapsed time.
 *
 * @param decision how long nothing may change before a side decides
 * @param flapping how much longer than that changes may go on; at the next one the side stops
 * @param minorityDelay how long the side with the weaker claim waits before it asks the arbiter
 * @param releaseAfter how long after its grant the arbiter's lease is given back
 */
public record SplitTimes(long decision, long flapping, long minorityDelay, long releaseAfter) {
    private static final long LEAST_FLAPPING = 4000;

    /** With the usual limit for flapping: three quarters of the decision time, 4 s at least. */
    public static SplitTimes of(long decision, long minorityDelay, long releaseAfter) {
        return new SplitTimes(decision, Math.max(LEAST_FLAPPING, decision * 3 / 4), minorityDelay, releaseAfter);
    }
}
