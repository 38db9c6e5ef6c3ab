package io.shardbus.model;

/** Whether the node of a region means to stay. */
public enum MemberStatus {
    /** A full member. */
    UP,
    /** On its way out: it hands off its own shards and is the last choice for new ones. */
    LEAVING
}
