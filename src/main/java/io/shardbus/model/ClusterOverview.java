package io.shardbus.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All types of the cluster and how its nodes are doing.
 *
 * @param types those that the coordinator knows, by name; empty where it was not asked
 * @param nodes the members that answered
 * @param silent the members that did not answer
 */
public record ClusterOverview(List<Type> types, Map<NodeId, NodeStatus> nodes, Set<NodeId> silent) {
    /**
     * One type.
     *
     * @param moves under way, then the waiting ones in the order of their turns
     * @param homeless how many shards are needed and have no home
     * @param allocation the strategy that places the shards: a name of the option, or a class
     * @param paused whether no round of rebalancing begins by itself, by an operator's order
     * @param pins the nodes to which operators have pinned shards
     * @param cordoned the nodes that get no more shards, by an operator's order
     */
    public record Type(
            TypeState state,
            List<ShardMove> moves,
            int homeless,
            String allocation,
            boolean paused,
            Map<Integer, NodeId> pins,
            Set<NodeId> cordoned) {
        public Type {
            moves = List.copyOf(moves);
            pins = Map.copyOf(pins);
            cordoned = Set.copyOf(cordoned);
        }
    }

    public ClusterOverview {
        types = List.copyOf(types);
        nodes = Map.copyOf(nodes);
        silent = Set.copyOf(silent);
    }
}
