package io.shardbus.core.allocation;

import io.shardbus.NodeId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The older way to even out the number of shards: shards move one region at a time, from the one with most shards, while it has
 * more than a threshold above the one with fewest. Rounds overlap; a shard in handoff no longer counts for its home. A new shard
 * goes to the most suitable region, see {@link Suitability}.
 *
 * <p>A round takes the lowest shards of that region: as many as the difference exceeds the threshold, but at most the threshold,
 * and no more than keep the number of shards in handoff within its bound.
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
    Map<NodeId, Integer> counts =
        regions.stream().collect(Collectors.toMap(region -> region, region -> countOfSettled(region, snapshot)));
    int fewest = regions.stream().mapToInt(counts::get).min().orElseThrow();
    // not max(), which prefers the last of equals: the region listed first gives first
    NodeId fullest = regions.stream().min(Comparator.<NodeId>comparingInt(counts::get).reversed()).orElseThrow();
    int above = counts.get(fullest) - fewest - threshold;
    return lowest(fullest, Math.min(Math.min(above, threshold), free), snapshot);
  }

  private static int countOfSettled(NodeId region, AllocationSnapshot snapshot) {
    Set<Integer> moving = snapshot.inHandoff();
    return moving.isEmpty()
        ? snapshot.count(region)
        : (int) snapshot.shardsOf(region).stream().filter(shard -> !moving.contains(shard)).count();
  }

  private static Set<Integer> lowest(NodeId region, int number, AllocationSnapshot snapshot) {
    return snapshot.shardsOf(region).stream()
        .filter(shard -> !snapshot.inHandoff().contains(shard))
        .limit(Math.max(0, number))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
