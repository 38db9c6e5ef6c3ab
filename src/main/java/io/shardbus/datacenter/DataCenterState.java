package io.shardbus.datacenter;

import io.shardbus.model.Reachability;

/**
 * Another data center as this node sees it.
 *
 * @param reachability UNKNOWN until the first connection, or until {@code unreachableAfterMs} have passed without one
 * @param pending number of messages that wait for a connection, are being written, or wait for an answer
 * @param lostTells number of messages without an answer that did not leave this node, because the data center was
 *     unreachable or {@code maxPending} were pending, since {@link DataCenters#start}; messages that were written to a
 *     connection that then broke are not counted
 */
public record DataCenterState(String name, Reachability reachability, int pending, long lostTells) {
    public boolean isReachable() {
        return reachability == Reachability.REACHABLE;
    }
}
