package io.shardbus.model;

/**
 * A time for which messages of one sending lane waited for the home of a shard: because the shard was moving, or its
 * home was lost or not known.
 *
 * @param node the node of the senders
 * @param at when the wait ended, in milliseconds since 1970 by that node's clock
 * @param token the token of the home to which the messages went; {@link FencingToken#NONE} where their asks were over
 *     before a home was known
 * @param millis how long the first of them waited
 * @param messages how many waited
 * @param moving whether the shard was in its handoff when the wait began; else its home was lost or not known
 */
public record ShardSilence(
        NodeId node, long at, String type, int shard, FencingToken token, long millis, long messages, boolean moving) {}
