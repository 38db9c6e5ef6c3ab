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
 *
 * <p>A future that has not completed within 5 s counts as failed. The coordinator also calls both methods to make a
 * plan ({@code ClusterOperations.plan}), at any time, with snapshots of the state that the planned moves would lead to;
 * the snapshot of a join contains a region of the node {@code joining}.
 */
public interface AllocationStrategy {
    /**
     * Chooses a home for a shard that has none. Except for plans, one call for a shard ends before the next one begins;
     * the coordinator calls again as long as the shard has no home. A future that fails or names a node outside {@link
     * AllocationSnapshot#regions()} leaves the shard without a home; its messages wait.
     *
     * @param requester the node that has a message for the shard, often but not always one that hosts the type
     */
    Future<NodeId> allocateShard(int shard, NodeId requester, AllocationSnapshot snapshot);

    /**
     * Chooses shards that should leave their home; each is then given to {@link #allocateShard}. Called at each
     * rebalance interval and for {@code ClusterSharding.rebalance}. Except for plans, one call ends before the next one
     * begins. Shards without a home, in handoff or {@linkplain AllocationSnapshot#resting() resting} are ignored; if
     * the future fails, no shard moves.
     */
    Future<Set<Integer>> rebalance(AllocationSnapshot snapshot);
}
