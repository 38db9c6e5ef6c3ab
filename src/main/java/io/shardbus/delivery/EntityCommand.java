package io.shardbus.delivery;

import io.shardbus.EntityType;
import java.util.Objects;

/**
 * A command for an entity, which a {@link Reaction} delivers.
 *
 * @param once true for a persistent entity, which executes the command once; false: the command is executed at least
 *     once
 */
public record EntityCommand<M>(EntityType<M> type, String id, M message, boolean once) {
    public EntityCommand {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(message, "message");
    }

    /** A command for a persistent entity; it takes effect once. */
    public static <M> EntityCommand<M> once(EntityType<M> type, String id, M message) {
        return new EntityCommand<>(type, id, message, true);
    }

    /** A command for any entity; it is executed at least once. */
    public static <M> EntityCommand<M> atLeastOnce(EntityType<M> type, String id, M message) {
        return new EntityCommand<>(type, id, message, false);
    }
}
