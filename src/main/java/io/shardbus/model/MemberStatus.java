package io.shardbus.model;

/** Status of a region's node: whether it stays in the cluster. */
public enum MemberStatus {
    /** A full member. */
    UP,
    /** On its way out: it hands off its own shards and is the last choice for new ones. */
    LEAVING
}
