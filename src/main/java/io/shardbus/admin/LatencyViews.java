package io.shardbus.admin;

import io.shardbus.model.LatencyReport;
import io.shardbus.model.LatencyReport.HotEntity;
import io.shardbus.model.LatencyReport.OfType;
import io.shardbus.model.LatencyReport.Series;
import io.shardbus.model.LatencyReport.SlowAsk;
import io.shardbus.model.NodeId;
import io.shardbus.model.TimeHistogram;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The JSON of measured times; all in microseconds. */
final class LatencyViews {
    private static final int TRACE_ID = 1;

    private LatencyViews() {}

    static JsonObject latency(LatencyReport report) {
        var types = new JsonObject();
        new TreeMap<>(report.types()).forEach((type, times) -> types.put(type, type(times)));
        return new JsonObject().put("types", types).put("failed", OverviewViews.names(report.silent()));
    }

    /** What hot entities are ranked by. */
    enum Measure {
        MESSAGES,
        BUSY;

        private double figure(HotEntity entity) {
            return this == BUSY ? entity.busy() : entity.perSecond();
        }

        /** The measure that a request asks for: messages, if it names none. */
        static Measure of(@Nullable String text) {
            for (Measure measure : values()) {
                if (text == null || LatencyViews.name(measure).equals(text)) {
                    return measure;
                }
            }
            throw JsonBody.refused("by must be messages or busy");
        }
    }

    /** The entities of all types with the most of a measure, these first. */
    static JsonObject hot(LatencyReport report, Measure by) {
        record Found(String type, HotEntity entity) {}
        var found = new ArrayList<Found>();
        report.types().forEach((type, times) -> times.hottest().forEach(one -> found.add(new Found(type, one))));
        found.sort(Comparator.comparingDouble((Found one) -> -by.figure(one.entity()))
                .thenComparing(Found::type)
                .thenComparing(one -> one.entity().id()));
        var entities = new JsonArray();
        found.stream()
                .limit(HotEntity.MOST)
                .forEach(one -> entities.add(new JsonObject()
                        .put("type", one.type())
                        .put("id", one.entity().id())
                        .put("shard", one.entity().shard())
                        .put("node", name(one.entity().node()))
                        .put("perSecond", tenths(one.entity().perSecond()))
                        .put("busyPercent", tenths(100 * one.entity().busy()))));
        var sampled = new JsonObject();
        new TreeMap<>(report.types()).forEach((type, times) -> sampled.put(type, times.oneOf()));
        return new JsonObject()
                .put("entities", entities)
                .put("oneOf", sampled)
                .put("failed", OverviewViews.names(report.silent()));
    }

    private static double tenths(double value) {
        return Math.round(10 * value) / 10.0;
    }

    private static JsonObject type(OfType times) {
        var series = new JsonArray();
        times.series().forEach(one -> series.add(series(one)));
        var slowest = new JsonArray();
        times.slowest().forEach(ask -> slowest.add(ask(ask)));
        return new JsonObject()
                .put("oneOf", times.oneOf())
                .put("series", series)
                .put("slowest", slowest);
    }

    private static JsonObject series(Series one) {
        return new JsonObject()
                .put("kind", name(one.kind()))
                .put("message", one.message())
                .put("outcome", name(one.outcome()))
                .put("1m", histogram(one.lastMinute()))
                .put("15m", histogram(one.lastQuarter()))
                .put("1h", histogram(one.lastHour()));
    }

    private static JsonObject histogram(TimeHistogram times) {
        var buckets = new JsonArray();
        times.counts().forEach((upper, count) -> buckets.add(JsonArray.of(upper, count)));
        return new JsonObject()
                .put("count", times.count())
                .put("p50", times.percentile(0.5))
                .put("p90", times.percentile(0.9))
                .put("p99", times.percentile(0.99))
                .put("max", times.percentile(1))
                .put("buckets", buckets);
    }

    private static JsonObject ask(SlowAsk ask) {
        return new JsonObject()
                .put("at", ask.at())
                .put("message", ask.message())
                .put("id", ask.entityId())
                .put("trace", trace(ask))
                .put("outcome", name(ask.outcome()))
                .put("side", ask.remote() ? "remote" : "local")
                .put("micros", ask.micros())
                .put("failure", ask.failure());
    }

    /** The id of the trace where it travels as W3C Trace Context or B3; empty without. */
    private static String trace(SlowAsk ask) {
        var parent = ask.trace().getOrDefault("traceparent", "").split("-", -1);
        return parent.length > TRACE_ID
                ? parent[TRACE_ID]
                : ask.trace().getOrDefault("X-B3-TraceId", ask.trace().getOrDefault("b3", ""));
    }

    private static @Nullable String name(@Nullable NodeId node) {
        return node == null ? null : node.value();
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
