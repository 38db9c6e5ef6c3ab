package io.shardbus.options;

import io.vertx.core.json.JsonObject;

/** Options that are an object of their own within the sharding's. */
public sealed interface NestedOptions
        permits DirectOptions, EntityRecoveryOptions, MetricsOptions, PassivationOptions, SplitBrainOptions {
    /** All keys, also those that have their default. */
    JsonObject toJson();

    /**
     * Checks every value; called once, at start.
     *
     * @throws IllegalArgumentException naming key, value and allowed range
     */
    void validate();
}
