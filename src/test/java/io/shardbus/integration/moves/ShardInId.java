package io.shardbus.integration.moves;

import io.shardbus.spi.MessageExtractor;

/** The shard is the number in the entity's id, behind a letter: e7 lives in shard 7. */
final class ShardInId<M> implements MessageExtractor<M> {
    @Override
    public String entityId(M message) {
        throw new IllegalArgumentException("messages come in envelopes");
    }

    @Override
    public int shard(String entityId, int numberOfShards) {
        return Integer.parseInt(entityId.substring(1)) % numberOfShards;
    }

    @Override
    public String version() {
        return "shard-in-id";
    }
}
