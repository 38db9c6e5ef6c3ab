package io.shardbus.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A split as one side sees it: the members before the loss, and which of them are lost. Immutable.
 *
 * @param members the oldest first, in an order that both sides know
 * @param lost nodes that vanished without goodbye
 * @param available whether the cluster's caches may be used on this side: it has the majority of the members that the
 *     caches had when they were last stable
 */
public record SplitSnapshot(List<SplitMember> members, Set<NodeId> lost, boolean available) {
    public SplitSnapshot {
        members = List.copyOf(members);
        lost = Set.copyOf(lost);
    }

    /** The members in the order of their addresses, which are their names: the lowest first. */
    public List<SplitMember> byAddress() {
        return members.stream().sorted(Comparator.comparing(SplitMember::node)).toList();
    }

    /** This snapshot with the member in place of the earlier entry of its node; a new member is the youngest. */
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

    /** The nodes on this side. */
    public Set<NodeId> here() {
        return members.stream()
                .map(SplitMember::node)
                .filter(node -> !lost.contains(node))
                .collect(Collectors.toSet());
    }
}
