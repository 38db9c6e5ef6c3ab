package io.shardbus.simulation;

import io.shardbus.core.allocation.LeastShards;
import io.shardbus.core.allocation.RoundLimit;
import io.shardbus.core.allocation.ShardAllocation;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Moves a shard in every round, to and fro, until it may rest: then it balances. */
final class RestlessAllocation implements ShardAllocation {
    private final ShardAllocation calm = new LeastShards(RoundLimit.NONE);
    private final SplittableRandom dice;
    private final BooleanSupplier mayRest;

    RestlessAllocation(SplittableRandom dice, BooleanSupplier mayRest) {
        this.dice = dice;
        this.mayRest = mayRest;
    }

    @Override
    public Optional<NodeId> allocate(int shard, NodeId requester, AllocationSnapshot snapshot) {
        List<NodeId> regions = List.copyOf(snapshot.regions());
        if (mayRest.getAsBoolean() || regions.isEmpty()) {
            return calm.allocate(shard, requester, snapshot);
        }
        return Optional.of(regions.get(dice.nextInt(regions.size())));
    }

    @Override
    public Set<Integer> rebalance(AllocationSnapshot snapshot) {
        List<NodeId> regions = List.copyOf(snapshot.regions());
        if (mayRest.getAsBoolean() || regions.isEmpty()) {
            return calm.rebalance(snapshot);
        }
        List<Integer> shards = List.copyOf(snapshot.shardsOf(regions.get(dice.nextInt(regions.size()))));
        if (shards.isEmpty()) {
            return Set.of();
        }
        int shard = shards.get(dice.nextInt(shards.size()));
        return snapshot.inHandoff().contains(shard) ? Set.of() : Set.of(shard);
    }
}
