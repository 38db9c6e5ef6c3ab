package io.shardbus.core.allocation;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Neighbouring shards live together, for types whose shards are slices of a database, as a rule {@value #SLICES}: a
 * region then reads few, wide ranges.
 *
 * <p>The optimum is the number of slices divided by the regions, rounded up, whether or not every slice has a home yet.
 * A region is well filled with at most one slice above the optimum, and with as many below it as a fifth of it is, at
 * least one and at most three.
 *
 * <p><i>A new slice</i> goes to the region with the nearest slice, at most 8 slices or half the optimum away, that has
 * room. A region has room if it stays well filled, and if the slices then left without a home still suffice for all
 * other regions to be well filled. If no region near by has room, the most suitable one takes the slice, see
 * {@link Suitability}. Slices that ask in ascending order so form one range for each region.
 *
 * <p><i>Rebalancing</i> goes in rounds, and a round starts only when no slice is in handoff. Regions that are overfull
 * give what is too much. If none is, but the slices without a home do not suffice for the underfull ones, the fullest
 * regions give what is missing, down to one below the optimum. A region gives its shortest range first, and of a range
 * both ends in turn, so that what it keeps stays one piece. No such region gets the slice back: as long as other
 * regions have fewer than their share, it has no room.
 */
public final class SliceRanges implements ShardAllocation {
    /** The usual number of slices, and so of shards. */
    public static final int SLICES = 1024;

    private static final int LEAST_REACH = 8;

    private final int slices;
    private final RoundLimit limit;

    /** All {@value #SLICES} slices, one for each shard. */
    public SliceRanges(RoundLimit limit) {
        this(SLICES, limit);
    }

    /**
     * @param slices how many there are, one for each shard, at least 1
     * @param limit how many slices one round may move
     */
    public SliceRanges(int slices, RoundLimit limit) {
        if (slices < 1) {
            throw new IllegalArgumentException("there must be at least 1 slice, not " + slices);
        }
        this.slices = slices;
        this.limit = limit;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IndexOutOfBoundsException if the shard is not a slice
     */
    @Override
    public Optional<NodeId> allocate(int shard, NodeId requester, AllocationSnapshot snapshot) {
        Objects.checkIndex(shard, slices);
        Optional<NodeId> best = Suitability.best(snapshot);
        return best.flatMap(kind -> nearest(shard, kind, snapshot)).or(() -> best);
    }

    @Override
    public Set<Integer> rebalance(AllocationSnapshot snapshot) {
        List<NodeId> regions = Suitability.mostLoadedFirst(snapshot);
        if (regions.isEmpty() || !snapshot.inHandoff().isEmpty() || !RebalanceGate.isOpen(snapshot)) {
            return Set.of();
        }
        SliceShare share = SliceShare.among(slices, regions, snapshot);
        int most = limit.of(slices - share.homeless());
        Set<Integer> excess = take(regions, share.most(), most, snapshot);
        return excess.isEmpty()
                ? take(regions, share.optimum() - 1, Math.min(share.uncovered(), most), snapshot)
                : excess;
    }

    /**
     * The region with room whose slices come nearest, among those as suitable as {@code best} but for their number of
     * slices.
     */
    private Optional<NodeId> nearest(int slice, NodeId best, AllocationSnapshot snapshot) {
        Comparator<NodeId> kind = Suitability.kind(snapshot);
        List<NodeId> regions = snapshot.regions().stream()
                .filter(region -> kind.compare(region, best) == 0)
                .toList();
        SliceShare share = SliceShare.among(slices, regionsToFill(regions, snapshot), snapshot);
        int reach = Math.max(LEAST_REACH, share.optimum() / 2);
        return regions.stream()
                .filter(region -> share.hasRoom(snapshot.count(region)))
                .filter(region -> distance(slice, snapshot.shardsOf(region)) <= reach)
                .min(Comparator.<NodeId>comparingInt(region -> distance(slice, snapshot.shardsOf(region)))
                        .thenComparingInt(snapshot::count));
    }

    private static List<NodeId> regionsToFill(List<NodeId> candidates, AllocationSnapshot snapshot) {
        List<NodeId> staying = Suitability.staying(snapshot);
        return staying.isEmpty() ? candidates : staying;
    }

    private int distance(int slice, SortedSet<Integer> homed) {
        SortedSet<Integer> below = homed.headSet(slice);
        SortedSet<Integer> above = homed.tailSet(slice);
        int down = below.isEmpty() ? slices : slice - below.last();
        int up = above.isEmpty() ? slices : above.first() - slice;
        return Math.min(down, up);
    }

    /** At most {@code most} slices that leave no region with fewer than {@code kept}, from the first regions first. */
    private static Set<Integer> take(List<NodeId> regions, int kept, int most, AllocationSnapshot snapshot) {
        Set<Integer> resting = snapshot.resting();
        Set<Integer> taken = new TreeSet<>();
        for (NodeId region : regions) {
            int number = Math.min(snapshot.count(region) - kept, most - taken.size());
            if (number > 0) {
                taken.addAll(SliceRun.outermost(snapshot.shardsOf(region), resting, number));
            }
        }
        return taken;
    }
}
