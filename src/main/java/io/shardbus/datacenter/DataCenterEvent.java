package io.shardbus.datacenter;

/**
 * A change of reachability, as this node sees it.
 *
 * @param dataCenter the other data center
 * @param reachable whether this node is connected to one of its nodes; false: it has heard from none for {@code
 *     unreachableAfterMs}
 */
public record DataCenterEvent(String dataCenter, boolean reachable) {}
