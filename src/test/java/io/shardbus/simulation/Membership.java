package io.shardbus.simulation;

import io.shardbus.core.splitbrain.CacheClaim;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who sees whom. Sides of a split, and nodes that were frozen for too long, have views of their own; the side with a
 * majority of the last stable members is available. Views reach different members at different times.
 */
final class Membership {
    /** A view as one node gets it. */
    record View(List<NodeId> members, boolean available, boolean merged) {}

    private static final class Group {
        final List<NodeId> members = new ArrayList<>();
        /** The members when the caches were last available to them. */
        final Set<NodeId> lastWhole = new LinkedHashSet<>();

        boolean available = true;
        int stable;
        /** Counts the changes of who has the caches. */
        long version;
        /** Whether some are gone that the others have not missed yet. */
        boolean unaware;

        void come(NodeId node) {
            members.add(node);
            stable = members.size();
            lastWhole.add(node);
        }

        /** One that has the caches as the other has them. */
        Group part(Collection<NodeId> some) {
            Group part = new Group();
            part.members.addAll(some);
            part.available = available;
            part.stable = stable;
            part.version = version;
            part.lastWhole.addAll(lastWhole);
            return part;
        }
    }

    private final Simulation world;
    private final List<Group> groups = new ArrayList<>();
    private final List<NodeId> order = new ArrayList<>();
    private long versions;

    Membership(Simulation world) {
        this.world = world;
        groups.add(new Group());
    }

    boolean mayUseStore(NodeId node) {
        Group own = storeOf(node);
        return own.available && own.members.contains(node);
    }

    /**
     * The group whose caches a node uses: its own where they are available, else those of the main one are out of its
     * reach.
     */
    private Group storeOf(NodeId node) {
        return groups.stream()
                .filter(group -> group.available && group.members.contains(node))
                .findFirst()
                .orElse(main());
    }

    /** Where the record is read and compared for a node; null while there is no member. */
    @Nullable
    NodeId primary(NodeId node) {
        return primary(storeOf(node));
    }

    private static @Nullable NodeId primary(Group group) {
        return group.members.isEmpty() ? null : group.members.get(0);
    }

    /** Who has replicas of what a node writes. */
    List<NodeId> replicas(NodeId node) {
        return storeOf(node).members;
    }

