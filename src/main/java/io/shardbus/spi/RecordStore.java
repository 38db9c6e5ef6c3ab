package io.shardbus.spi;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Small texts under names, in a store that outlives nodes and splits, and that can compare and set: a table with a key,
 * a key-value service. Methods may be called on any thread and do not block; futures complete on any thread. Every
 * operation ends within a bounded time. Reads must not be answered by a replica that may be behind.
 */
public interface RecordStore {
    /** The text of this name, null if there is none. */
    Future<@Nullable String> read(String name);

    /**
     * Writes {@code next} if the present text equals {@code expected}, as one step.
     *
     * @param expected null if there must be none
     * @param next null to remove it
     * @return true: written; false: the text was another one. After a failure the text may be written, or may be
     *     written later
     */
    Future<Boolean> replace(String name, @Nullable String expected, @Nullable String next);
}
