package io.shardbus.runtime.coordinator;

import io.shardbus.core.splitbrain.SplitStrategy;
import io.shardbus.core.splitbrain.SplitTimes;
import io.shardbus.spi.SplitBrainArbiter;
import org.jspecify.annotations.Nullable;

/**
 * How a node decides about splits.
 *
 * @param name of the strategy, as the configuration says it
 * @param lease the name of the arbiter's lease
 */
public record SplitBrainSetup(
        String name,
        SplitStrategy strategy,
        SplitTimes times,
        @Nullable SplitBrainArbiter arbiter,
        String lease) {}
