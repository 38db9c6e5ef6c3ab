package io.shardbus.spi;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import java.util.Set;

/**
 * A user's strategy that places the shards of a type; it may call other systems before it answers. Only the coordinator
 * calls it, on its context, so it must not block. Each node has its own instance; the instance on a new coordinator
 * does not have the state of the last one. Snapshots are copies: they may be kept until the future completes, and read
 * on any thread.
 */
public interface AllocationStrategy {
    /**
     * Chooses a home for a shard that has none. Called again while the shard has none, but never twice at a time for
     * one shard. A future that fails, takes too long or names a node outside {@link AllocationSnapshot#regions()}
     * leaves the shard without a home; its messages wait.
     *
     * @param requester the node that has a message for the shard, often but not always one that hosts the type
     */
    Future<NodeId> allocateShard(int shard, NodeId requester, AllocationSnapshot snapshot);

    /**
     * Chooses shards that should leave their home; each is then given to {@link #allocateShard}. Called at each
     * rebalance interval, but only after the future of the last call has completed. Shards without a home, in handoff
     * or {@linkplain AllocationSnapshot#resting() resting} are ignored; a failed future means none.
     */
    Future<Set<Integer>> rebalance(AllocationSnapshot snapshot);
}
