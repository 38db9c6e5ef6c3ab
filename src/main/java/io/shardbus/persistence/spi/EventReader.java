package io.shardbus.persistence.spi;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads logs in the order of their positions. It returns only rows that are stored, and no position of a log is left
 * out unless events were deleted. Any thread; futures complete on the caller's event loop, if it is on one.
 */
public interface EventReader {
    /**
     * A log of a type.
     *
     * @param log the store's number of the log
     * @param layout the layout of the type to which the log belongs, see {@link StoredType}
     * @param shard the shard of the log in that layout
     * @param sealed whether the log is closed for good: a newer layout of the type has been opened
     * @param end the position of its last row, 0 for none
     */
    record LogInfo(int log, int layout, int shard, boolean sealed, long end) {}

    /**
     * The position of a log after which rows are read.
     *
     * @param log the store's number of the log
     * @param after the position of the last row that was read; 0 to read from the first row
     */
    record From(int log, long after) {}

    /**
     * A row of a log.
     *
     * @param sequence of the event, or revision of the state
     * @param writtenMillis when the store took the row, in milliseconds since 1970 by the store's clock; 0 if it has no
     *     clock
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

    /** The store's number of a type; null if the type was never stored. */
    Future<@Nullable Integer> type(String name);

    /** All logs of a type, of all layouts, older layouts first. */
    Future<List<LogInfo>> logs(int type);

    /**
     * Rows after positions. The answer ends early when it is full: see {@link ReadBytes}, which counts the rows of the
     * first log, then those of the next one.
     *
     * @param from one for each log
     * @param limit rows of one log at most
     * @return by log, in the order of positions, without the logs that have no new rows and those behind the end of a
     *     full answer
     */
    Future<Map<Integer, List<ReadRow>>> read(List<From> from, int limit);
}
