package io.shardbus.spi;

import io.shardbus.model.ShardHash;

/**
 * The user's functions from a message to its entity, and from an entity to its shard. Pure, quick, called on any
 * thread. They must be the same on all nodes: {@link #version()} is compared when a node joins.
 */
public interface MessageExtractor<M> {
    /** The id of the entity to which a message without an envelope is sent. */
    String entityId(M message);

    /** The shard of an entity: 0 to {@code numberOfShards - 1}. */
    default int shard(String entityId, int numberOfShards) {
        return ShardHash.shard(entityId, numberOfShards);
    }

    /** A text that you change when the functions change. */
    default String version() {
        return "default-1";
    }
}
