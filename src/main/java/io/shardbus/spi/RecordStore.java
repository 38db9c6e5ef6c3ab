package io.shardbus.spi;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * A store of small texts under names that offers compare-and-set and outlives nodes and splits, such as a database
 * table or a key-value service. Methods may be called on any thread and do not block; futures complete on any thread.
 * Every operation ends within a bounded time. Reads must return the latest written text: a replica that may lag behind
 * must not answer them.
 */
public interface RecordStore {
    /** The text of this name, null if there is none. */
    Future<@Nullable String> read(String name);

    /**
     * Writes {@code next} if the present text equals {@code expected}, in one atomic step.
     *
     * @param expected null if there must be none
     * @param next null to remove it
     * @return true: written; false: the text was another one. After a failure the text may be written, or may be
     *     written later
     */
    Future<Boolean> replace(String name, @Nullable String expected, @Nullable String next);
}
