package io.shardbus.core.allocation;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every region gets the same number of shards, give or take one: the preferred rule. A new shard goes to the most
 * suitable region, see {@link Suitability}.
 *
 * <p>Rebalancing goes in rounds, and a round starts only when no shard is in handoff. The optimum is the number of
 * shards per region, rounded up. The first phase takes what any region has above the optimum. If none has, a region may
 * still be more than one below the optimum; the second phase then takes one shard from each region at the optimum until
 * these gaps are covered. Without limits two rounds suffice. Regions with most shards give first, and each gives the
 * lowest of its shards that do not rest.
 */
public final class LeastShards implements ShardAllocation {
    private final RoundLimit limit;

    /**
     * @param limit how many shards one round may move
     */
    public LeastShards(RoundLimit limit) {
        this.limit = limit;
    }

    @Override
    public Optional<NodeId> allocate(int shard, NodeId requester, AllocationSnapshot snapshot) {
        return Suitability.best(snapshot);
    }

    @Override
    public Set<Integer> rebalance(AllocationSnapshot snapshot) {
        List<NodeId> regions = Suitability.mostLoadedFirst(snapshot);
        if (regions.isEmpty() || !snapshot.inHandoff().isEmpty() || !RebalanceGate.isOpen(snapshot)) {
            return Set.of();
        }
        int shards = regions.stream().mapToInt(snapshot::count).sum();
        int optimum = Suitability.share(shards, regions);
        Set<Integer> excess = aboveOptimum(regions, optimum, limit.of(shards), snapshot);
        return excess.isEmpty() ? forTheGaps(regions, optimum, limit.of(shards), snapshot) : excess;
    }

    private static Set<Integer> aboveOptimum(List<NodeId> regions, int optimum, int most, AllocationSnapshot snapshot) {
        Set<Integer> taken = new TreeSet<>();
        for (NodeId region : regions) {
            int excess = Math.max(0, snapshot.count(region) - optimum);
            Suitability.movable(region, snapshot).stream()
                    .limit(Math.min(excess, most - taken.size()))
                    .forEach(taken::add);
        }
        return taken;
    }

    private static Set<Integer> forTheGaps(List<NodeId> regions, int optimum, int most, AllocationSnapshot snapshot) {
        int gaps = regions.stream()
                .mapToInt(region -> Math.max(0, optimum - 1 - snapshot.count(region)))
                .sum();
        Set<Integer> taken = new TreeSet<>();
        regions.stream()
                .filter(region -> snapshot.count(region) >= optimum)
                .map(region -> Suitability.movable(region, snapshot))
                .filter(shards -> !shards.isEmpty())
                .limit(Math.min(gaps, most))
                .forEach(shards -> taken.add(shards.first()));
        return taken;
    }
}
