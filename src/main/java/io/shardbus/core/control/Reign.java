package io.shardbus.core.control;

import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorCommand;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.coordinator.EndedReign;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One term of this node: a coordinator for each entity type that has a region, and the orders of operators that it
 * follows.
 */
public final class Reign {
    /** More types than any cluster has; a bound for what arrives from other nodes. */
    static final int MOST_TYPES = 10_000;
    /** More types than have stopped shards to report, and no region yet; their regions repeat the reports. */
    static final int MOST_UNREGISTERED = 1_000;
    /** More nodes than die within a few lease times: a type that begins later waits for leases of the others. */
    static final int MOST_DEATHS = 1_000;

    /** The settings of a type's coordinator in a reign. */
    @FunctionalInterface
    public interface Settings {
        CoordinatorSettings of(String type, ElectionCommand.Begin begin);
    }

    /** Takes the commands of a type's coordinator. */
    @FunctionalInterface
    interface Sink {
        void accept(String type, CoordinatorCommand command);
    }

    private final ElectionCommand.Begin begin;
    private final long begun;
    private final LeaseTimes times;
    private final Settings settings;
    private final Sink sink;
    private final LeaseHolders holders;
    private final Map<String, Coordinator> coordinators = new LinkedHashMap<>();
    private final Map<String, EndedReign> predecessors = new LinkedHashMap<>();
    private final FollowedOrders orders;
    /** Whether shards wait until the standing orders are known. */
    private boolean awaitsOrders = true;
    /** Nodes whose death was proven in this reign; earlier deaths are in the inherited holders. */
    private final Set<NodeId> dead = new LinkedHashSet<>();

    private Set<NodeId> view = Set.of();
    private long confirmSent;
    private boolean undecided;
    private boolean stopping;

    /**
     * @param begun when this node learnt that its claim took hold, in elapsed milliseconds; a write of it may take long
     * @param holders nodes that may hold leases of earlier terms, and nodes that left and hold none
     */
    Reign(
            ElectionCommand.Begin begin,
            long begun,
            LeaseTimes times,
            LeaseHolders holders,
            Settings settings,
            Sink sink) {
        this.begin = begin;
        this.begun = begun;
        this.times = times;
        this.holders = holders;
        this.settings = settings;
        this.sink = sink;
        this.confirmSent = begin.confirmSent();
        this.orders = new FollowedOrders(confirmSent + times.lease());
    }

    public TermId term() {
        return begin.term();
    }

    /** The command by which it began. */
    public ElectionCommand.Begin begin() {
        return begin;
    }

    /**
     * Whether each region that this node can hear has had the time to register. In a cluster's first reign no region
     * was there before.
     *
     * @param longestPause between two tries of a region, in milliseconds
     */
    public boolean hasBeenHeard(long longestPause, long now) {
        return begin.predecessor().equals(TermId.NONE) || now >= begun + longestPause;
    }

    /** The types that have a coordinator. */
    public Set<String> types() {
        return Set.copyOf(coordinators.keySet());
    }

    /** The coordinator of a type; null before its first region has registered. */
    public @Nullable Coordinator coordinator(String type) {
        return coordinators.get(type);
    }

    /**
     * A region's message; the first of a type that a member sends gives the type a coordinator, unless there are too
     * many types. What a node sends that is no member yet, it repeats.
     *
     * @return the reason why it is refused; null if it is not
     */
    @Nullable
    String received(String type, CoordinatorEvent.Received event, Set<NodeId> members, long now) {
        if (!coordinators.containsKey(type) && event.message().mayComeFirst() && members.contains(event.from())) {
            boolean registers = event.message() instanceof ToCoordinator.Register;
            if (coordinators.size() >= MOST_TYPES || !registers && unregisteredTypes() >= MOST_UNREGISTERED) {
                return event.from() + " has a region of one more type, and too many have a coordinator";
            }
            begin(type, members, now);
        }
        step(type, event, now);
        return null;
    }

    /** The types of which regions have reported stopped shards, and none has registered. */
    private long unregisteredTypes() {
        return coordinators.values().stream()
                .filter(coordinator -> coordinator.numberOfShards() == 0)
                .count();
    }

