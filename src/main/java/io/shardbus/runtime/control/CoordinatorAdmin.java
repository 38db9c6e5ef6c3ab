package io.shardbus.runtime.control;

import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.control.NodeCommand;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardReasons;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Operator API of a coordinator; on the control context. */
public final class CoordinatorAdmin {
    /**
     * The operator API of one type.
     *
     * @param admin the operator API of its coordinator; null if no region of the type has registered in this reign
     * @param late whether the regions from before this reign have had their time to register
     */
    public record OfType(@Nullable CoordinatorAdmin admin, boolean late) {}

    private final String type;
    private final String allocation;
    private final boolean roundsBegin;
    private final Supplier<CoordinatorCommandRunner.Placing> placing;
    private final Coordinator coordinator;
    private final ControlLoop loop;
    private final ElapsedClock clock;

    /**
     * @param allocation the strategy that places the type's shards here
     * @param roundsBegin whether rounds of rebalancing begin by themselves
     * @param placing makes the rule of that strategy
     */
    CoordinatorAdmin(
            String type,
            String allocation,
            boolean roundsBegin,
            Supplier<CoordinatorCommandRunner.Placing> placing,
            Coordinator coordinator,
            ControlLoop loop,
            ElapsedClock clock) {
        this.type = type;
        this.allocation = allocation;
        this.roundsBegin = roundsBegin;
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
        MoveReasons reasons = reasons(view);
        Planner planner = new Planner(placing.get(), coordinator.snapshot());
        Map<NodeId, Integer> shards = reasons.shardsOfNodes();
        return moves(action, node, view, planner, reasons)
                .map(found -> new MovePlan(found, reasons.of(action, found, allocation), shards));
    }

    private static Future<List<MovePlan.Move>> moves(
            MovePlan.Action action, @Nullable NodeId node, CoordinatorView view, Planner planner, MoveReasons reasons) {
        if (view.areMovesForbidden()) {
            return Future.succeededFuture(List.of());
        }
        return switch (action) {
            case REBALANCE -> planner.rebalance(reasons::mayMove);
            case JOIN -> planner.join(reasons::mayMove);
            case DRAIN, LEAVE -> node == null ? Future.succeededFuture(List.of()) : planner.empty(node);
        };
    }

    private MoveReasons reasons(CoordinatorView view) {
        return new MoveReasons(view, coordinator.snapshot(), coordinator.isOpen());
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
        List<String> reasons = reasons(view).obstacles(roundsBegin);
        return new Planner(placing.get(), coordinator.snapshot())
                .choice(shard)
                .map(preferred ->
                        new ShardReasons(type, shard, home, allocation, preferred, pinned, rests, candidates, reasons));
    }

    /**
     * Looks for moves now; the number of handoffs that this began. Empty, and nothing was done, while this coordinator
     * may move no shards yet, and where its reign is over.
     *
     * @param most how many shards move in this round at most
     */
    public Optional<Integer> rebalance(int most) {
        if (!coordinator.mayMove()) {
            return Optional.empty();
        }
        int before = coordinator.snapshot().inHandoff().size();
        AtomicBoolean reigns = new AtomicBoolean();
        loop.run((machine, at) -> {
            List<NodeCommand> commands =
                    machine.coordinate(type, coordinator.term(), new CoordinatorEvent.RebalanceRequested(most), at);
            reigns.set(machine.coordinator(type, coordinator.term()) != null);
            return commands;
        });
        return reigns.get() ? Optional.of(coordinator.snapshot().inHandoff().size() - before) : Optional.empty();
    }
}
