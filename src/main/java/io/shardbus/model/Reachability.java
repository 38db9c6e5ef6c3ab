package io.shardbus.model;

/** Reachability of another data center from this node. */
public enum Reachability {
    /** No connection has been made yet, and {@code unreachableAfterMs} has not passed since the start. */
    UNKNOWN,
    REACHABLE,
    UNREACHABLE
}
