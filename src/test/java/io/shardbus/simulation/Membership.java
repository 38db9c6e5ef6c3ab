package io.shardbus.simulation;

import io.shardbus.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Who sees whom. Sides of a split, and nodes that were frozen for too long, have views of their own; the side with a majority of
 * the last stable members is available. Views reach different members at different times.
 */
final class Membership {
    /** A view as one node gets it. */
    record View(List<NodeId> members, boolean available, boolean merged) {}

    private static final class Group {
        final List<NodeId> members = new ArrayList<>();
        boolean available = true;
        int stable;
    }

    private final Simulation world;
    private final List<Group> groups = new ArrayList<>();
    private final List<NodeId> order = new ArrayList<>();

    Membership(Simulation world) {
        this.world = world;
        groups.add(new Group());
    }

    boolean mayUseStore(NodeId node) {
        for (Group group : groups) {
            if (group.members.contains(node)) {
                return group.available && group == groups.get(0);
            }
        }
        return false;
    }

    /** Whether a member of the available side does not answer. */
    boolean writesStall() {
        boolean splitUnseen = false;
        for (NodeId member : main().members) {
            SimNode node = world.node(member);
            splitUnseen |= node == null || node.isSilent() || world.network().isFar(member) != isMainFar();
        }
        return splitUnseen;
    }

    private boolean isMainFar() {
        int far = 0;
        for (NodeId member : main().members) {
            far += world.network().isFar(member) ? 1 : 0;
        }
        return far * 2 > main().members.size();
    }

    private Group main() {
        return groups.get(0);
    }

    void join(NodeId node) {
        order.add(node);
        main().members.add(node);
        main().stable = main().members.size();
        tell(main(), false);
    }

    /** A member goes in good order. */
    void leave(NodeId node) {
        for (Group group : List.copyOf(groups)) {
            if (group.members.remove(node)) {
                group.stable = Math.min(group.stable, group.members.size());
                tell(group, false);
            }
        }
    }

    /** Whether the rest would still be a majority without these members. */
    boolean canLose(Set<NodeId> nodes) {
        long left = main().members.stream()
                .filter(member -> !nodes.contains(member) && isStaying(member))
                .count();
        return groups.size() == 1 && main().available && left * 2 > main().stable;
    }

    private boolean isStaying(NodeId member) {
        SimNode node = world.node(member);
        return node != null && node.isStaying() && !node.isSilent();
    }

    /** A member has been silent for the time that detection takes. */
    void suspect(NodeId node) {
        SimNode found = world.node(node);
        if (found != null && !found.isSilent()) {
            return;
        }
        for (Group group : List.copyOf(groups)) {
            if (group.members.contains(node) && group.members.size() > 1) {
                group.members.remove(node);
                shrink(group);
                if (found != null) {
                    Group alone = new Group();
                    alone.members.add(node);
                    alone.available = false;
                    alone.stable = group.stable;
                    groups.add(alone);
                }
            }
        }
    }

    private void shrink(Group group) {
        group.available &= group.members.size() * 2 > group.stable;
        if (group.available) {
            group.stable = group.members.size();
        }
        tell(group, false);
    }

    /** The sides of a split have noticed. */
    void splitSeen() {
        if (!world.network().isSplit()) {
            return;
        }
        for (Group group : List.copyOf(groups)) {
            List<NodeId> far =
                    group.members.stream().filter(world.network()::isFar).toList();
            if (!far.isEmpty() && far.size() < group.members.size()) {
                Group other = new Group();
                other.members.addAll(far);
                other.stable = group.stable;
                other.available = group.available;
                group.members.removeAll(far);
                shrink(group);
                shrink(other);
                groups.add(group == main() && other.available ? 0 : groups.size(), other);
            }
        }
    }

    /** Groups that can hear each other again become one. */
    void merge() {
        if (world.network().isSplit() || groups.size() == 1) {
            return;
        }
        Set<NodeId> together = new LinkedHashSet<>();
        boolean available = false;
        int stable = 0;
        int merged = 0;
        for (Group group : List.copyOf(groups)) {
            group.members.removeIf(member -> world.node(member) == null);
            if (group == main()
                    || group.members.stream()
                            .noneMatch(member -> world.node(member).isSilent())) {
                together.addAll(group.members);
                available |= group.available;
                stable = Math.max(stable, group.stable);
                merged += group.members.isEmpty() ? 0 : 1;
                groups.remove(group);
            }
        }
        Group whole = new Group();
        order.stream().filter(together::contains).forEach(whole.members::add);
        whole.available = available || whole.members.size() * 2 > stable;
        whole.stable = whole.available ? whole.members.size() : stable;
        groups.add(0, whole);
        tell(whole, merged > 1);
    }

    private void tell(Group group, boolean merged) {
        View view = new View(List.copyOf(group.members), group.available, merged);
        for (NodeId member : view.members()) {
            SimNode node = world.node(member);
            if (node != null) {
                node.views.deliver(world.random().nextInt(60), () -> node.onControl(0, () -> node.viewChanged(view)));
            }
        }
    }
}
