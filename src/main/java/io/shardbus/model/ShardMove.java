package io.shardbus.model;

import org.jspecify.annotations.Nullable;

/**
 * A shard on its way from one home to the next, or waiting for its turn.
 *
 * @param from its present home, or its last one if it has none
 * @param to its next home; null until that home is chosen
 * @param ageMs how long ago its move began, or the coordinator learned that it has no home; 0 while it waits
 * @param homelessMs for how long it has had no home; 0 until it has left its home
 * @param place its place among the waiting shards, from 1; 0 if it does not wait
 * @param heldUp what it waits for at its home; null where it is not in its handoff, and where the home has not said
 */
public record ShardMove(
        int shard,
        Cause cause,
        Phase phase,
        NodeId from,
        @Nullable NodeId to,
        long ageMs,
        long homelessMs,
        int place,
        @Nullable HoldUp heldUp) {
    /** The same with what its home says that it waits for. */
    public ShardMove heldUpBy(@Nullable HoldUp said) {
        return new ShardMove(shard, cause, phase, from, to, ageMs, homelessMs, place, said);
    }

    /** Cause of a shard's move. Later builds only add constants. */
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
        /** A cause that a later build has added. */
        UNKNOWN
    }

    /** Phase of a move. Later builds only add constants. */
    public enum Phase {
        /** The shard is served at its home until its move begins. */
        WAITING,
        /** Senders hold its messages, and its entities end. */
        STOPPING,
        /** The handoff took too long: the coordinator asks the home whether the shard stays there. */
        ABORTING,
        /** The handoff took too long: the home stops the entities by force. */
        FORCED,
        /** The shard has no home, and the coordinator chooses the next one. */
        PLACING,
        /** The next home starts the shard. */
        STARTING,
        /** A phase that a later build has added. */
        UNKNOWN
    }
}
