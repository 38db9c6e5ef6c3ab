package io.shardbus.model;

/** Reachability of another data center from this node. */
public enum Reachability {
    /** The first connection is not there yet. */
    UNKNOWN,
    REACHABLE,
    UNREACHABLE
}
