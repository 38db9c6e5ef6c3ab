package io.shardbus.datacenter;

import io.shardbus.model.Reachability;

/**
 * Another data center as this node sees it.
 *
 * @param reachability UNKNOWN until the first connection, or until {@code unreachableAfterMs} have passed without one
 * @param pending messages that wait for a connection or an answer
 * @param lostTells messages without an answer that did not leave this node, since it started
 */
public record DataCenterState(String name, Reachability reachability, int pending, long lostTells) {
    public boolean isReachable() {
        return reachability == Reachability.REACHABLE;
    }
}
