package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.model.LatencyReport;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** All that the other resources tell of the cluster, at one time, for a bug report. */
final class SnapshotHandlers {
    private static final int MOST_EVENTS = 5_000;
    /** Nodes that answer do so within a second; the events of a large cluster come in many pages. */
    private static final long PART_TIMEOUT_MS = 5_000;

    private final ClusterSharding sharding;
    private final LiveHandlers live;
    private final ProcessHandlers process;

    SnapshotHandlers(ClusterSharding sharding, LiveHandlers live, ProcessHandlers process) {
        this.sharding = sharding;
        this.live = live;
        this.process = process;
    }

    /** A part that fails, or takes too long, is its failure; the others are there. */
    Future<JsonObject> snapshot(RoutingContext request) {
        Future<LatencyReport> times = started(() -> sharding.operations().latency());
        Map<String, Future<JsonObject>> parts = new LinkedHashMap<>();
        parts.put("overview", started(live::overviewInTime));
        parts.put("events", started(this::events));
        parts.put("failures", started(() -> live.failures(request)));
        parts.put("silences", started(() -> live.silences(request)));
        parts.put("latency", times.map(LatencyViews::latency));
        parts.put("hot", times.map(report -> LatencyViews.hot(report, LatencyViews.Measure.MESSAGES)));
        parts.put("connections", started(() -> live.connections(request)));
        parts.put("process", started(() -> process.process(request)));
        parts.replaceAll((name, part) -> inPlace(part));
        return Future.join(List.copyOf(parts.values())).map(all -> {
            var snapshot = new JsonObject();
            parts.forEach((name, part) -> snapshot.put(name, part.result()));
            return snapshot.put("notReady", new JsonArray(sharding.notReadyReasons()))
                    .put("restart", new JsonArray(sharding.restartReasons()))
                    .put("options", sharding.options().toJson());
        });
    }

    private Future<JsonObject> events() {
        return LastEvents.of(sharding.operations(), event -> true, MOST_EVENTS).map(OverviewViews::events);
    }

    private static <T> Future<T> started(Supplier<Future<T>> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private static Future<JsonObject> inPlace(Future<JsonObject> part) {
        return part.timeout(PART_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .otherwise(failure -> failure instanceof TimeoutException
                        ? HttpFailure.unavailable("no answer within " + PART_TIMEOUT_MS / 1_000 + " s")
                                .toJson()
                        : HttpFailure.of(failure).toJson());
    }
}
