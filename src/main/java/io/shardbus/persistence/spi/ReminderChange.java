package io.shardbus.persistence.spi;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Change of one reminder of an entity, as a part of a commit.
 *
 * @param name of the reminder: an entity has one of each name
 * @param due milliseconds since 1970
 * @param payload the message; null: the reminder is cancelled
 */
public record ReminderChange(
        String name, long due, @Nullable Buffer payload) {}
