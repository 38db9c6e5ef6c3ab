package io.shardbus;

import io.shardbus.model.EntityLocation;
import java.util.Objects;

/**
 * Starts an entity without a message; bare or inside the standard envelope. Answered with its {@link EntityLocation}.
 */
public record StartEntity(String entityId) {
    public StartEntity {
        Objects.requireNonNull(entityId, "entityId");
    }
}
