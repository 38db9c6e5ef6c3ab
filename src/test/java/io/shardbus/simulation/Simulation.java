package io.shardbus.simulation;

import io.shardbus.core.control.Peers;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.NodeId;
import io.shardbus.simulation.Letter.Work;
import io.shardbus.simulation.Violation.Kind;
import io.shardbus.simulation.time.Scheduler;
import io.shardbus.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
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
    private static final long SHORTEST_SETTLING = 2_500;
    private static final long RESTART_PAUSE = 1_000;

    private final SimulationOptions options;
    private final Schedule schedule;
    private final Scheduler scheduler = new Scheduler();
    private final Timeline timeline;
    private final Network network;
    private final TermStore store;
    private final IdStore idStore;
    private final Membership membership;
    private final SimSeats seats;
    private final Arbiter arbiter;
    private final Ledger ledger;
    private final Rules rules;
    private final Clients clients = new Clients();
    private final Workload workload;
    private final Faults faults;
    private final Map<Integer, NodeId> leaseHolders = new HashMap<>();
    private final Map<NodeId, SimNode> nodes = new LinkedHashMap<>();
    private long incarnations;
    private boolean atRest;

    public Simulation(SimulationOptions options) {
        this(options, Schedule.of(options));
    }

    public Simulation(SimulationOptions options, Schedule schedule) {
        this.options = options;
        this.schedule = schedule;
        this.timeline = new Timeline(scheduler, options.digesting);
        this.network = new Network(this);
        this.store = new TermStore(this);
        this.idStore = new IdStore(this);
        this.membership = new Membership(this);
        this.seats = new SimSeats(this);
        this.arbiter = new Arbiter(this);
        this.ledger = new Ledger(this);
        this.rules = new Rules(this);
        this.workload = new Workload(this);
        this.faults = new Faults(this);
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
        return atRest;
    }

    private void rest() {
        workload.stop();
        faults.stop();
        scheduler.runUntil(scheduler.now() + SHORTEST_SETTLING);
        runUntil(this::isQuiet, options.settling - SHORTEST_SETTLING);
        if (alive().stream().anyMatch(this::staysStopped)) {
            restartStopped();
            runUntil(this::isQuiet, options.settling);
        }
        atRest = true;
        for (SimNode node : alive()) {
            check(node.isStaying(), node + " has not come to the end of its leaving");
            RegionStatus status = node.hosting.region().status();
            check(!node.hosting.isEnding(), "the region on " + node + " has not come to its end");
            check(status == RegionStatus.REGISTERED, "the region on " + node + " is " + status + " at rest");
            check(node.fullShards().isEmpty(), node + " does not send to " + node.fullShards() + " at rest");
            check(node.buffered() == 0, node + " still buffers " + node.buffered() + ": " + ledger.open(node));
        }
        ledger.checkEnds();
        checkRemembered();
        checkStates();
        checkPassivation();
        askAll();
        checkBalance();
        clients.check();
    }

    /** The process of a node that this side lost died too late for the witness to be believed. */
    private boolean staysStopped(SimNode node) {
        Peers peers = node.control.machine().peers();
        return alive().stream().allMatch(other -> other.control.isStopped())
                && nodes.values().stream()
                        .anyMatch(other ->
                                other.isGone() && peers.status(other.id).isLost());
    }

    /** What operators are told to do then: stop all nodes of that side, and start them. */
    private void restartStopped() {
        List<SimNode> stopped = alive();
        timeline.turn("-", "operators", "restart " + stopped);
        stopped.forEach(SimNode::crash);
        rules.allStopped();
        scheduler.runUntil(scheduler.now() + RESTART_PAUSE);
        stopped.forEach(node -> membership.suspect(node.id));
        for (int i = 0; i < stopped.size(); i++) {
            SimNode next = newNode(seats.next(new NodeId("n" + (incarnations + 1))));
            membership.joinReachable(next.id);
        }
        membership.merge();
    }

    /**
     * Every id in the store has its entity, though nobody sends it anything; also when the coordinator and its shards
     * are gone.
     */
    private void checkRemembered() {
        if (options.remembering) {
            awaitRemembered(10_000);
            if (!options.plannedOnly) {
                faults.crash(coordinatorNode());
                runUntil(() -> isQuiet() && allAreBack(), 15_000);
                awaitRemembered(5_000);
            }
        }
    }

    private void awaitRemembered(long longest) {
        runUntil(this::allAreBack, longest);
        idStore.ids().forEach(id -> check(ledger.isLive(id), id + " is remembered and has no entity at rest"));
    }

    private boolean allAreBack() {
        return idStore.ids().stream().allMatch(ledger::isLive);
    }

    /** Where nobody crashes no state is gone without a word, and none is there twice. */
    private void checkStates() {
        if (options.plannedOnly) {
            runUntil(ledger.states()::isSettled, 3_000);
            check(ledger.states().isSettled(), "of " + ledger.states());
            check(ledger.states().areMostlyTaken(), "of " + ledger.states());
        }
    }

    /** The idle are put away, and no node has more entities than it may. */
    private void checkPassivation() {
        if (options.passivation.limit() != null) {
            for (SimNode node : alive()) {
                runUntil(() -> ledger.live(node) <= node.hosting.passivation.most(), 3_000);
                String found =
                        ledger.live(node) + " entities on " + node + ", " + node.hosting.passivation.most() + " may be";
                check(ledger.live(node) <= node.hosting.passivation.most(), found);
            }
        }
        if (options.passivation.idle() != null) {
            runUntil(() -> alive().stream().allMatch(node -> ledger.live(node) == 0), 3_000);
            alive().forEach(node -> check(ledger.live(node) == 0, ledger.live(node) + " idle entities on " + node));
        }
    }

    /** Goes on until something holds, but not for longer than a time. */
    private void runUntil(BooleanSupplier holds, long longest) {
        long end = scheduler.now() + longest;
        while (scheduler.now() < end && !holds.getAsBoolean()) {
            scheduler.runUntil(Math.min(end, scheduler.now() + 200));
        }
    }

    private boolean isQuiet() {
        SimNode coordinating = coordinatorNode();
        if (!faults.areOver()
                || coordinating == null
                || !coordinating.control.coordinator().isOpen()) {
            return false;
        }
        for (SimNode node : alive()) {
            if (!node.isStaying()
                    || node.hosting.isEnding()
                    || node.hosting.region().status() != RegionStatus.REGISTERED
                    || node.buffered() != 0
                    // drain notes, states and answers fill the ways of a small buffer too, until they are acknowledged
                    || !node.fullShards().isEmpty()) {
                return false;
            }
        }
        return ledger.isQuiet();
    }

    private void askAll() {
        List<FreshAsk> asked = new ArrayList<>();
        for (SimNode node : alive()) {
            for (int i = 0; i < options.entities; i++) {
                String entity = "e" + i;
                // its shard may still be moving, and all that waits for it comes to its new home at once
                runUntil(() -> waiting(asked, entity) < options.mailboxSize, 3_000);
                asked.add(new FreshAsk(node, entity));
                scheduler.runUntil(scheduler.now() + (options.bufferSize < 50 ? 40 : 2));
            }
        }
        runUntil(() -> asked.stream().allMatch(ask -> ask.answered) && ledger.isQuiet(), 3_000);
        asked.forEach(ask -> check(ask.answered, "a fresh ask was not answered in 3 s at rest: " + ask));
        ledger.checkEnds();
    }

    private static long waiting(List<FreshAsk> asked, String entity) {
        return asked.stream()
                .filter(ask -> ask.entity.equals(entity) && !ask.ended)
                .count();
    }

    /**
     * An ask when all is well. Work of an earlier message that throws only now may stop the instance: then it is asked
     * again.
     */
    private final class FreshAsk {
        private final SimNode node;
        private final String entity;
        private int left = options.throwPercent > 0 ? 2 : 1;
        private boolean answered;
        private boolean ended;

        FreshAsk(SimNode node, String entity) {
            this.node = node;
            this.entity = entity;
            send();
        }

        private void send() {
            left--;
            node.send(entity, Work.NONE, this::ended);
        }

        private void ended(boolean well) {
            answered = well;
            ended = well || left == 0;
            if (!ended) {
                send();
            }
        }

        @Override
        public String toString() {
            return node + " to " + entity + (ended ? ", which failed" : "");
        }
    }

    private void checkBalance() {
        // A handoff that a stalled connection held up is given up, and its shard rests for as long, before it moves.
        long longest = 2 * options.handoffTimeout + 3 * options.rebalanceInterval + 1_000;
        runUntil(() -> imbalance() == null, longest);
        String wrong = imbalance();
        check(wrong == null, "at rest " + wrong);
    }

    private @Nullable String imbalance() {
        SimNode node = coordinatorNode();
        Coordinator coordinator = node == null ? null : node.control.coordinator();
        if (node == null || coordinator == null) {
            return "nobody coordinates";
        }
        CoordinatorView view = coordinator.inspect(node.clock());
        int fewest = Integer.MAX_VALUE;
        int most = 0;
        for (CoordinatorView.Region region : view.regions()) {
            SimNode host = node(region.node());
            if (region.leaving() && host != null && !host.drained) {
                return host + " is taken for one that leaves";
            }
            if (!region.leaving()) {
                fewest = Math.min(fewest, region.shards());
                most = Math.max(most, region.shards());
            }
        }
        if (view.regions().size() != alive().size()) {
            return "not all regions are registered: " + view.regions();
        }
        return options.rebalanceInterval > 0 && most - fewest > 1 ? "shards are not balanced: " + view.regions() : null;
    }

    void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new Violation(Kind.UNREST, otherwise);
        }
    }

    SimNode addNode() {
        return addNode(seats.next(new NodeId("n" + (incarnations + 1))));
    }

    /** @param seat that it holds, empty for none */
    SimNode addNode(String seat) {
        SimNode node = newNode(seat);
        membership.join(node.id);
        return node;
    }

    /** Processes that start where they reach only each other, and those on their side of a split. */
    void addNodesApart(List<String> ofSeats, int side) {
        for (String seat : ofSeats) {
            SimNode node = newNode(seat);
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

    private SimNode newNode(String seat) {
        NodeId id = new NodeId("n" + ++incarnations);
        SimNode node = new SimNode(id, seats.orOwn(seat, id), incarnations, this);
        timeline.turn(node, "joins", node.seat);
        nodes.put(id, node);
        node.start();
        return node;
    }

    /** A node whose process exists. */
    @Nullable
    SimNode node(NodeId id) {
        SimNode found = nodes.get(id);
        return found == null || found.isGone() ? null : found;
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

    int shardOf(String entity) {
        return Integer.parseInt(entity.substring(1)) % options.shards;
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

    /** Who holds the outside lease of a shard. */
    Map<Integer, NodeId> leaseHolders() {
        return leaseHolders;
    }

    Workload workload() {
        return workload;
    }

    Faults faults() {
        return faults;
    }
}
