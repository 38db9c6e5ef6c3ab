package io.shardbus.datacenter;

/** Another data center can be reached from this node again, or not any more. */
public record DataCenterEvent(String dataCenter, boolean reachable) {}
