package io.shardbus.model;

/** Decision of a side of a split. */
public enum SplitDecision {
    /** It goes on without the lost. */
    GO_ON,
    /** It stops its entities until the cluster is whole again. */
    STOP,
    /** It goes on if the arbiter lets it, who is asked at once. */
    ASK_ARBITER,
    /** The same, but the other side, which has the better claim, is let go first. */
    ASK_ARBITER_LATER
}
