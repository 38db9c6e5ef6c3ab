package io.shardbus.runtime.control;

import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardReasons;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Operator API of a coordinator; on the control context. */
public final class CoordinatorAdmin {
    /**
     * One type's.
     *
     * @param admin the operator API of its coordinator; null if no region of the type has registered in this reign
     * @param late whether those that were there before this reign have had their time to register
     */
    public record OfType(@Nullable CoordinatorAdmin admin, boolean late) {}

    private final String type;
    private final String allocation;
    private final Supplier<CoordinatorCommandRunner.Placing> placing;
    private final Coordinator coordinator;
    private final ControlLoop loop;
    private final ElapsedClock clock;

    /**
     * @param allocation the strategy that places the type's shards here
     * @param placing makes the rule of that strategy
     */
    CoordinatorAdmin(
            String type,
            String allocation,
            Supplier<CoordinatorCommandRunner.Placing> placing,
            Coordinator coordinator,
            ControlLoop loop,
            ElapsedClock clock) {
        this.type = type;
        this.allocation = allocation;
        this.placing = placing;
        this.coordinator = coordinator;
        this.loop = loop;
        this.clock = clock;
    }

    /** The strategy that places the type's shards: a name of the option, or a class. */
    public String allocation() {
        return allocation;
    }

    public CoordinatorView view() {
        return coordinator.inspect(clock.now());
    }

    public boolean isOpen() {
        return coordinator.isOpen();
    }

    /** Longest remaining time of leases of an earlier coordinator, in milliseconds; 0 where the reign is open. */
    public long opensIn() {
        return coordinator.opensIn(clock.now());
    }

    /** Number of hosting regions that the type lacks before its first shard may have a home. */
    public int missingMembers() {
        return coordinator.missingMembers();
    }

    /** The reason why an order about the type cannot be carried out now; empty if it can. */
    public Optional<String> refusal(OperatorOrder order) {
        return coordinator.refusal(order, clock.now());
    }

    /** The moves that the action would cause; the plan of a node's own leave is that of its drain. */
    public Future<MovePlan> plan(MovePlan.Action action, @Nullable NodeId node) {
        CoordinatorView view = view();
        Planner planner = new Planner(placing.get(), coordinator.snapshot());
        Future<List<MovePlan.Move>> moves = switch (action) {
            case REBALANCE -> planner.rebalance(shard -> isFree(view, shard));
            case JOIN -> planner.join(shard -> isFree(view, shard));
            case DRAIN, LEAVE -> node == null ? Future.succeededFuture(List.of()) : planner.empty(node);
        };
        Map<NodeId, Integer> shards = new TreeMap<>();
        view.regions().stream()
                .filter(region -> !region.proxy() && !region.gone())
                .forEach(region -> shards.put(region.node(), region.shards()));
        return moves.map(found -> {
            List<String> reasons = new ArrayList<>(obstacles(view));
            add(reasons, found.isEmpty() && reasons.isEmpty() && isRound(action), nothingToEvenOut(shards));
            return new MovePlan(found, reasons, shards);
        });
    }

    private static boolean isRound(MovePlan.Action action) {
        return action == MovePlan.Action.REBALANCE || action == MovePlan.Action.JOIN;
    }

    private String nothingToEvenOut(Map<NodeId, Integer> shards) {
        IntSummaryStatistics counts =
                shards.values().stream().mapToInt(Integer::intValue).summaryStatistics();
        return shards.isEmpty()
                ? "no node hosts the type"
                : "the strategy " + allocation + " finds nothing to even out: nodes have " + counts.getMin() + " to "
                        + counts.getMax() + " shards";
    }

    /** The reasons for a shard's present home. */
    public Future<ShardReasons> why(int shard) {
        CoordinatorView view = view();
        List<ShardReasons.Candidate> candidates = view.candidates().stream()
                .map(found ->
                        new ShardReasons.Candidate(found.node(), found.shards(), found.appVersion(), found.against()))
                .toList();
        NodeId home = view.row(shard).map(CoordinatorView.Row::home).orElse(null);
        NodeId pinned = view.pins().get(shard);
        long rests = view.rests(shard);
        List<String> obstacles = obstacles(view);
        return new Planner(placing.get(), coordinator.snapshot())
                .choice(shard)
                .map(preferred -> new ShardReasons(
                        type, shard, home, allocation, preferred, pinned, rests, candidates, obstacles));
    }

    private static boolean isFree(CoordinatorView view, int shard) {
        NodeId home = view.row(shard).map(CoordinatorView.Row::home).orElse(null);
        return home != null
                && !view.cordoned().contains(home)
                && !home.equals(view.pins().get(shard));
    }

    /** The reasons why shards of the type do not move by themselves. */
    private List<String> obstacles(CoordinatorView view) {
        AllocationSnapshot snapshot = coordinator.snapshot();
        List<String> reasons = new ArrayList<>();
        add(reasons, !coordinator.isOpen(), "leases of an earlier coordinator may still hold");
        add(reasons, view.isPaused(), "an operator has stopped rebalancing");
        add(reasons, snapshot.memberUnreachable(), "a node of the type is lost, and its lease may still hold");
        add(reasons, snapshot.memberJoining(), "a node of the type joins");
        int moving = snapshot.inHandoff().size();
        add(reasons, moving > 0, moving == 1 ? "1 shard is on its way" : moving + " shards are on their way");
        view.stranded()
                .forEach((node, shards) -> reasons.add(
                        "node " + node + " is drained, and no other node takes " + shards + " of its shards now"));
        long versions = view.candidates().stream()
                .filter(candidate -> candidate.against().isEmpty())
                .map(CoordinatorView.Candidate::appVersion)
                .distinct()
                .count();
        add(reasons, versions > 1, "nodes of different application versions host the type");
        return reasons;
    }

    private static void add(List<String> reasons, boolean applies, String reason) {
        if (applies) {
            reasons.add(reason);
        }
    }

    /** Looks for moves now; the number of handoffs that this began. */
    public int rebalance() {
        int before = coordinator.snapshot().inHandoff().size();
        loop.run((machine, at) ->
                machine.coordinate(type, coordinator.term(), new CoordinatorEvent.RebalanceRequested(), at));
        return coordinator.snapshot().inHandoff().size() - before;
    }
}
