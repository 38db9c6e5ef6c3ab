package io.shardbus.core.coordinator;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;

/**
 * A shard that runs at a home, and of which the coordinator knew no home before.
 *
 * @param durationMs from the choice of the home until it ran the shard
 * @param token of the home
 */
public record PlacedShard(int shard, NodeId home, long durationMs, FencingToken token) {}
