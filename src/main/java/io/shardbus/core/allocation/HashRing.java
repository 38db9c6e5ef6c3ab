package io.shardbus.core.allocation;

import io.shardbus.model.NodeId;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Assignment of shards to a set of regions by consistent hashing. Without one of the regions only its shards get
 * another owner; with one more, shards change only to the new one. The answer depends on nothing but the set and
 * the shard.
 */
@FunctionalInterface
public interface HashRing {
    /**
     * The owner of each shard.
     *
     * @param regions at least one, in any order
     * @return from the number of a shard to one of {@code regions}; keeps no reference to the set
     */
    IntFunction<NodeId> among(Set<NodeId> regions);
}
