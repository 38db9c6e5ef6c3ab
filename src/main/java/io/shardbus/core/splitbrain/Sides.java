package io.shardbus.core.splitbrain;

import io.shardbus.model.NodeId;
import io.shardbus.model.SplitMember;
import io.shardbus.model.SplitMember.Status;
import io.shardbus.model.SplitSnapshot;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The members that count, and which of them are on the side that decides.
 *
 * @param members the oldest first
 */
record Sides(List<SplitMember> members, Set<NodeId> here) {
    private static final Set<Status> FULL = Set.of(Status.UP, Status.LEAVING);
    private static final Set<Status> SURELY_STAYING = Set.of(Status.UP);
    private static final Set<Status> POSSIBLY_FULL = Set.of(Status.JOINING, Status.UP, Status.LEAVING);

    /** Full members, with the role if it is not empty; a leaving member is still one. */
    static Sides counted(SplitSnapshot split, String role) {
        return new Sides(select(split, role, FULL, FULL), split.here());
    }

    /**
     * The split as the other side may see it, at worst for this one: a member that joins there may be full already, and
     * a member that leaves here may have left.
     */
    static Sides asTheOtherMaySeeIt(SplitSnapshot split, String role) {
        return new Sides(select(split, role, SURELY_STAYING, POSSIBLY_FULL), split.lost());
    }

    private static List<SplitMember> select(SplitSnapshot split, String role, Set<Status> ours, Set<Status> theirs) {
        return split.members().stream()
                .filter(member -> role.isEmpty() || member.roles().contains(role))
                .filter(member -> (split.lost().contains(member.node()) ? theirs : ours).contains(member.status()))
                .toList();
    }

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
