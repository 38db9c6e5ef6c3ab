package io.shardbus.launcher.demo;

import io.shardbus.model.FencingToken;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Stands for a database that all nodes share. It refuses writes with an older token than it has seen. */
final class Archive {
    private record Row(FencingToken token, AirportTotals totals) {}

    private final Map<String, Row> rows = new ConcurrentHashMap<>();

    /** The last totals of an airport. From now on only this token or a newer one may save. */
    Future<AirportTotals> open(String code, FencingToken token) {
        return write(code, token, null);
    }

    Future<AirportTotals> save(String code, FencingToken token, AirportTotals totals) {
        return write(code, token, totals);
    }

    private Future<AirportTotals> write(String code, FencingToken token, @Nullable AirportTotals totals) {
        var row = rows.compute(code, (key, present) -> {
            var last = present == null ? new Row(FencingToken.NONE, AirportTotals.NONE) : present;
            return last.token().isNewerThan(token) ? last : new Row(token, totals == null ? last.totals() : totals);
        });
        return row.token().equals(token)
                ? Future.succeededFuture(row.totals())
                : Future.failedFuture(new IllegalStateException(
                        code + " lives elsewhere: " + row.token() + " is newer than " + token));
    }
}
