package io.shardbus.simulation.growth;

import io.shardbus.core.allocation.LeastShards;
import io.shardbus.core.allocation.RoundLimit;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorCommand;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The control plane of one type with many nodes and no entities: one coordinator, one region for each node, and
 * messages that take a millisecond. Says how many messages and how much simulated time something takes.
 */
final class ControlPlane implements CoordinatorCommand.Visitor {
    static final TermId TERM = new TermId(1, 1);
    private static final long LATENCY = 1;
    private static final long TICK = 25;
    private static final LeaseTimes TIMES = new LeaseTimes(8_000, 1_000, false);
    private static final long LONGEST = 600_000;

    private final int shards;
    private final Coordinator coordinator;
    private final LeastShards rule = new LeastShards(new RoundLimit(100, 0.1));
    private final Map<NodeId, SilentRegion> regions = new LinkedHashMap<>();
    private final Set<NodeId> members = new HashSet<>();
    private final ArrayDeque<Supplier<CoordinatorEvent>> following = new ArrayDeque<>();
    private final ArrayDeque<Letter> letters = new ArrayDeque<>();
    private long now;
    private long messages;
    private boolean stepping;

    private record Letter(long due, Runnable arrival) {}

    /**
     * What something took.
     *
     * @param millis simulated
     * @param messages between coordinator and regions, both ways, the regular ones included
     */
    record Cost(long millis, long messages) {}

    ControlPlane(int nodes, int shards) {
        this.shards = shards;
        this.coordinator = new Coordinator(TERM, new CoordinatorSettings(TIMES, 60_000, 2_000, 10_000), 0, 0, Set.of());
        for (int i = 0; i < nodes; i++) {
            add();
        }
        runUntil(() -> regions.values().stream().allMatch(SilentRegion::isRegistered));
        run(1_000);
    }

    /** A node joins. */
    SilentRegion add() {
        NodeId node = new NodeId("node-" + regions.size());
        members.add(node);
        step(() -> new CoordinatorEvent.ViewChanged(Set.copyOf(members)));
        SilentRegion region = new SilentRegion(node, shards, TIMES, this);
        regions.put(node, region);
        region.begin();
        return region;
    }

    SilentRegion region(int number) {
        return List.copyOf(regions.values()).get(number);
    }

    long now() {
        return now;
    }

    /** Runs until the condition holds. */
    Cost runUntil(BooleanSupplier condition) {
        long before = messages;
        long begin = now;
        while (!condition.getAsBoolean()) {
            if (now - begin > LONGEST) {
                throw new AssertionError("not in " + LONGEST + " ms; " + counts());
            }
            run(1);
        }
        return new Cost(now - begin, messages - before);
    }

    private void run(long millis) {
        for (long end = now + millis; now < end; ) {
            now++;
            while (!letters.isEmpty() && letters.element().due() <= now) {
                letters.remove().arrival().run();
            }
            if (now % (TIMES.confirmInterval()) == 0) {
                step(() -> new CoordinatorEvent.Confirmed(now));
            }
            if (now % TICK == 0) {
                step(CoordinatorEvent.Ticked::new);
                regions.values().forEach(SilentRegion::tick);
            }
        }
    }

    private void step(Supplier<CoordinatorEvent> event) {
        following.add(event);
        if (stepping) {
            return;
        }
        stepping = true;
        while (!following.isEmpty()) {
            coordinator.step(following.remove().get(), now).forEach(command -> command.accept(this));
        }
        stepping = false;
    }

    /** From a region. */
    void toCoordinator(NodeId from, io.shardbus.core.protocol.ToCoordinator message) {
        later(() -> step(() -> new CoordinatorEvent.Received(from, message)));
    }

    /** Between two regions, where it is no message of the control plane. */
    void between(Runnable arrival) {
        letters.add(new Letter(now + LATENCY, arrival));
    }

    private void later(Runnable arrival) {
        messages++;
        letters.add(new Letter(now + LATENCY, arrival));
    }

    /** The shards of each host. */
    List<Integer> counts() {
        CoordinatorView view = coordinator.inspect(now);
        return new ArrayList<>(
                view.regions().stream().map(CoordinatorView.Region::shards).toList());
    }

    /** Whether all shards are at rest, and no two hosts differ by more than one. */
    boolean isBalanced() {
        CoordinatorView view = coordinator.inspect(now);
        boolean atRest = view.rows().size() == shards
                && view.rows().stream().allMatch(row -> row.confirmed() && row.handoff() == null);
        List<Integer> counts = counts();
        return atRest
                && counts.stream().max(Integer::compare).orElse(0)
                                - counts.stream().min(Integer::compare).orElse(0)
                        <= 1;
    }

    /** Whether every region knows a home of every shard. */
    boolean allKnowAll() {
        return regions.values().stream().allMatch(region -> region.knownHomes() == shards);
    }

    SilentRegion region(NodeId node) {
        SilentRegion found = regions.get(node);
        if (found == null) {
            throw new IllegalStateException("no region on " + node);
        }
        return found;
    }

    @Override
    public void send(CoordinatorCommand.Send command) {
        SilentRegion region = region(command.to());
        later(() -> region.received(command.message()));
    }

    @Override
    public void placeShard(CoordinatorCommand.PlaceShard command) {
        step(() -> new CoordinatorEvent.ShardPlaced(
                command.shard(),
                rule.allocate(command.shard(), command.requester(), coordinator.snapshot())
                        .orElse(null)));
    }

    @Override
    public void chooseMoves(CoordinatorCommand.ChooseMoves command) {
        step(() -> new CoordinatorEvent.MovesChosen(rule.rebalance(coordinator.snapshot())));
    }

    @Override
    public void readRememberedShards(CoordinatorCommand.ReadRememberedShards command) {
        throw new IllegalStateException("nothing is remembered");
    }

    @Override
    public void confirmTerm(CoordinatorCommand.ConfirmTerm command) {
        step(() -> new CoordinatorEvent.Confirmed(now));
    }

    @Override
    public void exceedTerm(CoordinatorCommand.ExceedTerm command) {
        throw new IllegalStateException("no region of these tests has a store");
    }

    @Override
    public void report(CoordinatorCommand.Report command) {
        throw new IllegalStateException(command.text());
    }
}
