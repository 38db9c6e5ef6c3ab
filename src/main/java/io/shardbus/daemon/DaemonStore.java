package io.shardbus.daemon;

import io.shardbus.model.FencingToken;
import io.shardbus.spi.RecordStore;
import io.vertx.core.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The agreed state of one set of workers. Any thread. */
final class DaemonStore {
    private final RecordStore records;
    private final String name;
    private final String floorName;

    DaemonStore(RecordStore records, String set) {
        this.records = records;
        this.name = "daemon/" + set;
        this.floorName = "daemon-floor/" + set;
    }

    /** The agreed state; stores {@code initial} if there is none. */
    Future<DaemonState> readOr(DaemonState initial) {
        return read().compose(found -> found != null
                ? Future.succeededFuture(found)
                : records.replace(name, null, initial.text())
                        .compose(written -> written ? Future.succeededFuture(initial) : readOr(initial)));
    }

    /** Compares and sets; true if the agreed state was the expected one and is the next one now. */
    Future<Boolean> replace(DaemonState expected, DaemonState next) {
        return records.replace(name, expected.text(), next.text());
    }

    /** The lowest token of a worker: none of an earlier revision has had a higher one. */
    Future<FencingToken> floor() {
        return records.read(floorName).map(DaemonStore::token);
    }

    /** Raises the lowest token of a worker to this one, unless it is higher. */
    Future<Void> raiseFloor(FencingToken to) {
        return records.read(floorName).compose(present -> {
            if (!to.isNewerThan(token(present))) {
                return Future.succeededFuture();
            }
            return records.replace(floorName, present, text(to))
                    .compose(written -> written ? Future.succeededFuture() : raiseFloor(to));
        });
    }

    private static String text(FencingToken token) {
        return token.term() + "|" + token.incarnation() + "|" + token.sequence();
    }

    private static FencingToken token(@Nullable String text) {
        if (text == null) {
            return FencingToken.NONE;
        }
        try {
            long[] parts =
                    Stream.of(text.split("\\|", 3)).mapToLong(Long::parseLong).toArray();
            return new FencingToken(parts[0], parts[1], parts[2]);
        } catch (RuntimeException e) {
            throw new IllegalStateException("a token of workers that this build cannot read: " + text, e);
        }
    }

    private Future<@Nullable DaemonState> read() {
        return records.read(name).map(text -> text == null ? null : DaemonState.parse(text));
    }
}
