package io.shardbus.core.splitbrain;

import io.shardbus.model.NodeId;
import io.shardbus.model.SplitMember;
import io.shardbus.model.SplitMember.Status;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The members of this node's side: those of the present view, and those that belong to the cluster since no member was
 * missing last.
 */
final class SideMembers {
    /** The members before the loss and those that joined since, the oldest first. */
    private final Map<NodeId, SplitMember> known = new LinkedHashMap<>();
    /** Known members that left in good order, or are dead. */
    private final Set<NodeId> excused = new HashSet<>();

    private List<SplitMember> present = List.of();
    private boolean someAreDead;

    /** The members of the view, the oldest first. */
    List<SplitMember> present() {
        return present;
    }

    int numberKnown() {
        return known.size();
    }

    boolean isPresent(NodeId node) {
        return present.stream().anyMatch(member -> member.node().equals(node));
    }

    /** Sets the members of the view; one that departs is excused when it goes. Returns whether a member is gone. */
    boolean seen(List<SplitMember> members) {
        Set<NodeId> before = nodesOf(present);
        present = List.copyOf(members);
        // its goodbye holds also when it was out of the view for a moment
        members.stream().filter(each -> each.status() == Status.DEPARTING).forEach(each -> excused.add(each.node()));
        return !nodesOf(present).containsAll(before);
    }

    /** The node left in good order, or is dead. Returns whether it is a known member. */
    boolean excuse(NodeId node) {
        boolean isKnown = known.containsKey(node);
        if (isKnown) {
            excused.add(node);
        }
        return isKnown;
    }

    /** The known members that are missing in the view; forgets those that are excused. */
    Set<NodeId> missing() {
        Set<NodeId> missing = new LinkedHashSet<>(known.keySet());
        missing.removeAll(nodesOf(present));
        someAreDead |= missing.stream().anyMatch(excused::contains);
        missing.stream().filter(excused::contains).forEach(known::remove);
        missing.removeIf(excused::remove);
        return missing;
    }

    /** Whether a missing member was excused since {@link #forgetDeaths}. */
    boolean someAreDead() {
        return someAreDead;
    }

    void forgetDeaths() {
        someAreDead = false;
    }

    /** Counts members that came after a loss as joining. */
    void addJoining() {
        present.forEach(member -> known.putIfAbsent(member.node(), member.with(Status.JOINING)));
    }

    /**
     * From now on the present members are the cluster. What was known of a full member is kept if less is known now.
     */
    void rebase() {
        Map<NodeId, SplitMember> before = new LinkedHashMap<>(known);
        known.clear();
        for (SplitMember member : present) {
            SplitMember remembered = before.get(member.node());
            boolean lessKnown =
                    member.status() == Status.JOINING && remembered != null && remembered.status() == Status.UP;
            known.put(member.node(), lessKnown ? remembered : member);
        }
        excused.retainAll(known.keySet());
    }

    /** The known members; those that have said goodbye since do not count any more. */
    List<SplitMember> current() {
        Map<NodeId, SplitMember> members = new LinkedHashMap<>(known);
        present.stream()
                .filter(member -> member.status() == Status.DEPARTING)
                .forEach(member -> members.put(member.node(), member));
        return List.copyOf(members.values());
    }

    private static Set<NodeId> nodesOf(List<SplitMember> members) {
        Set<NodeId> nodes = new LinkedHashSet<>();
        members.forEach(member -> nodes.add(member.node()));
        return nodes;
    }
}
