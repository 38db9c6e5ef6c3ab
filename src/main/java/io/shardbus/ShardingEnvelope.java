package io.shardbus;

import java.util.Objects;

/** The standard envelope: a message with the id of the entity that it is for. */
public record ShardingEnvelope<M>(String entityId, M message) {
    public ShardingEnvelope {
        Objects.requireNonNull(entityId, "entityId");
        Objects.requireNonNull(message, "message");
    }
}
