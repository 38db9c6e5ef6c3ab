package io.shardbus.datacenter;

/** A change of reachability: this node can reach another data center again, or no longer. */
public record DataCenterEvent(String dataCenter, boolean reachable) {}
