package io.shardbus;

import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Map;

/**
 * The desired homes of one type's shards, which a program outside the cluster sets: from any node, and for any node
 * that hosts the type. They take effect where the type's shards are placed by the strategy {@code external}, and are
 * kept for the next coordinator: in the memory of all nodes, as long as one of them runs. May be used from any thread;
 * futures complete on the caller's Vert.x context if there is one.
 *
 * <p>A shard moves to its desired home soon after it was set, and returns to it when the node hosts the type again. A
 * desired home that does not host the type counts as none. It stays in {@link #homes()} until it is replaced or
 * cleared: a node that starts again is another node.
 *
 * <p>Writes fail with {@link FailureCode#OUTCOME_UNKNOWN} where the store did not answer in time, or this side of the
 * cluster may not write: they may have been made, and may be repeated. Of two writers at a time, each shard keeps what
 * was written last.
 */
public interface ExternalShardAllocation {
    /** The type whose shards it is about. */
    String type();

    /**
     * The desired homes by shard; empty for a type that was never started. Fails with
     * {@link FailureCode#NOT_IN_MAJORITY} where this side of the cluster cannot read them, with TIMED_OUT where the
     * store does not answer.
     */
    Future<Map<Integer, NodeId>> homes();

    /** Sets the desired home of one shard; see {@link #setHomes}. */
    default Future<Void> setHome(int shard, NodeId home) {
        return setHomes(Map.of(shard, home));
    }

    /**
     * Sets the desired homes of these shards in one write, and leaves all others as they are. Completes when the nodes
     * have agreed on it, before the shards have moved.
     *
     * <p>Fails, and sets nothing, with UNKNOWN_TYPE for a type that was started on no node, with INVALID_ID for a
     * number that is no shard of it, with UNKNOWN_NODE for a node that is no member, with NOT_APPLICABLE where another
     * strategy than {@code external} places the type's shards, with NOT_IN_MAJORITY where no coordinator answers in
     * time.
     *
     * @param homes from the number of a shard to a member of the cluster
     */
    Future<Void> setHomes(Map<Integer, NodeId> homes);

    /** These shards have no desired home any more, and stay where they are; numbers without one are passed over. */
    Future<Void> clear(Collection<Integer> shards);

    /** No shard has a desired home any more; all stay where they are. */
    Future<Void> clearAll();
}
