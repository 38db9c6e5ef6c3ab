package io.shardbus.core.routing;

import io.shardbus.model.FencingToken;

/**
 * Messages of this lane have waited for the home of a shard.
 *
 * @param token of the home to which they went; {@link FencingToken#NONE} if none was known in time
 * @param millis how long the first of them waited
 * @param messages how many waited
 * @param moving whether the shard was about to leave its home when the wait began
 */
public record Silence(int shard, FencingToken token, long millis, long messages, boolean moving) {}
