package io.shardbus.core.coordinator;

/**
 * What governs the shards of one type. Times in milliseconds.
 *
 * @param handoffTimeout how long a handoff may take before it is given up
 * @param retryInterval how often an unanswered message is repeated
 * @param rebalanceInterval how often moves are looked for; 0 for never by itself
 */
public record CoordinatorSettings(LeaseTimes times, long handoffTimeout, long retryInterval, long rebalanceInterval) {}