    private void begin(String type, Set<NodeId> members, long now) {
        coordinators.put(
                type, new Coordinator(term(), settings.of(type, begin), begin.waitFrom(), confirmSent, members));
        if (undecided) {
            step(type, new CoordinatorEvent.LossUndecided(true), now);
        }
        Set<NodeId> inherited = holders.inherited();
        if (inherited != null) {
            step(type, new CoordinatorEvent.PredecessorAbdicated(inherited), now);
        }
        holders.farewells().forEach((node, at) -> step(type, new CoordinatorEvent.NodeLeft(node, at), now));
        dead.forEach(node -> step(type, new CoordinatorEvent.NodeProvenDead(node), now));
        if (stopping) {
            step(type, new CoordinatorEvent.ShutdownPrepared(true), now);
        }
        EndedReign before = predecessors.get(type);
        if (before != null) {
            step(type, new CoordinatorEvent.PredecessorAbdicated(before), now);
        }
        follow(type, StandingOrders.NONE, now);
        if (awaitsOrders) {
            step(type, new CoordinatorEvent.OrdersAwaited(true), now);
        }
    }

    /** The coordinator of a type follows the orders that are known now. */
    private void follow(String type, StandingOrders before, long now) {
        Coordinator coordinator = coordinators.get(type);
        if (coordinator != null) {
            FollowedOrders.changes(before, orders.present(), type, coordinator::isDrained)
                    .forEach(event -> step(type, event, now));
        }
    }

    /** This node has started the type: its coordinator's settings are those of the definition. */
    void settingsChanged(String type, long now) {
        if (coordinators.containsKey(type)) {
            step(type, new CoordinatorEvent.SettingsChanged(settings.of(type, begin)), now);
        }
    }

    /** An event for the coordinator of one type; none if the type has no coordinator. */
    void step(String type, CoordinatorEvent event, long now) {
        Coordinator coordinator = coordinators.get(type);
        if (coordinator != null) {
            coordinator.step(event, now).forEach(command -> sink.accept(type, command));
        }
    }

    void all(CoordinatorEvent event, long now) {
        coordinators.keySet().forEach(type -> step(type, event, now));
    }

    /** These members may be granted leases from now on. */
    void viewChanged(Set<NodeId> members, long now) {
        view = members;
        dead.removeAll(members);
        all(new CoordinatorEvent.ViewChanged(members), now);
    }

    void confirmed(long sentAt, Set<NodeId> members, long now) {
        if (!members.equals(view)) {
            viewChanged(members, now);
        }
        confirmSent = sentAt;
        all(new CoordinatorEvent.Confirmed(sentAt), now);
    }

    void provenDead(NodeId node, long now) {
        dead.add(node);
        if (dead.size() > MOST_DEATHS) {
            dead.remove(dead.iterator().next());
        }
        all(new CoordinatorEvent.NodeProvenDead(node), now);
    }

    /** While the loss of a member is not decided, its shards stay where they are. */
    void lossUndecided(boolean isUndecided, long now) {
        undecided = isUndecided;
        all(new CoordinatorEvent.LossUndecided(isUndecided), now);
    }

    /** The whole cluster stops, and nothing moves any more; or it goes on. */
    void clusterStops(boolean stops, long now) {
        if (stops != stopping) {
            stopping = stops;
            all(new CoordinatorEvent.ShutdownPrepared(stops), now);
        }
    }

    /** The leases that the term before has left are known. */
    void predecessorEnded(Map<String, EndedReign> types, long now) {
        types.forEach((type, ended) -> {
            if (predecessors.size() < MOST_TYPES || predecessors.containsKey(type)) {
                predecessors.put(type, ended);
                step(type, new CoordinatorEvent.PredecessorAbdicated(ended), now);
            }
        });
    }

    /** The record of standing orders was read or written: every type follows them, also those that register later. */
    void takeUp(StandingOrders read, long now) {
        StandingOrders before = orders.present();
        orders.read(read, now);
        coordinators.keySet().forEach(type -> follow(type, before, now));
        awaitNoLonger(now);
    }

    private void awaitNoLonger(long now) {
        if (awaitsOrders && orders.areKnown(now)) {
            awaitsOrders = false;
            all(new CoordinatorEvent.OrdersAwaited(false), now);
        }
    }

    /** The record of standing orders could not be read or written. */
    void ordersUnread(long now) {
        orders.unread(now);
    }

