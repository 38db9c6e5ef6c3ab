package io.shardbus.core.allocation;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import java.util.Optional;
import java.util.Set;

/**
 * A rule that places shards on regions. It runs on the coordinator, must not block, and answers from its arguments
 * alone.
 */
public interface ShardAllocation {
    /**
     * The home for a shard that has none.
     *
     * @param shard the number of the shard
     * @param requester the region that asked first; it need not host shards
     * @param snapshot the homes of all other shards
     * @return one of the snapshot's regions, or empty if none is suitable: the shard stays without a home until a
     *     region asks again
     */
    Optional<NodeId> allocate(int shard, NodeId requester, AllocationSnapshot snapshot);

    /**
     * The shards that should leave their homes now. Each is handed off and then allocated like a new one.
     *
     * @return shards of the snapshot's regions, none of them in handoff; empty if all may stay
     */
    Set<Integer> rebalance(AllocationSnapshot snapshot);
}
