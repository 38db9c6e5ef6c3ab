package io.shardbus.core.splitbrain;

import io.shardbus.NodeId;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The members that count, and which of them are on the side that decides.
 *
 * @param members the oldest first
 */
record Sides(List<SplitMember> members, Set<NodeId> here) {
    int ours() {
        return (int) members.stream().filter(this::isOurs).count();
    }

    int theirs() {
        return members.size() - ours();
    }

    boolean isTie() {
        return 2 * ours() == members.size();
    }

    boolean hasMajority() {
        return 2 * ours() > members.size();
    }

    boolean hasLowestAddress() {
        return members.stream()
                .min(Comparator.comparing(SplitMember::node))
                .filter(this::isOurs)
                .isPresent();
    }

    boolean hasOldest() {
        return !members.isEmpty() && isOurs(members.get(0));
    }

    private boolean isOurs(SplitMember member) {
        return here.contains(member.node());
    }
}
