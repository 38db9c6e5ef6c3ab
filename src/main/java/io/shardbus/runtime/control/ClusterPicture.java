package io.shardbus.runtime.control;

import io.shardbus.core.control.ElectionView;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Map;

/**
 * Snapshot of the cluster as this node knows it. Immutable.
 *
 * @param available whether this side may act: the caches are available to it, and it has not stopped
 * @param denied whether the caches are not available to it
 */
public record ClusterPicture(
        List<NodeId> members, Map<NodeId, NodeAttributes> attributes, boolean available, boolean denied) {
    static final ClusterPicture NOTHING = new ClusterPicture(List.of(), Map.of(), false, false);

    ClusterPicture with(ClusterView view) {
        return new ClusterPicture(List.copyOf(view.members()), attributes, view.available(), !view.available());
    }

    ClusterPicture permitted(boolean mayAct) {
        return new ClusterPicture(members, attributes, mayAct, denied);
    }

    ClusterPicture with(Map<NodeId, NodeAttributes> changed) {
        return new ClusterPicture(members, Map.copyOf(changed), available, denied);
    }

    /** The view as the election wants it; a member whose attributes are not known yet may be a candidate. */
    ElectionView electionView() {
        List<NodeId> candidates = members.stream().filter(this::mayCoordinate).toList();
        return new ElectionView(members, candidates, available, denied);
    }

    /** Whether no member may coordinate. */
    public boolean isLeaderless() {
        return electionView().candidates().isEmpty();
    }

    private boolean mayCoordinate(NodeId member) {
        NodeAttributes known = attributes.get(member);
        return known == null || known.mayCoordinate();
    }
}
