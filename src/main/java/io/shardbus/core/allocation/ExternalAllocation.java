package io.shardbus.core.allocation;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Allocation by desired homes that a program outside sets. A shard whose desired home is unknown, or hosts no shards,
 * or is leaving, goes to the region that asked for it; to the most suitable one, if that cannot host it either.
 *
 * <p>Rebalancing moves the shards that have a desired home among the regions that stay and are not there. It does so at
 * any time: the program that sets the homes decides when shards move. While the desired homes cannot be read nothing
 * moves.
 */
public final class ExternalAllocation implements ShardAllocation {
    private final DesiredHomes desiredHomes;

    public ExternalAllocation(DesiredHomes desiredHomes) {
        this.desiredHomes = desiredHomes;
    }

    @Override
    public Optional<NodeId> allocate(int shard, NodeId requester, AllocationSnapshot snapshot) {
        return desiredHomes
                .read()
                .map(homes -> homes.get(shard))
                .filter(usable(snapshot))
                .or(() -> Optional.of(requester).filter(usable(snapshot)))
                .or(() -> Suitability.best(snapshot));
    }

    @Override
    public Set<Integer> rebalance(AllocationSnapshot snapshot) {
        return desiredHomes.read().map(homes -> misplaced(homes, snapshot)).orElse(Set.of());
    }

    private static Set<Integer> misplaced(Map<Integer, NodeId> homes, AllocationSnapshot snapshot) {
        Set<Integer> misplaced = new TreeSet<>();
        for (NodeId region : snapshot.regions()) {
            snapshot.shardsOf(region).stream()
                    .filter(shard -> !snapshot.inHandoff().contains(shard))
                    .filter(shard -> Optional.ofNullable(homes.get(shard))
                            .filter(usable(snapshot))
                            .filter(home -> !Objects.equals(home, region))
                            .isPresent())
                    .forEach(misplaced::add);
        }
        return misplaced;
    }

    private static Predicate<NodeId> usable(AllocationSnapshot snapshot) {
        return node ->
                snapshot.regions().contains(node) && snapshot.region(node).stays();
    }
}
