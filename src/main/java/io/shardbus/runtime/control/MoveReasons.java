package io.shardbus.runtime.control;

import io.shardbus.core.allocation.AppVersionOrder;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The reasons why shards of a type do not move, for operators; of one moment. */
final class MoveReasons {
    private final CoordinatorView view;
    private final AllocationSnapshot snapshot;
    private final List<String> obstacles = new ArrayList<>();
    /** Whether the strategy chose a shard that does not move. */
    private boolean stays;

    /** @param open whether shards may get homes */
    MoveReasons(CoordinatorView view, AllocationSnapshot snapshot, boolean open) {
        this.view = view;
        this.snapshot = snapshot;
        add(obstacles, view.areMovesForbidden(), CoordinatorView.CLUSTER_STOPS);
        add(obstacles, !open, "leases of an earlier coordinator may still hold");
        add(obstacles, view.isPaused(), "an operator has stopped rebalancing");
        add(obstacles, snapshot.memberUnreachable(), "a node of the type is lost, and its lease may still hold");
        add(obstacles, snapshot.memberJoining(), "a node of the type joins");
        int moving = snapshot.inHandoff().size();
        add(obstacles, moving > 0, shards(moving, "is on its way", "are on their way"));
        view.stranded()
                .forEach((node, shards) -> obstacles.add(
                        "node " + node + " is drained, and no other node takes " + shards + " of its shards now"));
        add(obstacles, runsSeveralVersions(), "nodes of different application versions host the type");
    }

    private boolean runsSeveralVersions() {
        List<String> versions = snapshot.regions().stream()
                .map(node -> snapshot.region(node).appVersion())
                .toList();
        return versions.stream()
                .anyMatch(version -> AppVersionOrder.OLDER_FIRST.compare(version, versions.get(0)) != 0);
    }

    /** Whether a shard that the strategy has chosen moves: not without a home, nor from where an operator wants it. */
    boolean mayMove(int shard) {
        NodeId home = view.row(shard).map(CoordinatorView.Row::home).orElse(null);
        boolean may = home != null
                && !home.equals(view.pins().get(shard))
                && !view.cordoned().contains(home);
        stays |= !may;
        return may;
    }

    /** The reasons why no shard moves by itself. */
    List<String> obstacles(boolean roundsBegin) {
        List<String> reasons = new ArrayList<>(obstacles);
        add(reasons, !roundsBegin, "no round of rebalancing begins by itself: rebalanceIntervalMs is 0");
        return reasons;
    }

    private void addStaying(List<String> reasons) {
        int pins = view.pins().size();
        add(reasons, pins > 0, shards(pins, "is pinned", "are pinned"));
        Map<NodeId, Integer> hosts = shardsOfNodes();
        hosts.keySet().stream()
                .filter(view.cordoned()::contains)
                .forEach(node -> reasons.add("node " + node + " is cordoned, and keeps its shards"));
        long resting = snapshot.resting().stream()
                .filter(shard -> view.rests(shard) > 0)
                .count();
        String rest = " after a move that failed, and the strategy does not choose ";
        add(reasons, resting > 0, shards((int) resting, "rests" + rest + "it", "rest" + rest + "them"));
    }

    /**
     * The reasons why not more shards would move in a planned action.
     *
     * @param strategy that chose the moves of a round; its choice was asked through {@link #mayMove}
     */
    List<String> of(MovePlan.Action action, Collection<MovePlan.Move> moves, String strategy) {
        List<String> reasons = new ArrayList<>(obstacles);
        if (action != MovePlan.Action.REBALANCE && action != MovePlan.Action.JOIN) {
            return reasons;
        }
        addStaying(reasons);
        add(reasons, moves.isEmpty() && !stays && obstacles.isEmpty(), nothingToEvenOut(strategy));
        return reasons;
    }

    private String nothingToEvenOut(String strategy) {
        IntSummaryStatistics counts =
                shardsOfNodes().values().stream().mapToInt(Integer::intValue).summaryStatistics();
        return counts.getCount() == 0
                ? "no node hosts the type"
                : "the strategy " + strategy + " finds nothing to even out: nodes have " + counts.getMin() + " to "
                        + counts.getMax() + " shards";
    }

    /** The number of shards of each hosting node. */
    Map<NodeId, Integer> shardsOfNodes() {
        Map<NodeId, Integer> shards = new TreeMap<>();
        view.regions().stream()
                .filter(region -> !region.proxy() && !region.gone())
                .forEach(region -> shards.put(region.node(), region.shards()));
        return shards;
    }

    private static String shards(int count, String ofOne, String ofMore) {
        return count == 1 ? "1 shard " + ofOne : count + " shards " + ofMore;
    }

    private static void add(List<String> reasons, boolean applies, String reason) {
        if (applies) {
            reasons.add(reason);
        }
    }
}
