package io.shardbus.model;

/** Decision of a side of a split. */
public enum SplitDecision {
    /** It goes on without the lost members. */
    GO_ON,
    /** It stops its entities until the cluster is whole again. */
    STOP,
    /** It asks the arbiter at once, and goes on if it gets the lease. */
    ASK_ARBITER,
    /** As {@link #ASK_ARBITER}, but after a delay, so that the other side, which has precedence, asks first. */
    ASK_ARBITER_LATER
}
