package io.shardbus.core.coordinator;

import io.shardbus.NodeId;
import io.shardbus.core.protocol.TermRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as this node's membership sees it.
 *
 * @param members oldest first
 * @param candidates the members that may coordinate, oldest first
 * @param available whether this side may decide
 */
public record ElectionView(List<NodeId> members, List<NodeId> candidates, boolean available) {
    static final ElectionView EMPTY = new ElectionView(List.of(), List.of(), false);

    int rank(NodeId node) {
        int rank = candidates.indexOf(node);
        return rank < 0 ? members.size() : rank;
    }

    /** Whether the record leaves the seat to whoever asks, by what this node knows. */
    boolean isVacant(@Nullable TermRecord record, NodeId self) {
        return record == null
                || record.isReleased()
                || record.owner().equals(self)
                || !members.contains(record.owner());
    }
}
