package io.shardbus.persistence.spi;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of one answer of a store, row by row in the order of the answer. An answer ends behind the row with
 * which its payloads and metas have {@link #LIMIT} bytes together: so it has at least one row, and is larger than the
 * limit by less than that row. Used by one thread.
 */
public final class ReadBytes {
    /** 8 MiB. */
    public static final int LIMIT = 8 << 20;

    private long bytes;

    /** The next row of the answer. */
    public void add(@Nullable Buffer payload, @Nullable Buffer meta) {
        bytes += (payload == null ? 0 : payload.length()) + (meta == null ? 0 : meta.length());
    }

    /** Whether the answer ends behind the row that was added last; if so, there may be more rows in the store. */
    public boolean isFull() {
        return bytes >= LIMIT;
    }
}
