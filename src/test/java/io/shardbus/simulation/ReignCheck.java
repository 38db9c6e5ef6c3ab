package io.shardbus.simulation;

import io.shardbus.core.control.ElectionCommand;
import io.shardbus.core.control.NodeControl;
import io.shardbus.core.control.Reign;
import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.EndedReign;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Watches the reigns of one node: what a coordinator says, and when it opens. */
final class ReignCheck {
    private static final long OPENS_WITHIN = 300;
    /** A reign that waits for no answer of the store has heard of each order by then. */
    private static final long FOLLOWS_WITHIN = 100;

    private final SimNode node;
    private final Simulation world;
    private final NodeControl machine;

    private Rules.@Nullable Word word;
    private final Set<NodeId> dead = new HashSet<>();
    private long reignsSince;
    /** Since when the coordinator of the main type has been open, by this node's clock. */
    private long openSince = Long.MAX_VALUE;
    /** Since when all whose leases a type's coordinator waits for have spoken. */
    private final Map<String, Long> allSpoke = new HashMap<>();
    /** The orders that the present reign follows. */
    private StandingOrders followed = StandingOrders.NONE;
    /** Since when orders that were done are not followed, by this node's clock. */
    private final Map<OperatorOrder, Long> unfollowed = new HashMap<>();

    ReignCheck(SimNode node, NodeControl machine) {
        this.node = node;
        this.world = node.world;
        this.machine = machine;
    }

    /** An event comes. */
    void begins() {
        if (word != null) {
            word.nextEvent();
        }
    }

    /** The event has happened, and its commands are not yet carried out: it knows whether other orders stand. */
    void hears() {
        Reign reign = machine.reign();
        if (word != null && reign != null && reign.orders() != followed) {
            followed = reign.orders();
            word.follows(followed);
        }
    }

    /** The event's commands are carried out. */
    void ends() {
        if (word != null) {
            word.keepsWhatTheDeadHad();
        }
    }

    void tick() {
        Coordinator present = coordinator(Simulation.TYPE);
        openSince = present != null && present.isOpen() ? Math.min(openSince, node.clock()) : Long.MAX_VALUE;
        world.types().forEach(type -> lookForOpening(type.name()));
        lookForOrders();
    }

    private @Nullable Coordinator coordinator(String type) {
        Reign reign = machine.reign();
        return reign == null ? null : reign.coordinator(type);
    }

    void reigns(ElectionCommand.Begin command) {
        word = world.rules().new Word(node, command.term(), command.confirmSent());
        world.rules().follows(node, command.term(), command.predecessor());
        followed = StandingOrders.NONE;
        unfollowed.clear();
        allSpoke.clear();
        dead.clear();
        reignsSince = node.clock();
        openSince = Long.MAX_VALUE;
    }

    /** Whether the reign, which ends now, was too short for all regions to renew their leases. */
    boolean isShort() {
        return node.clock() - reignsSince < node.times.lease() / 2;
    }

    void confirmed(long sent) {
        if (word != null) {
            word.confirmed(sent);
        }
    }

    void says(Set<NodeId> members, NodeId to, SimType type, ToRegion message) {
        if (word != null) {
            word.says(members, to, type, message);
        }
    }

    void takesForDead(NodeId gone) {
        dead.add(gone);
        if (word != null && machine.reign() != null) {
            word.dies(gone);
        }
    }

    void present(Collection<NodeId> members) {
        dead.removeAll(members);
    }

    /** Whether it has confirmed its term by a write that was sent no longer ago. */
    boolean hasConfirmedFor(long age) {
        Rules.Word present = word;
        return machine.reign() != null && present != null && node.clock() - present.confirmSent() < age;
    }

    /** Whether it has been open for so long: what had waited for homes has had that time. */
    boolean hasBeenOpenFor(long age) {
        return coordinator(Simulation.TYPE) != null && openSince <= node.clock() - age;
    }

    /** An order that was answered as done is followed, whichever node coordinated when it was given. */
    private void lookForOrders() {
        Reign reign = machine.reign();
        boolean listens = reign != null
                && reign.knowsOrders()
                && node.control.orders().isIdle()
                && !node.hasJustThawed()
                && world.membership().mayUseStore(node.id);
        List<OperatorOrder> missed = listens ? world.givenOrders().missed(reign.orders()) : List.of();
        unfollowed.keySet().retainAll(missed);
        for (OperatorOrder order : missed) {
            long late = node.clock() - unfollowed.merge(order, node.clock(), Math::min);
            world.rules().check(late <= FOLLOWS_WITHIN, node + " does not follow " + order + ", which is done");
        }
    }

    /** A reign that knows who may hold leases opens as soon as all of them have registered, left or are dead. */
    private void lookForOpening(String type) {
        Coordinator present = coordinator(type);
        Set<NodeId> holders = present == null || present.isOpen() ? null : awaited(type);
        if (present == null || holders == null || !holders.stream().allMatch(holder -> hasSpoken(holder, present))) {
            allSpoke.remove(type);
            return;
        }
        long since = allSpoke.merge(type, node.clock(), Math::min);
        boolean late = node.clock() - since > OPENS_WITHIN && word != null && word.confirmSent() > since;
        world.check(!late, node + " waits for earlier leases though all have spoken: " + holders);
    }

    /** All that may hold a type's leases of terms before; null where that is not known. */
    private @Nullable Set<NodeId> awaited(String type) {
        Reign reign = machine.reign();
        Set<NodeId> inherited = machine.election().holders().inherited();
        EndedReign ended = reign == null
                ? null
                : machine.endedTerms().before(reign.begin()).get(type);
        if (ended == null || !ended.wasOpen()) {
            return inherited;
        }
        Set<NodeId> known = new HashSet<>(ended.holders());
        if (inherited != null) {
            known.retainAll(inherited);
        }
        return known;
    }

    private boolean hasSpoken(NodeId holder, Coordinator present) {
        return dead.contains(holder)
                || machine.election().holders().farewells().containsKey(holder)
                || present.inspect(node.clock()).regions().stream()
                        .anyMatch(region -> region.node().equals(holder));
    }
}
