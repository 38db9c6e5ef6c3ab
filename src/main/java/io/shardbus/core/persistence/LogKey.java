package io.shardbus.core.persistence;

import io.shardbus.model.FencingToken;

/** The log of a shard, as its home with this token has it. */
public record LogKey(int shard, FencingToken token) {}
