package io.shardbus.core.protocol;

import io.shardbus.FencingToken;

/** A shard that a region is home of, under the token with which it was given. */
public record ShardReport(int shard, FencingToken token) {}
