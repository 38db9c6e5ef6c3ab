package io.shardbus.core.control;

import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;

/**
 * Members that depend on a node that may coordinate and is about to leave.
 *
 * @param staying the other members that do not leave, as far as this node knows; empty if none of them depends on this
 *     node
 * @param candidates those of them that may coordinate, or that have the term record and have not told their attributes
 *     yet
 */
public record Dependents(List<NodeId> staying, Set<NodeId> candidates) {
    public static final Dependents NONE = new Dependents(List.of(), Set.of());

    public Dependents {
        staying = List.copyOf(staying);
        candidates = Set.copyOf(candidates);
    }

    /**
     * The nodes that stop when this one leaves, as none of those that stay may coordinate.
     *
     * @param departing members that leave as well
     * @return empty if one that stays may coordinate
     */
    public List<NodeId> without(Set<NodeId> departing) {
        List<NodeId> left =
                staying.stream().filter(node -> !departing.contains(node)).toList();
        return left.stream().anyMatch(candidates::contains) ? List.of() : left;
    }
}
