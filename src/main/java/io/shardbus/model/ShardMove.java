package io.shardbus.model;

import org.jspecify.annotations.Nullable;

/**
 * A shard on its way from one home to the next, or waiting for its turn.
 *
 * @param from its home, or its last one
 * @param to its next home; null before it is chosen
 * @param ageMs for how long it has been on its way, or the coordinator has known that it has no home; 0 while it waits
 * @param homelessMs for how long it has had no home; 0 before
 * @param place its place among the waiting shards, from 1; 0 if it does not wait
 */
public record ShardMove(
        int shard,
        Cause cause,
        Phase phase,
        NodeId from,
        @Nullable NodeId to,
        long ageMs,
        long homelessMs,
        int place) {
    /** Cause of a shard's move. Constants are only ever added. */
    public enum Cause {
        /** The allocation strategy evens shards out, or follows desired homes. */
        REBALANCE,
        /** An operator drains its node. */
        DRAIN,
        /** Its region leaves. */
        LEAVE,
        /** Its home was lost, or lost its lease. */
        CRASH,
        /** Two clusters that were founded apart have met. */
        MERGE,
        /** An operator moves it. */
        OPERATOR,
        /** One of a later build. */
        UNKNOWN
    }

    /** Phase of a move. Constants are only ever added. */
    public enum Phase {
        /** The shard is served at its home until its move begins. */
        WAITING,
        /** Senders hold its messages, and its entities end. */
        STOPPING,
        /** It took too long, and the home is asked whether the shard stays. */
        ABORTING,
        /** It took too long, and the home stops the entities by force. */
        FORCED,
        /** It has no home. */
        PLACING,
        /** The next home starts it. */
        STARTING,
        /** One of a later build. */
        UNKNOWN
    }
}
