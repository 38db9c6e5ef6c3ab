package io.shardbus.persistence.spi;

import io.shardbus.model.FencingToken;

/** Opens the log of a shard for its home with this token. */
public record LogOpening(StoredType type, int shard, FencingToken token) {}
