package io.shardbus.model;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as this node sees it.
 *
 * @param coordinator the node that coordinates, as far as this node knows
 * @param term the highest term that this node has seen; 0 before the first
 * @param available whether this node's side may act: it has the majority of the last stable members; false also on a
 *     coordinator that could not confirm its term for the duration of a lease because it reaches too few members
 * @param stopping whether this node was told that the whole cluster will stop, by
 *     {@link io.shardbus.ClusterSharding#prepareForShutdown}: then no shard moves, also from nodes that leave
 */
public record ClusterState(
        NodeId self, List<Node> nodes, @Nullable NodeId coordinator, long term, boolean available, boolean stopping) {
    /** A member. */
    public record Node(NodeId id, Set<String> roles, boolean mayCoordinate, String appVersion) {}
}
