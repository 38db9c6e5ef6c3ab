package io.shardbus.core.splitbrain;

/**
 * The times of a decision. All in milliseconds of elapsed time.
 *
 * @param decision how long nothing may change before a side decides
 * @param flapping how much longer than that members may change; at the next change the side stops
 * @param minorityDelay how long the side with the weaker claim waits before it asks the arbiter
 * @param releaseAfter how long after its grant the arbiter's lease is given back
 * @param together how long members whose options differ must have been together before the more numerous ones count:
 *     longer than the loss of one takes to be noticed
 * @param longestPause a node that was suspended for this long asks no arbiter: the other side may have got the lease
 *     and given it back meanwhile
 * @param answer how long after its first request to the arbiter a node may go on by an answer
 * @param look how long a side that stopped waits, once it has the caches, before it reads the records in them
 */
public record SplitTimes(
        long decision,
        long flapping,
        long minorityDelay,
        long releaseAfter,
        long together,
        long longestPause,
        long answer,
        long look) {
    /** Longest time for the arbiter's answer, where nothing else is set. */
    private static final long ANSWER = 5_000;

    public SplitTimes(long decision, long flapping, long minorityDelay, long releaseAfter) {
        this(
                decision,
                flapping,
                minorityDelay,
                releaseAfter,
                decision + flapping,
                releaseAfter / 2,
                ANSWER,
                decision + flapping);
    }

    /** These times, where the loss of a member may be noticed this late. */
    public SplitTimes noticedWithin(long detection) {
        return new SplitTimes(
                decision,
                flapping,
                minorityDelay,
                releaseAfter,
                Math.max(together, detection + decision),
                longestPause,
                answer,
                look);
    }

    /** These times with the longest safe suspension if the arbiter may answer a side this long after a cut. */
    public SplitTimes answeredWithin(long latest) {
        long slack = releaseAfter - latest;
        long pause = slack > 0 ? Math.min(longestPause, slack) : longestPause;
        return new SplitTimes(decision, flapping, minorityDelay, releaseAfter, together, pause, answer, look);
    }

    /** These times, where an answer of the arbiter counts for so long after the first request. */
    public SplitTimes answering(long millis) {
        return new SplitTimes(decision, flapping, minorityDelay, releaseAfter, together, longestPause, millis, look);
    }

    /** These times for a lease of this length: a coordinator confirms its term several times in half of it. */
    public SplitTimes confirmedWithin(long lease) {
        return new SplitTimes(
                decision, flapping, minorityDelay, releaseAfter, together, longestPause, answer, lease / 2);
    }
}
