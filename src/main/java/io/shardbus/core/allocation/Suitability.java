package io.shardbus.core.allocation;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import io.shardbus.model.RegionInfo;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The order in which regions are suitable for a new shard: those that stay before those that leave, the newest
 * application version first, the fewest shards first, and among equals the one the snapshot lists first.
 */
final class Suitability {
    private static final Comparator<RegionInfo> BY_STATUS_AND_VERSION = Comparator.comparing(RegionInfo::status)
            .thenComparing(RegionInfo::appVersion, AppVersionOrder.OLDER_FIRST.reversed());

    private Suitability() {}

    /** The most suitable region, or empty if no region hosts shards. */
    static Optional<NodeId> best(AllocationSnapshot snapshot) {
        return snapshot.regions().stream().min(order(snapshot));
    }

    /** Most suitable first. */
    static Comparator<NodeId> order(AllocationSnapshot snapshot) {
        return kind(snapshot).thenComparingInt(snapshot::count);
    }

    /** The order without the number of shards: equal for regions that differ in nothing else. */
    static Comparator<NodeId> kind(AllocationSnapshot snapshot) {
        return Comparator.comparing(snapshot::region, BY_STATUS_AND_VERSION);
    }

    /** The regions that are as suitable as any but for their number of shards, in the snapshot's order. */
    static List<NodeId> bestKind(AllocationSnapshot snapshot) {
        Comparator<NodeId> kind = kind(snapshot);
        return best(snapshot).stream()
                .flatMap(best -> snapshot.regions().stream().filter(region -> kind.compare(region, best) == 0))
                .toList();
    }

    /**
     * The regions between which shards are balanced. A leaving region takes no part: it hands off its shards by itself
     * and would not get new ones.
     */
    static List<NodeId> staying(AllocationSnapshot snapshot) {
        return snapshot.regions().stream()
                .filter(node -> snapshot.region(node).stays())
                .toList();
    }

    /** Even share of {@code shards} for each of the regions, rounded up. */
    static int share(int shards, Collection<NodeId> regions) {
        return (shards + regions.size() - 1) / regions.size();
    }

    /** The regions that stay, those with most shards first. */
    static List<NodeId> mostLoadedFirst(AllocationSnapshot snapshot) {
        return staying(snapshot).stream()
                .sorted(Comparator.comparingInt(snapshot::count).reversed())
                .toList();
    }

    /** The shards of a region that would move if they were chosen, ascending. */
    static SortedSet<Integer> movable(NodeId region, AllocationSnapshot snapshot) {
        SortedSet<Integer> shards = snapshot.shardsOf(region);
        Set<Integer> resting = snapshot.resting();
        if (resting.isEmpty()) {
            return shards;
        }
        SortedSet<Integer> movable = new TreeSet<>(shards);
        movable.removeAll(resting);
        return movable;
    }
}
