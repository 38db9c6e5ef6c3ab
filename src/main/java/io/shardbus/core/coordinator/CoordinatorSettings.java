package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.TermId;

/**
 * Settings of a coordinator for the shards of one type. Times in milliseconds.
 *
 * @param handoffTimeout how long a handoff may take before it is given up
 * @param retryInterval how often an unanswered message is repeated
 * @param rebalanceInterval how often moves are looked for; 0 for never by itself
 * @param movesAtOnce how many shards may be on their way at a time at most, of those that could as well stay
 */
public record CoordinatorSettings(
        LeaseTimes times, long handoffTimeout, long retryInterval, long rebalanceInterval, int movesAtOnce) {
    /**
     * A shard that moves is silent for as long as all that move together keep the coordinator and the homes busy: on
     * two busy cores a hundred for half a second, ten for less than a tenth. Fewer were no faster each, and took longer
     * in all.
     */
    public static final int MOVES_AT_ONCE = 10;

    public CoordinatorSettings(LeaseTimes times, long handoffTimeout, long retryInterval, long rebalanceInterval) {
        this(times, handoffTimeout, retryInterval, rebalanceInterval, MOVES_AT_ONCE);
    }

    /**
     * These settings in a reign. An unanswered message is repeated within the margin of a lease. The switch that spares
     * a wait concerns the first term of a cluster: a predecessor's leases are always awaited.
     *
     * @param predecessor the term before; {@link TermId#NONE} if there is none
     */
    public CoordinatorSettings after(TermId predecessor) {
        boolean await = times.awaitPredecessors() || !predecessor.equals(TermId.NONE);
        return new CoordinatorSettings(
                new LeaseTimes(times.lease(), times.decision(), await),
                handoffTimeout,
                Math.min(retryInterval, times.margin()),
                rebalanceInterval,
                movesAtOnce);
    }
}