    /** Carries out a move, or begins or ends a drain, whether the record says so or not. */
    void order(OperatorOrder order, long now) {
        NodeId node = order.node();
        if (order.kind() == OperatorOrder.Kind.MOVE) {
            step(order.type(), new CoordinatorEvent.Ordered(order), now);
        } else if (order.kind() == OperatorOrder.Kind.DRAIN && node != null) {
            all(new CoordinatorEvent.DrainRequested(node), now);
        } else if (order.kind() == OperatorOrder.Kind.UNDRAIN && node != null) {
            coordinators.forEach((type, coordinator) -> {
                if (coordinator.isDrained(node)) {
                    step(type, new CoordinatorEvent.UndrainRequested(node), now);
                }
            });
        }
    }

    /** Whether this reign has read the standing orders, or has given up to wait for them. */
    public boolean knowsOrders() {
        return !awaitsOrders;
    }

    /** The standing orders that this reign follows. */
    public StandingOrders orders() {
        return orders.present();
    }

    /** The operation on the record of standing orders that is due now; null if none is. */
    OrderBook.@Nullable Check checkOrders(long now) {
        awaitNoLonger(now);
        Set<NodeId> gone = orders.gone(
                view, node -> dead.contains(node) || holders.farewells().containsKey(node), now);
        List<OperatorOrder> ended = endedDrains(gone);
        if (!orders.isDue(!gone.isEmpty() || !ended.isEmpty(), now)) {
            return null;
        }
        orders.ask();
        return new OrderBook.Check(term(), gone, ended);
    }

    /** The drains that have ended with the region of a type: one that is started in its place may have shards. */
    private List<OperatorOrder> endedDrains(Set<NodeId> gone) {
        List<OperatorOrder> ended = new ArrayList<>();
        if (!orders.present().isEmpty()) {
            coordinators.forEach((type, coordinator) -> orders.present().drained(type).stream()
                    .filter(node -> !gone.contains(node) && !coordinator.isDrained(node))
                    .forEach(node -> ended.add(new OperatorOrder(OperatorOrder.Kind.UNDRAIN, type, node, -1))));
        }
        return ended;
    }

    /** The nodes whose drain holds for one type or more. */
    public Set<NodeId> drained(long now) {
        if (coordinators.isEmpty()) {
            return orders.present().drained("");
        }
        Set<NodeId> nodes = new LinkedHashSet<>();
        coordinators
                .values()
                .forEach(coordinator -> nodes.addAll(coordinator.inspect(now).drained()));
        return nodes;
    }

    /**
     * Number of a node's shards, of all types; empty as long as it may have some of which this reign has not heard: a
     * coordinator that is open has heard of every shard that runs, one of a type may not have begun yet.
     *
     * @param types those of this node
     */
    Optional<Integer> shardsOn(NodeId node, Collection<String> types, long now) {
        Set<String> expected = new LinkedHashSet<>(types);
        expected.addAll(predecessors.keySet());
        boolean late = !times.awaitPredecessors() || hasOutlivedAll();
        boolean known = coordinators.values().stream().allMatch(Coordinator::isOpen)
                && (late || !coordinators.isEmpty() && coordinators.keySet().containsAll(expected));
        return known ? Optional.of(count(node, now)) : Optional.empty();
    }

    private int count(NodeId node, long now) {
        return coordinators.values().stream()
                .flatMap(coordinator -> coordinator.inspect(now).regions().stream())
                .filter(region -> region.node().equals(node))
                .mapToInt(CoordinatorView.Region::shards)
                .sum();
    }

    /** A region that has not registered by now holds no lease of an earlier reign any more. */
    private boolean hasOutlivedAll() {
        return confirmSent >= begin.waitFrom() + times.lease() + times.margin();
    }

    /**
     * Leases that outlive this reign, for the next one, by type. A type that no region has registered in this reign
     * keeps the entry of the term before.
     */
    Map<String, EndedReign> ended() {
        Map<String, EndedReign> types = new LinkedHashMap<>(predecessors);
        coordinators.forEach((type, coordinator) -> types.put(type, coordinator.ended()));
        return types;
    }

    /** The regions that may hold leases, for each type of which that is known without a moment on this node's clock. */
    Map<String, Set<NodeId>> leaseHolders() {
        Map<String, Set<NodeId>> types = new LinkedHashMap<>();
        ended().forEach((type, ended) -> {
            if (ended.wasOpen()) {
                types.put(type, new LinkedHashSet<>(ended.holders()));
            }
        });
        return types;
    }
}
