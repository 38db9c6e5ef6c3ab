package io.shardbus.membership;

import io.shardbus.model.NodeId;
import java.util.List;

/**
 * Membership view of the cluster, as this node sees it now. It is a hint: a node that was frozen still has its old
 * view, as available, until it receives the others' messages.
 *
 * @param number counts the views that this node saw, from 1; not comparable between nodes
 * @param members in the order of the view: the oldest first, except that a merge may put any member first
 * @param merged whether two parts of the cluster, this node's among them, have just become one. Each part may have gone
 *     on without the other: a reign that began before must not continue
 * @param available whether this side of the cluster may read and write the term record and the other guarded caches:
 *     false on the side of a split that has no majority of the last stable members. It may turn false shortly after the
 *     first view without those members
 */
public record ClusterView(long number, List<NodeId> members, boolean merged, boolean available) {
    public ClusterView {
        members = List.copyOf(members);
    }
}