    /** Whether a member of the node's available side does not answer. */
    boolean writesStall(NodeId writer) {
        Group own = storeOf(writer);
        NodeId primary = primary(own);
        if (own.unaware) {
            return true;
        }
        for (NodeId member : own.members) {
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
        world.store().copy(primary(main()), node);
        order.add(node);
        main().come(node);
        tell(main(), false);
    }

    /**
     * A process joins those that it reaches, if their caches are available; else it is a cluster of its own until they
     * meet.
     */
    void joinReachable(NodeId node) {
        join(node, group -> group.available);
    }

    /** Where the caches deny the record, too: the process comes to the members that it reaches, and to their caches. */
    void joinDenied(NodeId node) {
        join(node, group -> true);
    }

    private void join(NodeId node, Predicate<Group> choice) {
        order.add(node);
        Group found = groups.stream()
                .filter(group -> choice.test(group) && !group.unaware && !group.members.isEmpty() && !isSilent(group))
                .filter(group -> group.members.stream()
                        .allMatch(member -> world.network().areConnected(member, node)))
                .findFirst()
                .orElse(null);
        if (found == null) {
            found = new Group();
            found.version = ++versions;
            groups.add(found);
        } else {
            world.store().copy(primary(found), node);
        }
        found.come(node);
        theAvailableFirst();
        tell(found, false);
    }

    /** Whether all are in one group, which may use its caches. */
    boolean isWhole() {
        return groups.size() == 1 && main().available;
    }

    /** How many members the main group has, the dead that were not missed yet among them. */
    int size() {
        return main().members.size();
    }

    /** A member goes in good order. */
    void leave(NodeId node) {
        for (Group group : List.copyOf(groups)) {
            group.lastWhole.remove(node);
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
     * Whether the cluster comes back after a split, though a node that is leaving on a side that may not go on ends
     * before the others can hear of it: to them it is a member that has vanished.
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

    /** The others go on without this member, independent of its own belief. */
    void expel(NodeId node) {
        SimNode found = world.node(node);
        for (Group group : List.copyOf(groups)) {
            if (group.members.contains(node) && group.members.size() > 1) {
                group.members.remove(node);
                shrink(group);
                if (found != null) {
                    isolate(found, group);
                }
            }
        }
    }

    /** The node is a group of its own from now on, and may or may not hear of it. */
    private void isolate(SimNode node, Group whole) {
        Group alone = whole.part(List.of(node.id));
        alone.available = false;
        groups.add(alone);
        if (world.options().splitRule.decides()) {
            missTheOthers(node, alone);
        } else if (!node.isSilent() && node.dice.nextBoolean()) {
            tell(alone, false);
        }
    }

    /**
     * Where nodes decide, one that runs notices in time that it is alone: the arbiter's lease is given back some time
     * after.
     */
    private void missTheOthers(SimNode node, Group alone) {
        world.scheduler().after(200L + node.dice.nextInt(300), () -> {
            if (node.isSilent() && groups.contains(alone)) {
                missTheOthers(node, alone);
            } else if (groups.contains(alone)) {
                tell(alone, false);
            }
        });
    }

    private void shrink(Group group) {
        group.available &= group.members.size() * 2 > group.stable;
        if (group.available) {
            settle(group);
        }
        tell(group, false);
    }

    /** The sides of a split have noticed. */
    void splitSeen() {
        for (Group group : List.copyOf(groups)) {
            Map<Integer, Group> sides = new TreeMap<>();
            for (NodeId member : group.members) {
                sides.computeIfAbsent(world.network().side(member), side -> group.part(List.of()))
                        .members
                        .add(member);
            }
            if (sides.size() > 1) {
                divide(group, List.copyOf(sides.values()));
            }
        }
    }

    /** One side of a split has noticed; the others still wait for its answers. */
    void splitSeenBy(int side) {
        for (Group group : List.copyOf(groups)) {
            List<NodeId> ours = group.members.stream()
                    .filter(member -> world.network().side(member) == side)
                    .toList();
            if (ours.isEmpty()) {
                continue;
            }
            if (ours.size() < group.members.size()) {
                Group rest = group.part(group.members);
                rest.members.removeAll(ours);
                rest.unaware = true;
                group.members.retainAll(ours);
                groups.add(rest);
            } else if (!group.unaware) {
                continue;
            }
            group.unaware = false;
            shrink(group);
        }
        theAvailableFirst();
    }

    private void settle(Group group) {
        group.version = ++versions;
        group.stable = group.members.size();
        group.lastWhole.clear();
        group.lastWhole.addAll(group.members);
    }

    private void theAvailableFirst() {
        groups.stream()
                .filter(group -> group.available && !main().available)
                .findFirst()
                .ifPresent(group -> {
                    groups.remove(group);
                    groups.add(0, group);
                });
    }

    /** A node looks at the caches of its side, and makes them available if its claim says so. */
    void look(SimNode node) {
        groups.stream()
                .filter(group -> group.members.contains(node.id) && !group.unaware)
                .filter(group -> node.members.equals(group.members))
                .findFirst()
                .ifPresent(group -> look(node, group));
    }

    private void look(SimNode node, Group group) {
        CacheClaim.Cache cache =
                new CacheClaim.Cache(group.available, Set.copyOf(group.lastWhole), Set.copyOf(group.members));
        if (node.control.claim().look(cache, group.members, acts(node, group)) == CacheClaim.Verdict.CLAIM) {
            makeAvailable(node, group);
        }
    }

    /** Whether the node is the first member that stays, as far as it knows. */
    private static boolean acts(SimNode node, Group group) {
        return node.control.claim().staying(group.members).stream()
                .findFirst()
                .filter(node.id::equals)
                .isPresent();
    }

    /** Makes the caches available to a node's side, with any members missing. */
    void revive(SimNode node) {
        groups.stream()
                .filter(group -> !group.available && group.members.contains(node.id))
                .findFirst()
                .ifPresent(group -> makeAvailable(node, group));
    }

    private void makeAvailable(SimNode node, Group group) {
        world.timeline().turn(node, "makes available", List.copyOf(group.members));
        group.available = true;
        settle(group);
        theAvailableFirst();
        tell(group, false);
    }

    /** The caches are not available to a node's side any more, if it acts there and is still without the lost. */
    void yieldCaches(SimNode node, Set<NodeId> lost) {
        yieldCaches(node, lost, group -> acts(node, group));
    }

    /** The same, by any member. */
    void giveUpCaches(SimNode node, Set<NodeId> lost) {
        yieldCaches(node, lost, group -> true);
    }

    private void yieldCaches(SimNode node, Set<NodeId> lost, Predicate<Group> may) {
        groups.stream()
                .filter(group -> group.members.contains(node.id))
                .findFirst()
                .filter(group -> node.control.claim().yieldTo(lost, group.members))
                .filter(group -> group.available && may.test(group))
                .ifPresent(group -> takeCaches(node, group));
    }

    private void takeCaches(SimNode node, Group group) {
        world.timeline().turn(node, "yields", List.copyOf(group.members));
        group.available = false;
        theAvailableFirst();
        tell(group, false);
    }

    private void divide(Group whole, List<Group> sides) {
        boolean wasMain = whole == main();
        int place = groups.indexOf(whole);
        groups.remove(whole);
        for (Group side : sides) {
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
        groups.forEach(group -> group.members.removeIf(member -> world.node(member) == null));
        if (world.options().startsApart) {
            dropTheEmpty();
        }
        Group main = main();
        List<Group> parts = groups.stream()
                .filter(group -> group == main || !isSilent(group))
                .toList();
        unite(parts, world.options().splitRule.decides() || world.options().startsApart ? preferred(parts) : main);
    }

    private void dropTheEmpty() {
        groups.removeIf(group -> group.members.isEmpty());
        if (groups.isEmpty()) {
            groups.add(new Group());
        }
    }

    /** Groups on one side of a split become one, while others are still cut off. */
    void meet(int side) {
        List<Group> parts = groups.stream()
                .filter(group -> !group.unaware && !group.members.isEmpty() && !isSilent(group))
                .filter(group -> group.members.stream()
                        .allMatch(member -> world.network().side(member) == side))
                .toList();
        if (parts.size() > 1 && !world.network().isCutOneWay()) {
            unite(parts, preferred(parts));
        }
    }

    private boolean isSilent(Group group) {
        return group.members.stream().map(world::node).anyMatch(node -> node == null || node.isSilent());
    }

    /** Whose record the others get: that of the latest change among the available, or among all if there are none. */
    private static Group preferred(List<Group> parts) {
        Comparator<Group> byVersion = Comparator.comparing(group -> group.version);
        return parts.stream()
                .filter(group -> group.available && !group.members.isEmpty())
                .max(byVersion)
                .orElseGet(() -> parts.stream().max(byVersion).orElseThrow());
    }

    private void unite(List<Group> parts, Group preferred) {
        NodeId primary = replicaOfTheRecord(parts, preferred);
        Set<NodeId> together = new LinkedHashSet<>();
        boolean available = false;
        int stable = 0;
        int merged = 0;
        for (Group group : parts) {
            together.addAll(group.members);
            available |= group.available;
            stable = Math.max(stable, group.stable);
            merged += group.members.isEmpty() ? 0 : 1;
            groups.remove(group);
        }
        Group whole = preferred.part(List.of());
        order.stream().filter(together::contains).forEach(whole.members::add);
        boolean majority = world.options().splitRule.decides() || world.options().startsApart
                ? hasMajority(whole.members, parts)
                : whole.members.size() * 2 > stable;
        whole.available = available || majority;
        whole.stable = stable;
        if (whole.available) {
            settle(whole);
        }
        groups.add(0, whole);
        theAvailableFirst();
        whole.members.forEach(member -> world.store().copy(primary, member));
        tell(whole, merged > 1);
    }

    /**
     * A side without a record takes that of another, also of one that must not use it: no merge loses what is there. A
     * side all of whose members have crashed has no replica to give.
     */
    private @Nullable NodeId replicaOfTheRecord(List<Group> parts, Group preferred) {
        NodeId primary = primary(preferred);
        if (primary != null && (!world.options().startsApart || world.store().hasRecord(primary))) {
            return primary;
        }
        return parts.stream()
                .map(Membership::primary)
                .filter(world.store()::hasRecord)
                .findFirst()
                .orElse(primary);
    }

    /** Whether more than half are there of those who had the caches last, as far as one of the parts knows. */
    private static boolean hasMajority(List<NodeId> members, List<Group> parts) {
        Group newest =
                parts.stream().max(Comparator.comparing(group -> group.version)).orElseThrow();
        return newest.lastWhole.stream().filter(members::contains).count() * 2 > newest.lastWhole.size();
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
