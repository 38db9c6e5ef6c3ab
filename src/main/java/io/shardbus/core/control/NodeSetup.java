package io.shardbus.core.control;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;

/**
 * Setup of a node's control plane.
 *
 * @param processStart when the process began, on the clock of the events
 * @param witnessed whether deaths may be proven: the term record then lists the nodes that may hold leases
 * @param minorityMayGoOn whether a side of a split may go on without the majority
 * @param splitBrain the name of the strategy by which it decides about splits, for people
 */
public record NodeSetup(
        NodeId self,
        long incarnation,
        boolean mayCoordinate,
        Seats seats,
        LeaseTimes times,
        long processStart,
        boolean witnessed,
        boolean minorityMayGoOn,
        String splitBrain) {
    /** Longest time for which a lost node may hold leases, in milliseconds. */
    long longestLeases() {
        return times.lease() + 2 * times.margin();
    }
}
