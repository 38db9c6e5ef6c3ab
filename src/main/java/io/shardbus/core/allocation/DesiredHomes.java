package io.shardbus.core.allocation;

import io.shardbus.model.NodeId;
import java.util.Map;
import java.util.Optional;

/** Desired homes of shards, as set from outside. */
@FunctionalInterface
public interface DesiredHomes {
    /**
     * The desired homes as known now; must not block.
     *
     * @return from the number of a shard to the node it should live on, or empty if the state that holds them does not
     *     answer
     */
    Optional<Map<Integer, NodeId>> read();
}
