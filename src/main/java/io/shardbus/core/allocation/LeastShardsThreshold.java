package io.shardbus.core.allocation;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The older way to even out the number of shards: shards move one region at a time, from the one with most shards,
 * while it has more than a threshold above the one with fewest; where all of its shards rest, from the next. Rounds
 * overlap; a shard in handoff no longer counts for its home. A new shard goes to the most suitable region, see
 * {@link Suitability}.
 *
 * <p>A round takes the lowest shards of that region that do not rest: as many as the difference exceeds the threshold,
 * but at most the threshold, and no more than keep the number of shards in handoff within its bound.
 */
public final class LeastShardsThreshold implements ShardAllocation {
    private final int threshold;
    private final int atOnce;

    /**
     * @param threshold the difference between two regions that is tolerated, at least 1 shard
     * @param atOnce how many shards may be in handoff at a time, at least 1
     */
    public LeastShardsThreshold(int threshold, int atOnce) {
        if (threshold < 1 || atOnce < 1) {
            throw new IllegalArgumentException(
                    "the threshold and the number at once must be at least 1, not " + threshold + " and " + atOnce);
        }
        this.threshold = threshold;
        this.atOnce = atOnce;
    }

    @Override
    public Optional<NodeId> allocate(int shard, NodeId requester, AllocationSnapshot snapshot) {
        return Suitability.best(snapshot);
    }

    @Override
    public Set<Integer> rebalance(AllocationSnapshot snapshot) {
        int free = atOnce - snapshot.inHandoff().size();
        List<NodeId> regions = Suitability.staying(snapshot);
        if (free <= 0 || regions.isEmpty() || !RebalanceGate.isOpen(snapshot)) {
            return Set.of();
        }
        List<List<Integer>> settled =
                regions.stream().map(region -> settledShards(region, snapshot)).toList();
        int fewest = settled.stream().mapToInt(List::size).min().orElseThrow();
        Set<Integer> resting = snapshot.resting();
        // sorted() keeps the order of equals: the region listed first gives first
        return settled.stream()
                .sorted(Comparator.<List<Integer>>comparingInt(List::size).reversed())
                .map(shards -> lowest(shards, Math.min(shards.size() - fewest - threshold, free), resting))
                .filter(taken -> !taken.isEmpty())
                .findFirst()
                .orElse(Set.of());
    }

    /** At most {@code most} shards of one region, and at most the threshold. */
    private Set<Integer> lowest(List<Integer> shards, int most, Set<Integer> resting) {
        return shards.stream()
                .filter(shard -> !resting.contains(shard))
                .limit(Math.max(0, Math.min(most, threshold)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Integer> settledShards(NodeId region, AllocationSnapshot snapshot) {
        return snapshot.shardsOf(region).stream()
                .filter(shard -> !snapshot.inHandoff().contains(shard))
                .toList();
    }
}
