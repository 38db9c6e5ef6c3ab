package io.shardbus.core.protocol;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;

/**
 * Home of a shard.
 *
 * @param version the number of this statement; a later one about the shard has a greater version
 * @param token the token of the assignment: messages carry it, the home compares it
 * @param lanes the lanes of the home: the shard lives on lane {@code shard mod lanes}
 */
public record ShardHome(int shard, FencingToken version, FencingToken token, NodeId home, int lanes) {}
