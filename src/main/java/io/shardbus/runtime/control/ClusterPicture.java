package io.shardbus.runtime.control;

import io.shardbus.membership.ClusterView;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Map;

/**
 * Snapshot of the cluster as this node knows it. Immutable.
 *
 * @param available whether this side may act: the caches are available to it, and it has not stopped
 */
public record ClusterPicture(List<NodeId> members, Map<NodeId, NodeAttributes> attributes, boolean available) {
    static final ClusterPicture NOTHING = new ClusterPicture(List.of(), Map.of(), false);

    ClusterPicture with(ClusterView view) {
        return new ClusterPicture(List.copyOf(view.members()), attributes, view.available());
    }

    ClusterPicture permitted(boolean mayAct) {
        return new ClusterPicture(members, attributes, mayAct);
    }

    ClusterPicture with(Map<NodeId, NodeAttributes> changed) {
        return new ClusterPicture(members, Map.copyOf(changed), available);
    }
}
