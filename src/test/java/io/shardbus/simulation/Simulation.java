package io.shardbus.simulation;

import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.model.NodeId;
import io.shardbus.simulation.Violation.Kind;
import io.shardbus.simulation.time.Scheduler;
import io.shardbus.simulation.time.Timeline;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in one thread: the real core of every node on a simulated network, clock and store. Everything random
 * comes from the seed, so one seed is one run, bit for bit. Broken promises end a run with the seed and the last
 * events.
 */
public final class Simulation {
    static final String TYPE = "type";
    static final long RETRY_INTERVAL = 400;
    static final long STOP_TIMEOUT = 300;
    static final long LONGEST_TICK = 70;

    private final SimulationOptions options;
    private final Schedule schedule;
    private final Scheduler scheduler = new Scheduler();
    private final Timeline timeline;
    private final Network network;
    private final TermStore store;
    private final IdStore idStore;
    private final OrdersRecord orders;
    private final GivenOrders givenOrders;
    private final Membership membership;
    private final SimSeats seats;
    private final Arbiter arbiter;
    private final Ledger ledger;
    private final Rules rules;
    private final Clients clients = new Clients();
    private final Workload workload;
    private final Faults faults;
    private final Map<String, SimLeaseProvider> leases = new HashMap<>();
    private final Map<NodeId, SimNode> nodes = new LinkedHashMap<>();
    private long incarnations;
    /** The highest term when no process was alive: until there is a higher one, wall clocks are not behind it. */
    private long termAtStop = -1;

    private final AtRest atRest;
    private final List<SimType> types;

    public Simulation(SimulationOptions options) {
        this(options, Schedule.of(options));
    }

    public Simulation(SimulationOptions options, Schedule schedule) {
        this.options = options;
        this.schedule = schedule;
        this.types = options.types();
        this.timeline = new Timeline(scheduler, options.digesting);
        this.network = new Network(this);
        this.store = new TermStore(this);
        this.idStore = new IdStore(this);
        this.orders = new OrdersRecord(this);
        this.givenOrders = new GivenOrders(this);
        this.membership = new Membership(this);
        this.seats = new SimSeats(this);
        this.arbiter = new Arbiter(this);
        this.ledger = new Ledger(this);
        this.rules = new Rules(this);
        this.workload = new Workload(this);
        this.faults = new Faults(this);
        this.atRest = new AtRest(this);
        for (int i = 0; i < options.nodes; i++) {
            addNode();
        }
    }

    /** Chances of their own for one part of the world: what one part draws does not change those of another. */
    SplittableRandom dice(String part) {
        return new SplittableRandom(options.seed * 0x9E3779B97F4A7C15L ^ part.hashCode() * 0xBF58476D1CE4E5B9L);
    }

    /** A whole run: load and faults, then rest, then the promises that hold at rest. */
    public Simulation run() {
        return guarded(() -> {
            scheduler.runUntil(options.loadFrom());
            workload.start(schedule.bursts());
            faults.start(schedule.steps());
            if (options.intruder) {
                new Intruder(this).start();
            }
            scheduler.runUntil(options.duration);
            rest();
        });
    }

    /** Runs for a time; a broken promise is reported with all that is needed to see it again. */
    Simulation runFor(long millis) {
        return guarded(() -> scheduler.runUntil(scheduler.now() + millis));
    }

    Simulation withLoad() {
        workload.start(schedule.bursts());
        return this;
    }

    /** Ends load and faults, waits, and checks what must hold at rest. */
    Simulation settle() {
        return guarded(this::rest);
    }

    private Simulation guarded(Runnable part) {
        try {
            part.run();
            return this;
        } catch (Violation | RuntimeException broken) {
            Kind kind = broken instanceof Violation violation ? violation.kind() : Kind.EXCEPTION;
            throw new Violation(
                    kind,
                    broken + "\n" + options + "\nat " + scheduler.now() + "; what turned the course of things:\n"
                            + timeline.tail() + broken + "\n",
                    broken);
        }
    }

    /** Whether load and faults are over. */
    boolean isAtRest() {
        return atRest.isReached();
    }

    private void rest() {
        workload.stop();
        faults.stop();
        atRest.await();
    }

