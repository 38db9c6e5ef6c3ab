package io.shardbus;

import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Map;

/**
 * The desired homes of one type's shards, which the application sets: from any node, and for any node that hosts the
 * type. They take effect if the strategy {@code external} places the type's shards. They are kept in the memory of all
 * nodes, so they outlast the coordinator, but not a stop of all nodes. May be used from any thread; futures complete on
 * the caller's Vert.x context if there is one.
 *
 * <p>A shard moves to its desired home soon after that is set, and returns to it when the node hosts the type again
 * after a pause. A desired home on a node that does not host the type has no effect. It stays in {@link #homes()} until
 * it is replaced or cleared, also when the node has restarted: a restarted node has another id.
 *
 * <p>Writes fail with {@link FailureCode#OUTCOME_UNKNOWN} if the store did not answer in time, or if this side of the
 * cluster may not write. Such a write may have been made, and may be repeated. Of concurrent writes the last one for a
 * shard counts.
 */
public interface ExternalShardAllocation {
    /** The type of the shards. */
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
     * number outside its shards, with UNKNOWN_NODE for a node that is not a member, with NOT_APPLICABLE if another
     * strategy than {@code external} places the type's shards, with NOT_IN_MAJORITY if no coordinator answers in time.
     *
     * @param homes from the number of a shard to a member of the cluster
     */
    Future<Void> setHomes(Map<Integer, NodeId> homes);

    /**
     * Removes the desired homes of these shards, which stay where they are; numbers without a desired home are ignored.
     */
    Future<Void> clear(Collection<Integer> shards);

    /** Removes all desired homes; all shards stay where they are. */
    Future<Void> clearAll();
}
