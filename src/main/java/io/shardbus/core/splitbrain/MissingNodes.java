package io.shardbus.core.splitbrain;

import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The members of the cluster beside the last topology of a cache.
 *
 * @param topology the nodes of the last topology
 * @param present those of them that the cache counts as alive
 * @param view the members of the cluster
 */
record MissingNodes(Set<NodeId> topology, Set<NodeId> present, Collection<NodeId> view) {
    /**
     * Whether all nodes that are missing from the topology have gone for good. Not while one is back in the view: it
     * may come from a side that went on, and then Infinispan's merge makes the cache available with its content. A
     * topology that was made without the nodes of that side does not name them; so after a merge a member that the
     * topology lacks counts as back, too.
     *
     * @param isGone whether the node has said goodbye or is given up
     * @param merging whether Infinispan's merge may still come
     */
    boolean areGone(Predicate<NodeId> isGone, boolean merging) {
        if (merging && !view.stream().allMatch(node -> topology.contains(node) || isGone.test(node))) {
            return false;
        }
        return topology.stream()
                .filter(node -> !present.contains(node) || !view.contains(node))
                .allMatch(node -> !view.contains(node) && isGone.test(node));
    }
}
