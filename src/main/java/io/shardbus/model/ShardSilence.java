package io.shardbus.model;

/**
 * A time for which messages of one sending lane waited for the home of a shard: because the shard was moving, or its
 * home was lost or not known. Messages that failed with the loss of their home have waited until then, since that home
 * took a message of the lane for the last time, or since the first one after that was sent.
 *
 * @param node the node of the senders
 * @param at when the wait ended, in milliseconds since 1970 by that node's clock
 * @param token the token of the home to which the messages went, or to which messages could go when none waited any
 *     more; {@link FencingToken#NONE} where their asks were over before a home was known
 * @param millis for how long messages waited, in milliseconds; time in which none did is not part of it
 * @param messages how many waited, with those that failed
 * @param moving whether the shard was in its handoff when the wait began; else its home was lost or not known
 */
public record ShardSilence(
        NodeId node, long at, String type, int shard, FencingToken token, long millis, long messages, boolean moving) {}
