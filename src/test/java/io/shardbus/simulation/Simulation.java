package io.shardbus.simulation;

import io.shardbus.NodeId;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.coordinator.LeaseTimes;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.simulation.Letter.Work;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in one thread: the real core of every node on a simulated network, clock and store. Everything random comes from
 * the seed, so one seed is one run, bit for bit. Broken promises end a run with the seed and the last events.
 */
final class Simulation {
    static final String TYPE = "type";
    static final long RETRY_INTERVAL = 400;
    static final long STOP_TIMEOUT = 300;
    static final long LONGEST_TICK = 70;

    private final SimulationOptions options;
    private final Random random;
    private final Scheduler scheduler = new Scheduler();
    private final Timeline timeline;
    private final Network network;
    private final TermStore store;
    private final Membership membership;
    private final Ledger ledger;
    private final Workload workload;
    private final Faults faults;
    private final Map<NodeId, SimNode> nodes = new LinkedHashMap<>();
    private long incarnations;
    private boolean atRest;

    Simulation(SimulationOptions options) {
        this.options = options;
        this.random = new Random(options.seed * 0x9E3779B97F4A7C15L);
        this.timeline = new Timeline(scheduler, options.digesting);
        this.network = new Network(this);
        this.store = new TermStore(this);
        this.membership = new Membership(this);
        this.ledger = new Ledger(this);
        this.workload = new Workload(this);
        this.faults = new Faults(this);
        for (int i = 0; i < options.nodes; i++) {
            addNode();
        }
    }

    /** A whole run: load and faults, then rest, then the promises that hold at rest. */
    Simulation run() {
        return guarded(() -> {
            scheduler.runUntil(options.plannedOnly ? options.lease * 3 / 2 : 0);
            workload.start();
            faults.start();
            scheduler.runUntil(options.duration);
            workload.stop();
            faults.stop();
            scheduler.runUntil(options.duration + options.settling);
            settleAll();
        });
    }

    /** Runs for a time; a broken promise is reported with all that is needed to see it again. */
    Simulation runFor(long millis) {
        return guarded(() -> scheduler.runUntil(scheduler.now() + millis));
    }

    Simulation withLoad() {
        workload.start();
        return this;
    }

    /** Ends load and faults, waits, and checks what must hold at rest. */
    Simulation settle() {
        return guarded(() -> {
            workload.stop();
            faults.stop();
            scheduler.runUntil(scheduler.now() + options.settling);
            settleAll();
        });
    }

    private Simulation guarded(Runnable part) {
        try {
            part.run();
            return this;
        } catch (Violation | RuntimeException broken) {
            throw new Violation(
                    broken + "\n" + options + "\nat " + scheduler.now() + "; the last events:\n" + timeline.tail()
                            + broken + "\nreplay with -Dshardbus.simulation.seed=" + options.seed + "\n",
                    broken);
        }
    }

    /** Whether load and faults are over. */
    boolean isAtRest() {
        return atRest;
    }

    private void settleAll() {
        atRest = true;
        for (SimNode node : alive()) {
            check(node.isStaying(), node + " has not come to the end of its leaving");
            RegionStatus status = node.hosting.region().status();
            check(status == RegionStatus.REGISTERED, "the region on " + node + " is " + status + " at rest");
            check(node.buffered() == 0, node + " still buffers " + node.buffered() + ": " + ledger.open(node));
        }
        ledger.checkEnds();
        askAll();
        checkBalance();
    }

    private void askAll() {
        int before = ledger.letters();
        for (SimNode node : alive()) {
            for (int i = 0; i < options.entities; i++) {
                node.send("e" + i, Work.NONE, answered -> {});
                scheduler.runUntil(scheduler.now() + (options.bufferSize < 50 ? 40 : 2));
            }
        }
        scheduler.runUntil(scheduler.now() + 3_000);
        for (int letter = before; letter < ledger.letters(); letter++) {
            check(ledger.answered(letter), "a fresh ask was not answered in 3 s at rest: #" + letter);
        }
        ledger.checkEnds();
    }

    private void checkBalance() {
        scheduler.runUntil(scheduler.now() + 3 * options.rebalanceInterval + 1_000);
        SimNode node = coordinatorNode();
        Coordinator coordinator = node == null ? null : node.reign.coordinator();
        check(coordinator != null, "nobody coordinates at rest");
        CoordinatorView view = coordinator.inspect(node.clock());
        int fewest = Integer.MAX_VALUE;
        int most = 0;
        for (CoordinatorView.Region region : view.regions()) {
            if (!region.leaving()) {
                fewest = Math.min(fewest, region.shards());
                most = Math.max(most, region.shards());
            }
        }
        check(view.regions().size() == alive().size(), "not all regions are registered: " + view.regions());
        check(options.rebalanceInterval == 0 || most - fewest <= 1, "shards are not balanced: " + view.regions());
    }

    void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new Violation(otherwise);
        }
    }

    SimNode addNode() {
        NodeId id = new NodeId("n" + ++incarnations);
        SimNode node = new SimNode(id, incarnations, this);
        timeline.add(node, "joins", "");
        nodes.put(id, node);
        node.start();
        membership.join(id);
        return node;
    }

    /** A node whose process exists. */
    @Nullable
    SimNode node(NodeId id) {
        SimNode found = nodes.get(id);
        return found == null || found.isGone() ? null : found;
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
            Coordinator coordinator = node.reign.coordinator();
            if (coordinator != null
                    && (found == null
                            || coordinator
                                    .term()
                                    .isHigherThan(found.reign.coordinator().term()))) {
                found = node;
            }
        }
        return found;
    }

    int shardOf(String entity) {
        return Integer.parseInt(entity.substring(1)) % options.shards;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** How long a message is under way between nodes. */
    long delay() {
        return random.nextInt(100) < 3 ? 10 + random.nextInt(60) : 1 + random.nextInt(5);
    }

    /** How long a task waits for its loop. */
    long loopDelay() {
        return random.nextInt(100) < 2 ? random.nextInt(30) : 0;
    }

    LeaseTimes leaseTimes() {
        return new LeaseTimes(options.lease, options.lease / 8, options.sabotage.awaitPredecessors());
    }

    SimulationOptions options() {
        return options;
    }

    Random random() {
        return random;
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

    Membership membership() {
        return membership;
    }

    Ledger ledger() {
        return ledger;
    }

    Faults faults() {
        return faults;
    }
}
