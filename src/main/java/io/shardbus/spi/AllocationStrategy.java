package io.shardbus.spi;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import java.util.Set;

/**
 * The user's rule for where the shards of a type go; it may ask others before it answers. Only the node that
 * coordinates calls it, on its coordinator's context, so it must not block; each node has its own, and a new
 * coordinator knows nothing of what the last one's remembered. Snapshots are copies: they may be kept until the future
 * completes, and read on any thread.
 */
public interface AllocationStrategy {
    /**
     * Chooses a home for a shard that has none. Called again while the shard has none, not for the same shard at the
     * same time. A future that fails, takes too long or names a node outside {@link AllocationSnapshot#regions()}
     * leaves the shard without a home; its messages wait.
     *
     * @param requester the node that has a message for the shard, often but not always one that hosts the type
     */
    Future<NodeId> allocateShard(int shard, NodeId requester, AllocationSnapshot snapshot);

    /**
     * Chooses shards that should leave their home; each is then given to {@link #allocateShard}. Called in the interval
     * of the options, not before the last call's future has completed. Shards without a home, in handoff or
     * {@linkplain AllocationSnapshot#resting() resting} are ignored; a failed future means none.
     */
    Future<Set<Integer>> rebalance(AllocationSnapshot snapshot);
}
