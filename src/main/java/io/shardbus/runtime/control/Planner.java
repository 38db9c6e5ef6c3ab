package io.shardbus.runtime.control;

import io.shardbus.core.allocation.PlannedHomes;
import io.shardbus.core.allocation.ShardAllocation;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.MemberStatus;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.RegionInfo;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.spi.AllocationStrategy;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs a type's strategy on a copy of the coordinator's table: what it would move, and where to. Shards are placed one
 * after the other, each as if those before it had arrived. A rule of ours is read once and sees one copy; a user's
 * strategy may keep its copies, so it is asked for the homes of the first shards only, see {@link #COPIED_ROWS}.
 */
final class Planner {
    /** Limit of the rows of all copies for a user's strategy in one plan: it runs where heartbeats are answered. */
    static final int COPIED_ROWS = 1_000_000;

    private static final long STRATEGY_TIMEOUT_MS = 5000;
    private static final NodeId JOINING = new NodeId("joining");

    private final CoordinatorCommandRunner.Placing placing;
    private final PlannedHomes homes;

    Planner(CoordinatorCommandRunner.Placing placing, AllocationSnapshot now) {
        this.placing = placing;
        this.homes = new PlannedHomes(now);
    }

    /** @param free whether a shard that the strategy chooses moves */
    Future<List<MovePlan.Move>> rebalance(IntPredicate free) {
        AllocationStrategy strategy = placing.strategy();
        Future<Set<Integer>> chosen = strategy == null
                ? placing.ours().map(rule -> rule.rebalance(homes))
                : UserCode.call(() -> strategy.rebalance(homes.copy()))
                        .timeout(STRATEGY_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        return chosen.compose(
                shards -> moves(shards.stream().filter(free::test).sorted().toList()));
    }

    /** The first round after another node has come. */
    Future<List<MovePlan.Move>> join(IntPredicate free) {
        String version = homes.regions().stream()
                .findFirst()
                .map(node -> homes.region(node).appVersion())
                .orElse("");
        homes.put(new RegionInfo(JOINING, version, MemberStatus.UP));
        return rebalance(free);
    }

    /** All shards of the node move. */
    Future<List<MovePlan.Move>> empty(NodeId node) {
        if (!homes.regions().contains(node)) {
            return Future.succeededFuture(List.of());
        }
        homes.put(new RegionInfo(node, homes.region(node).appVersion(), MemberStatus.LEAVING));
        return moves(List.copyOf(homes.shardsOf(node)));
    }

    /** The node where a shard would be placed if it had no home; null for none. */
    Future<@Nullable NodeId> choice(int shard) {
        Optional<NodeId> home = homes.homeOf(shard);
        home.ifPresent(node -> homes.remove(node, shard));
        NodeId requester = home.or(() -> homes.regions().stream().findFirst()).orElse(JOINING);
        AllocationStrategy strategy = placing.strategy();
        Future<Optional<NodeId>> found = strategy == null
                ? placing.ours().map(rule -> rule.allocate(shard, requester, homes))
                : ask(strategy, shard, requester);
        return found.map(node -> node.orElse(null));
    }

    private Future<List<MovePlan.Move>> moves(Collection<Integer> shards) {
        AllocationStrategy strategy = placing.strategy();
        return strategy == null
                ? placing.ours().map(rule -> placed(shards, rule))
                : moves(List.copyOf(shards), strategy);
    }

    private List<MovePlan.Move> placed(Collection<Integer> shards, ShardAllocation rule) {
        List<MovePlan.Move> moves = new ArrayList<>();
        for (int shard : shards) {
            NodeId from = leave(shard);
            moves.add(arrive(shard, from, rule.allocate(shard, from, homes)));
        }
        return moves;
    }

    private Future<List<MovePlan.Move>> moves(List<Integer> shards, AllocationStrategy strategy) {
        int rows = homes.regions().stream().mapToInt(homes::count).sum();
        int most = Math.max(1, COPIED_ROWS / Math.max(1, rows));
        List<MovePlan.Move> moves = new ArrayList<>();
        Future<?> before = Future.succeededFuture();
        for (int shard : shards.subList(0, Math.min(most, shards.size()))) {
            before = before.compose(done -> {
                NodeId from = leave(shard);
                return ask(strategy, shard, from).map(to -> moves.add(arrive(shard, from, to)));
            });
        }
        return before.map(done -> {
            for (int shard : shards.subList(moves.size(), shards.size())) {
                moves.add(arrive(shard, leave(shard), Optional.empty()));
            }
            return moves;
        });
    }

    private NodeId leave(int shard) {
        NodeId from = homes.homeOf(shard)
                .orElseThrow(() -> new IllegalStateException("the strategy moves shard " + shard + " without home"));
        homes.remove(from, shard);
        return from;
    }

    private MovePlan.Move arrive(int shard, NodeId from, Optional<NodeId> chosen) {
        NodeId to = chosen.filter(node ->
                        homes.regions().contains(node) && homes.region(node).stays())
                .orElse(null);
        if (to != null) {
            homes.add(to, shard);
        }
        return new MovePlan.Move(shard, from, to);
    }

    private Future<Optional<NodeId>> ask(AllocationStrategy strategy, int shard, NodeId requester) {
        return UserCode.call(() -> strategy.allocateShard(shard, requester, homes.copy()))
                .timeout(STRATEGY_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .map(Optional::ofNullable);
    }
}
