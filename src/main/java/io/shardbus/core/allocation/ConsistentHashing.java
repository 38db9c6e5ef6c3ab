package io.shardbus.core.allocation;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Every shard lives with its owner on a hash ring, independent of the asking node and of the owner's number of shards.
 * Types with the same regions so keep shards of the same number together, and few shards move when the regions change.
 *
 * <p>The ring is made of the regions that stay; of all of them, if none does. In a rolling update, while they run
 * different application versions, it is made of those with the newest one, so that no shard goes to a node that will
 * leave soon. A round takes the lowest shards that are
 * not with their owner; those in handoff are on their way already.
 */
public final class ConsistentHashing implements ShardAllocation {
    /** No limit to the shards of one round. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private final HashRing ring;
    private final int mostPerRound;

    // The ring of the last call, kept because it costs more than one allocation may. A race between threads that share
    // this rule loses at most the kept ring: the record is immutable and each call works with the one it read.
    private Ownership last = new Ownership(Set.of(), shard -> {
        throw new IllegalStateException("no region owns shard " + shard);
    });

    private record Ownership(Set<NodeId> regions, IntFunction<NodeId> owner) {}

    /**
     * @param ring assigns each shard to its owner
     * @param mostPerRound how many shards one round may move, at least 1, or {@link #UNLIMITED}
     */
    public ConsistentHashing(HashRing ring, int mostPerRound) {
        if (mostPerRound < 1) {
            throw new IllegalArgumentException("a round must be allowed at least 1 shard, not " + mostPerRound);
        }
        this.ring = ring;
        this.mostPerRound = mostPerRound;
    }

    @Override
    public Optional<NodeId> allocate(int shard, NodeId requester, AllocationSnapshot snapshot) {
        return snapshot.regions().isEmpty()
                ? Optional.empty()
                : Optional.of(owners(snapshot).apply(shard));
    }

    @Override
    public Set<Integer> rebalance(AllocationSnapshot snapshot) {
        List<NodeId> regions = Suitability.staying(snapshot);
        if (regions.isEmpty() || !RebalanceGate.isOpen(snapshot)) {
            return Set.of();
        }
        IntFunction<NodeId> owners = owners(snapshot);
        Set<Integer> misplaced = new TreeSet<>();
        for (NodeId region : regions) {
            Suitability.movable(region, snapshot).stream()
                    .filter(shard -> !owners.apply(shard).equals(region))
                    .filter(shard -> !snapshot.inHandoff().contains(shard))
                    .forEach(misplaced::add);
        }
        return misplaced.stream().limit(mostPerRound).collect(Collectors.toCollection(TreeSet::new));
    }

    private IntFunction<NodeId> owners(AllocationSnapshot snapshot) {
        Set<NodeId> regions = new LinkedHashSet<>(Suitability.bestKind(snapshot));
        Ownership known = last;
        if (!known.regions().equals(regions)) {
            known = new Ownership(regions, ring.among(regions));
            last = known;
        }
        return known.owner();
    }
}
