package io.shardbus.core.splitbrain;

import io.shardbus.NodeId;
import io.shardbus.core.splitbrain.SplitMember.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A split as one side sees it: the members before the loss, and who of them is lost. Immutable.
 *
 * @param members the oldest first, in an order that both sides know
 * @param lost nodes that vanished without goodbye
 * @param available whether the cluster's caches may be used on this side: it has the majority of the members that they
 *     had when they last came to rest
 */
public record SplitSnapshot(List<SplitMember> members, Set<NodeId> lost, boolean available) {
    private static final Set<Status> FULL = Set.of(Status.UP, Status.LEAVING);
    private static final Set<Status> SURELY_STAYING = Set.of(Status.UP);
    private static final Set<Status> POSSIBLY_FULL = Set.of(Status.JOINING, Status.UP, Status.LEAVING);

    public SplitSnapshot {
        members = List.copyOf(members);
        lost = Set.copyOf(lost);
    }

    /** The members in the order of their addresses, which are their names: the lowest first. */
    public List<SplitMember> byAddress() {
        return members.stream().sorted(Comparator.comparing(SplitMember::node)).toList();
    }

    /** With this member in the place of what was known of its node; a new one is the youngest. */
    public SplitSnapshot with(SplitMember member) {
        List<SplitMember> next = new ArrayList<>(members);
        next.replaceAll(known -> known.node().equals(member.node()) ? member : known);
        if (!next.contains(member)) {
            next.add(member);
        }
        return new SplitSnapshot(next, lost, available);
    }

    public SplitSnapshot without(NodeId node) {
        return new SplitSnapshot(
                members.stream().filter(known -> !known.node().equals(node)).toList(), lost, available);
    }

    /** Full members, with the role if it is not empty; who leaves is still one. */
    Sides counted(String role) {
        return new Sides(select(role, FULL, FULL), here());
    }

    /**
     * The split with the eyes of the other side, at worst for this one: who joins there may be full already, and who
     * leaves here may have left.
     */
    Sides asTheOtherMaySeeIt(String role) {
        return new Sides(select(role, SURELY_STAYING, POSSIBLY_FULL), lost);
    }

    private Set<NodeId> here() {
        return members.stream()
                .map(SplitMember::node)
                .filter(node -> !lost.contains(node))
                .collect(Collectors.toSet());
    }

    private List<SplitMember> select(String role, Set<Status> ours, Set<Status> theirs) {
        return members.stream()
                .filter(member -> role.isEmpty() || member.roles().contains(role))
                .filter(member -> (lost.contains(member.node()) ? theirs : ours).contains(member.status()))
                .toList();
    }
}
