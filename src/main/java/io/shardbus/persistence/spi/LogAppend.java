package io.shardbus.persistence.spi;

import java.util.List;

/**
 * Rows for the end of one log; stored as a whole or not at all.
 *
 * @param fence of the log
 * @param end the position of the last row before these, which may still be under way on the same connection: the rows
 *     are stored only if the log ends there
 * @param rows with the positions {@code end + 1}, {@code end + 2} and so on; at least one
 */
public record LogAppend<R>(LogFence fence, long end, List<R> rows) {
    public LogAppend {
        rows = List.copyOf(rows);
    }
}
