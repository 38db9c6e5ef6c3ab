package io.shardbus.runtime.control;

import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.AllocationStrategy;
import io.shardbus.store.DesiredHomesStore;
import io.shardbus.store.StandingOrdersStore;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;

/**
 * Sources of the allocation rules beside the options' values.
 *
 * @param homes the desired homes that programs outside set
 * @param orders what operators have ordered of all coordinators
 * @param named a strategy of the class that the options name; null where they name one of ours
 */
public record AllocationSources(
        DesiredHomesStore homes,
        StandingOrdersStore orders,
        @Nullable AllocationStrategy named) {
    /**
     * The sources as the options name them.
     *
     * @throws IllegalArgumentException if the class that they name cannot be used
     */
    public static AllocationSources of(
            ShardingOptions options, Vertx vertx, DesiredHomesStore homes, StandingOrdersStore orders) {
        String name = options.getAllocationStrategy();
        AllocationStrategy named = ShardingOptions.ALLOCATION_STRATEGIES.contains(name)
                ? null
                : UserClass.create("allocationStrategy", name, AllocationStrategy.class, vertx);
        return new AllocationSources(homes, orders, named);
    }

    /** For a node that is alone, with a strategy of ours. */
    public static AllocationSources inMemory() {
        return new AllocationSources(DesiredHomesStore.inMemory(), StandingOrdersStore.inMemory(), null);
    }
}
