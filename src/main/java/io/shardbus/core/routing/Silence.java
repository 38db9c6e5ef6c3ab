package io.shardbus.core.routing;

import io.shardbus.model.FencingToken;

/**
 * Messages of this lane have waited for the home of a shard; {@link HomeWait} is the rule.
 *
 * @param token of the home to which they went, or to which others may go now; {@link FencingToken#NONE} if none was
 *     known in time
 * @param millis for how long messages waited
 * @param messages how many waited, with those that failed with the loss of the home before
 * @param moving whether the shard was about to leave its home when the wait on the lane began
 * @param lost whether the lane has seen that the home before was lost
 */
public record Silence(int shard, FencingToken token, long millis, long messages, boolean moving, boolean lost) {}
