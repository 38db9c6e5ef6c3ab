package io.shardbus.simulation;

import io.shardbus.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
        return main().available && main().members.contains(node);
    }

    /** Where the record is read and compared; null while there is nobody. */
    @Nullable
    NodeId primary() {
        return main().members.isEmpty() ? null : main().members.get(0);
    }

    List<NodeId> mainMembers() {
        return main().members;
    }

    /** Whether a member of the available side does not answer. */
    boolean writesStall() {
        NodeId primary = primary();
        for (NodeId member : main().members) {
            SimNode node = world.node(member);
            if (node == null || node.isSilent() || !world.network().areConnected(primary, member)) {
                return true;
            }
        }
        return false;
    }

    private Group main() {
        return groups.get(0);
    }

    void join(NodeId node) {
        world.store().copy(primary(), node);
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

    /**
     * Whether the cluster comes back after a split, though whoever is leaving on a side that may not go on ends before the others can
     * hear of it: to them it is a member that has vanished.
     *
     * @param leaving who is about to leave as well
     */
    boolean outlasts(Collection<List<NodeId>> sides, Set<NodeId> leaving) {
        Predicate<List<NodeId>> goesOn =
                side -> main().members.stream().filter(side::contains).count() * 2 > main().stable;
        long staying = world.staying().stream()
                .filter(node -> !leaving.contains(node.id))
                .count();
        int stable = groups.stream().mapToInt(group -> group.stable).max().orElse(0);
        return main().available && sides.stream().anyMatch(goesOn) || staying * 2 > stable;
    }

    private boolean isStaying(NodeId member) {
        SimNode node = world.node(member);
        return node != null && node.isStaying() && !node.isSilent();
    }

    /** A member has been silent for the time that detection takes. */
    void suspect(NodeId node) {
        SimNode found = world.node(node);
        if (found == null || found.isSilent()) {
            expel(node);
        }
    }

    /** The others go on without this member, whatever it thinks itself. */
    void expel(NodeId node) {
        SimNode found = world.node(node);
        for (Group group : List.copyOf(groups)) {
            if (group.members.contains(node) && group.members.size() > 1) {
                group.members.remove(node);
                shrink(group);
                if (found != null) {
                    isolate(found, group.stable);
                }
            }
        }
    }

    /** The node is a group of its own from now on, and may or may not hear of it. */
    private void isolate(SimNode node, int stable) {
        Group alone = new Group();
        alone.members.add(node.id);
        alone.available = false;
        alone.stable = stable;
        groups.add(alone);
        if (!node.isSilent() && node.dice.nextBoolean()) {
            tell(alone, false);
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
        for (Group group : List.copyOf(groups)) {
            Map<Integer, Group> sides = new TreeMap<>();
            for (NodeId member : group.members) {
                sides.computeIfAbsent(world.network().side(member), side -> new Group())
                        .members
                        .add(member);
            }
            if (sides.size() > 1) {
                divide(group, List.copyOf(sides.values()));
            }
        }
    }

    private void divide(Group whole, List<Group> sides) {
        boolean wasMain = whole == main();
        int place = groups.indexOf(whole);
        groups.remove(whole);
        for (Group side : sides) {
            side.available = whole.available;
            side.stable = whole.stable;
            shrink(side);
            groups.add(wasMain && side.available ? 0 : Math.min(place, groups.size()), side);
            place++;
        }
    }

    /** Groups that can hear each other again become one. */
    void merge() {
        if (world.network().isSplit() || world.network().isCutOneWay() || groups.size() == 1) {
            return;
        }
        main().members.removeIf(member -> world.node(member) == null);
        NodeId primary = primary();
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
        whole.members.forEach(member -> world.store().copy(primary, member));
        tell(whole, merged > 1);
    }

    private void tell(Group group, boolean merged) {
        View view = new View(List.copyOf(group.members), group.available, merged);
        for (NodeId member : view.members()) {
            SimNode node = world.node(member);
            if (node != null) {
                tell(node, view);
            }
        }
    }

    /** To some a merge shows twice: the members first, and that the caches are available again later. */
    private static void tell(SimNode node, View view) {
        int delay = node.dice.nextInt(60);
        if (view.merged() && delay % 2 == 0) {
            tell(node, new View(view.members(), false, true), delay);
            tell(node, new View(view.members(), view.available(), false), 2 * delay);
        } else {
            tell(node, view, delay);
        }
    }

    private static void tell(SimNode node, View view, int delay) {
        node.views.deliver(delay, () -> node.onControl(0, () -> node.viewChanged(view)));
    }
}