    void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new Violation(Kind.UNREST, otherwise);
        }
    }

    SimNode addNode() {
        return addNode(seats.next(nextId()));
    }

    /** @param seat that it holds, empty for none */
    SimNode addNode(String seat) {
        SimNode node = newNode(seat);
        membership.join(node.id);
        return node;
    }

    /** Processes that start where they reach only each other, and those on their side of a split. */
    void addNodesApart(List<String> ofSeats, int side) {
        if (alive().isEmpty()) {
            termAtStop = ledger.highestTerm();
        }
        for (String seat : ofSeats) {
            SimNode node = newNode(seat);
            if (termAtStop == ledger.highestTerm()) {
                node.clocks.setBeforeStart(termAtStop);
            }
            network.put(node.id, side);
            membership.joinReachable(node.id);
        }
    }

    /** A process that starts beside members, also where the caches deny them the record. */
    SimNode addNodeBeside(SimNode member, String seat) {
        SimNode node = newNode(seat);
        network.put(node.id, network.side(member.id));
        membership.joinDenied(node.id);
        return node;
    }

    SimNode newNode(String seat) {
        NodeId id = new NodeId("n" + ++incarnations);
        SimNode node = new SimNode(id, seats.orOwn(seat, id), incarnations, this);
        timeline.turn(node, "joins", node.seat);
        nodes.put(id, node);
        node.start();
        return node;
    }

    /** Whether a witness knows that there is no process of the node any more. */
    boolean isProvenDead(NodeId id) {
        SimNode found = nodes.get(id);
        return found == null || found.isGone() && !found.unproven;
    }

    /** A node whose process exists. */
    @Nullable
    SimNode node(NodeId id) {
        SimNode found = nodes.get(id);
        return found == null || found.isGone() ? null : found;
    }

    /** All that have ever been there. */
    Collection<SimNode> everyNode() {
        return nodes.values();
    }

    /** The id of the process that starts next. */
    NodeId nextId() {
        return new NodeId("n" + (incarnations + 1));
    }

    /** Of a node that has ever been there. */
    SplitRule ruleOf(NodeId id) {
        return Objects.requireNonNull(nodes.get(id), "known").rule;
    }

    List<SimNode> alive() {
        return nodes.values().stream().filter(node -> !node.isGone()).toList();
    }

    List<SimNode> staying() {
        return nodes.values().stream().filter(SimNode::isStaying).toList();
    }

    /** The node of the coordinator with the highest term. */
    @Nullable
    SimNode coordinatorNode() {
        SimNode found = null;
        for (SimNode node : alive()) {
            Coordinator coordinator = node.control.coordinator();
            if (coordinator != null
                    && (found == null
                            || coordinator
                                    .term()
                                    .isHigherThan(found.control.coordinator().term()))) {
                found = node;
            }
        }
        return found;
    }

    /** The types of this cluster; the first is on every node. */
    List<SimType> types() {
        return types;
    }

    SimType type(String name) {
        return types.stream()
                .filter(type -> type.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    SimType typeOf(String entity) {
        for (SimType type : types) {
            if (type.mark() == entity.charAt(0)) {
                return type;
            }
        }
        throw new IllegalArgumentException(entity);
    }

    int shardOf(String entity) {
        return typeOf(entity).shardOf(entity);
    }

    SimulationOptions options() {
        return options;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    Timeline timeline() {
        return timeline;
    }

    Network network() {
        return network;
    }

    TermStore store() {
        return store;
    }

    OrdersRecord orders() {
        return orders;
    }

    /** What operators were told about their orders. */
    GivenOrders givenOrders() {
        return givenOrders;
    }

    IdStore idStore() {
        return idStore;
    }

    Membership membership() {
        return membership;
    }

    SimSeats seats() {
        return seats;
    }

    Arbiter arbiter() {
        return arbiter;
    }

    Ledger ledger() {
        return ledger;
    }

    Rules rules() {
        return rules;
    }

    Clients clients() {
        return clients;
    }

    /** A number that is the same for two runs only if they went the same way, when the options ask for it. */
    public long digest() {
        return timeline.digest();
    }

    /** The provider of the external leases of a type's shards. */
    SimLeaseProvider leases(SimType type) {
        return leases.computeIfAbsent(type.name(), name -> new SimLeaseProvider(this, type));
    }

    Workload workload() {
        return workload;
    }

    Faults faults() {
        return faults;
    }
}
