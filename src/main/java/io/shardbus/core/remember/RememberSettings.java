package io.shardbus.core.remember;

/**
 * Settings of the remembered shards of a lane. Times in milliseconds.
 *
 * @param room messages that may wait for the store on the lane
 * @param timeout how long an operation of the store may take before it counts as failed
 * @param retryInterval the longest pause after a failed one
 * @param shortestBackoff the pause before an entity that stopped by itself starts again, after its first failure
 * @param longestBackoff the longest such pause
 */
public record RememberSettings(int room, long timeout, long retryInterval, long shortestBackoff, long longestBackoff) {}
