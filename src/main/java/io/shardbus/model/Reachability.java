package io.shardbus.model;

/** Whether this node can send to another data center. */
public enum Reachability {
    /** The first connection is not there yet. */
    UNKNOWN,
    REACHABLE,
    UNREACHABLE
}
