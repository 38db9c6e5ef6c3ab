package io.shardbus.persistence.spi;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads logs in the order of their positions. What it shows is stored, and a position that it has shown is followed by
 * the next one, unless events were deleted. Any thread; futures complete on the caller's event loop, if it is on one.
 */
public interface EventReader {
    /** A log of a type. */
    record LogInfo(int log, int layout, int shard, boolean sealed, long end) {}

    /** Position from which a log is read on. */
    record From(int log, long after) {}

    /**
     * A row of a log.
     *
     * @param sequence of the event, or revision of the state
     * @param writtenMillis when the store took it, milliseconds since 1970 by its clock; 0 where it has none
     * @param payload null: the entity was deleted
     */
    record ReadRow(
            int log,
            long position,
            String id,
            long sequence,
            String name,
            int version,
            int format,
            @Nullable Buffer payload,
            @Nullable Buffer meta,
            Set<String> tags,
            long writtenMillis) {}

    /** The number that a type's name has; null where nothing of it was stored. */
    Future<@Nullable Integer> type(String name);

    /** All logs of a type, of all layouts, older layouts first. */
    Future<List<LogInfo>> logs(int type);

    /**
     * Rows behind positions.
     *
     * @param from each for another log
     * @param limit rows of one log at most
     * @return by log, in the order of positions; a log without news is not in it
     */
    Future<Map<Integer, List<ReadRow>>> read(List<From> from, int limit);
}
