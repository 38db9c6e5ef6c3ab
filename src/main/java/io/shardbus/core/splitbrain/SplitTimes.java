package io.shardbus.core.splitbrain;

/**
 * The times of a decision. All in milliseconds of elapsed time.
 *
 * @param decision how long nothing may change before a side decides
 * @param flapping how much longer than that changes may go on; at the next one the side stops
 * @param minorityDelay how long the side with the weaker claim waits before it asks the arbiter
 * @param releaseAfter how long after its grant the arbiter's lease is given back
 * @param longestNap a node that did not run for so long may ask too late: the other side may have had the lease and have given it back
 */
public record SplitTimes(long decision, long flapping, long minorityDelay, long releaseAfter, long longestNap) {
    private static final long LEAST_FLAPPING = 4000;

    public SplitTimes(long decision, long flapping, long minorityDelay, long releaseAfter) {
        this(decision, flapping, minorityDelay, releaseAfter, releaseAfter / 2);
    }

    /** With the usual limit for flapping: three quarters of the decision time, 4 s at least. */
    public static SplitTimes of(long decision, long minorityDelay, long releaseAfter) {
        return new SplitTimes(decision, Math.max(LEAST_FLAPPING, decision * 3 / 4), minorityDelay, releaseAfter);
    }

    /** How long after a cut a side that runs without a pause may have its answer from the arbiter, at the latest. */
    public long latestAnswer(long detection, long arbiterTimeout) {
        return detection + decision + flapping + minorityDelay + arbiterTimeout;
    }

    /** With naps as short as they must be when a side may have its answer so late. */
    public SplitTimes answeredWithin(long latest) {
        long slack = releaseAfter - latest;
        long nap = slack > 0 ? Math.min(longestNap, slack) : longestNap;
        return new SplitTimes(decision, flapping, minorityDelay, releaseAfter, nap);
    }
}
