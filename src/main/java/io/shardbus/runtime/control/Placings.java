package io.shardbus.runtime.control;

import io.shardbus.core.allocation.ConsistentHashing;
import io.shardbus.core.allocation.LeastShards;
import io.shardbus.core.allocation.LeastShardsThreshold;
import io.shardbus.core.allocation.RoundLimit;
import io.shardbus.core.allocation.ShardAllocation;
import io.shardbus.core.allocation.VirtualNodeRing;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.spi.AllocationStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Which rule places the shards of a type: the definition's on this node if it brings one, else the one that the options
 * name.
 */
final class Placings {
    private Placings() {}

    static CoordinatorCommandRunner.Placing forType(@Nullable RegionControl<?> region, ShardingOptions options) {
        AllocationStrategy strategy = region == null
                ? null
                : region.handle().definition().allocationStrategy().orElse(null);
        return new CoordinatorCommandRunner.Placing(rule(options), strategy);
    }

    private static ShardAllocation rule(ShardingOptions options) {
        return switch (options.getAllocationStrategy()) {
            case "least-shards-threshold" ->
                new LeastShardsThreshold(options.getRebalanceThreshold(), options.getMaxSimultaneousRebalance());
            case "consistent-hashing" ->
                new ConsistentHashing(new VirtualNodeRing(), options.getRebalanceAbsoluteLimit());
            default ->
                new LeastShards(
                        new RoundLimit(options.getRebalanceAbsoluteLimit(), options.getRebalanceRelativeLimit()));
        };
    }
}
