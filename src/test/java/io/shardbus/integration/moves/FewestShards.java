package io.shardbus.integration.moves;

import io.shardbus.core.allocation.AppVersionOrder;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import io.shardbus.spi.AllocationStrategy;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/**
 * A user's strategy that options can name: the newest version, then the fewest shards; a round takes one shard from the
 * fullest region.
 */
public final class FewestShards implements AllocationStrategy {
    @Override
    public Future<NodeId> allocateShard(int shard, NodeId requester, AllocationSnapshot snapshot) {
        return Future.succeededFuture(snapshot.regions().stream()
                .filter(region -> snapshot.region(region).stays())
                .min(newest(snapshot).thenComparingInt(snapshot::count))
                .orElse(null));
    }

    @Override
    public Future<Set<Integer>> rebalance(AllocationSnapshot snapshot) {
        Set<Integer> moved = new TreeSet<>();
        Comparator<NodeId> byCount = Comparator.comparingInt(snapshot::count);
        boolean oneVersion = snapshot.regions().stream()
                        .map(region -> snapshot.region(region).appVersion())
                        .distinct()
                        .count()
                == 1;
        if (oneVersion && snapshot.inHandoff().isEmpty()) {
            NodeId fullest = snapshot.regions().stream().max(byCount).orElseThrow();
            NodeId emptiest = snapshot.regions().stream().min(byCount).orElseThrow();
            if (snapshot.count(fullest) > snapshot.count(emptiest) + 1) {
                moved.add(snapshot.shardsOf(fullest).first());
            }
        }
        return Future.succeededFuture(moved);
    }

    private static Comparator<NodeId> newest(AllocationSnapshot snapshot) {
        return Comparator.comparing(
                region -> snapshot.region(region).appVersion(), AppVersionOrder.OLDER_FIRST.reversed());
    }
}
