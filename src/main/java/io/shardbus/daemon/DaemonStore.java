package io.shardbus.daemon;

import io.shardbus.spi.RecordStore;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** The agreed state of one set of workers. Any thread. */
final class DaemonStore {
    private final RecordStore records;
    private final String name;

    DaemonStore(RecordStore records, String set) {
        this.records = records;
        this.name = "daemon/" + set;
    }

    /** The agreed state, which becomes {@code initial} if there is none. */
    Future<DaemonState> readOr(DaemonState initial) {
        return read().compose(found -> found != null
                ? Future.succeededFuture(found)
                : records.replace(name, null, initial.text())
                        .compose(written -> written ? Future.succeededFuture(initial) : readOr(initial)));
    }

    /** True if the agreed state was the expected one and is the next one now. */
    Future<Boolean> replace(DaemonState expected, DaemonState next) {
        return records.replace(name, expected.text(), next.text());
    }

    private Future<@Nullable DaemonState> read() {
        return records.read(name).map(text -> text == null ? null : DaemonState.parse(text));
    }
}
