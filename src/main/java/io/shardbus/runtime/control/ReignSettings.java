package io.shardbus.runtime.control;

import io.shardbus.core.control.ElectionCommand;
import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.runtime.region.RegionSettings;
import org.jspecify.annotations.Nullable;

/** Settings of one type in a reign: of its definition where this node has the type, else of the options. */
final class ReignSettings {
    private ReignSettings() {}

    static CoordinatorSettings of(NodeParts parts, @Nullable RegionControl<?> region, ElectionCommand.Begin begin) {
        ShardingOptions options = parts.options();
        long handoff = options.getHandoffTimeoutMs();
        long retry = longestPause(parts, region);
        long rebalance = options.getRebalanceIntervalMs();
        if (region != null) {
            RegionSettings.Times own = region.handle().settings().times();
            handoff = own.handoff();
            rebalance = own.rebalance();
        }
        return new CoordinatorSettings(parts.times(), handoff, retry, rebalance).after(begin.predecessor());
    }

    /** Between two registrations of a region of the type, in milliseconds. */
    static long longestPause(NodeParts parts, @Nullable RegionControl<?> region) {
        return region == null
                ? parts.options().getRetryIntervalMs()
                : region.handle().settings().times().retry();
    }
}
