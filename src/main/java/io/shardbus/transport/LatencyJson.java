package io.shardbus.transport;

import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.LatencyReport.HotEntity;
import io.shardbus.model.LatencyReport.Kind;
import io.shardbus.model.LatencyReport.OfType;
import io.shardbus.model.LatencyReport.Outcome;
import io.shardbus.model.LatencyReport.Series;
import io.shardbus.model.LatencyReport.SlowAsk;
import io.shardbus.model.TimeHistogram;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** JSON form of a node's latencies. Kinds and outcomes of a later build are left out. */
final class LatencyJson {
    private static final String ONE_OF = "oneOf";
    private static final String SERIES = "series";
    private static final String SLOWEST = "slowest";
    private static final String HOTTEST = "hottest";
    private static final String KIND = "kind";
    private static final String MESSAGE = "message";
    private static final String OUTCOME = "outcome";
    private static final String MINUTE = "1m";
    private static final String QUARTER = "15m";
    private static final String HOUR = "1h";

    private LatencyJson() {}

    static JsonObject write(QueryAnswer.Latency latency) {
        JsonObject json = new JsonObject();
        latency.types().forEach((type, times) -> json.put(type, write(times)));
        return json;
    }

    private static JsonObject write(OfType times) {
        JsonArray series = new JsonArray();
        times.series()
                .forEach(one -> series.add(new JsonObject()
                        .put(KIND, one.kind().name())
                        .put(MESSAGE, one.message())
                        .put(OUTCOME, one.outcome().name())
                        .put(MINUTE, write(one.lastMinute()))
                        .put(QUARTER, write(one.lastQuarter()))
                        .put(HOUR, write(one.lastHour()))));
        JsonArray slowest = new JsonArray();
        times.slowest().forEach(ask -> slowest.add(write(ask)));
        JsonArray hottest = new JsonArray();
        times.hottest().forEach(entity -> hottest.add(write(entity)));
        return new JsonObject()
                .put(ONE_OF, times.oneOf())
                .put(SERIES, series)
                .put(SLOWEST, slowest)
                .put(HOTTEST, hottest);
    }

    private static JsonObject write(HotEntity entity) {
        return new JsonObject()
                .put("id", entity.id())
                .put("shard", entity.shard())
                .put("perSecond", entity.perSecond())
                .put("busy", entity.busy());
    }

    private static JsonObject write(SlowAsk ask) {
        JsonObject trace = new JsonObject();
        ask.trace().forEach(trace::put);
        return new JsonObject()
                .put("at", ask.at())
                .put(MESSAGE, ask.message())
                .put("id", ask.entityId())
                .put("trace", trace)
                .put(OUTCOME, ask.outcome().name())
                .put("remote", ask.remote())
                .put("micros", ask.micros())
                .put("failure", ask.failure());
    }

    /** Upper ends and counts in turn. */
    private static JsonArray write(TimeHistogram histogram) {
        JsonArray pairs = new JsonArray();
        histogram.counts().forEach((upper, count) -> pairs.add(upper).add(count));
        return pairs;
    }

    static QueryAnswer.Latency latency(JsonObject json) {
        Map<String, OfType> types = new TreeMap<>();
        json.forEach(entry -> {
            if (entry.getValue() instanceof JsonObject times) {
                types.put(entry.getKey(), ofType(times));
            }
        });
        return new QueryAnswer.Latency(types);
    }

    private static OfType ofType(JsonObject json) {
        return new OfType(
                json.getInteger(ONE_OF, 0),
                objects(json, SERIES, LatencyJson::series),
                objects(json, SLOWEST, LatencyJson::slowAsk),
                objects(json, HOTTEST, LatencyJson::hotEntity));
    }

    private static Optional<HotEntity> hotEntity(JsonObject json) {
        return Optional.of(new HotEntity(
                json.getString("id", ""),
                json.getInteger("shard", 0),
                json.getDouble("perSecond", 0.0),
                json.getDouble("busy", 0.0)));
    }

    private static <T> List<T> objects(JsonObject json, String key, Function<JsonObject, Optional<T>> reader) {
        List<T> found = new ArrayList<>();
        JsonArray array = json.getJsonArray(key, new JsonArray());
        for (int i = 0; i < array.size(); i++) {
            reader.apply(array.getJsonObject(i)).ifPresent(found::add);
        }
        return found;
    }

    private static Optional<Series> series(JsonObject json) {
        Optional<Kind> kind = constant(Kind.values(), json.getString(KIND, ""));
        Optional<Outcome> outcome = constant(Outcome.values(), json.getString(OUTCOME, ""));
        return kind.flatMap(known -> outcome.map(ended -> new Series(
                known,
                json.getString(MESSAGE, ""),
                ended,
                histogram(json, MINUTE),
                histogram(json, QUARTER),
                histogram(json, HOUR))));
    }

    private static Optional<SlowAsk> slowAsk(JsonObject json) {
        Map<String, String> trace = new HashMap<>();
        json.getJsonObject("trace", new JsonObject())
                .forEach(entry -> trace.put(entry.getKey(), String.valueOf(entry.getValue())));
        return constant(Outcome.values(), json.getString(OUTCOME, ""))
                .map(outcome -> new SlowAsk(
                        json.getLong("at", 0L),
                        json.getString(MESSAGE, ""),
                        json.getString("id", ""),
                        trace,
                        outcome,
                        json.getBoolean("remote", false),
                        json.getLong("micros", 0L),
                        json.getString("failure", "")));
    }

    private static TimeHistogram histogram(JsonObject json, String key) {
        JsonArray pairs = json.getJsonArray(key, new JsonArray());
        Map<Long, Long> counts = new TreeMap<>();
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            counts.put(pairs.getLong(i), pairs.getLong(i + 1));
        }
        return new TimeHistogram(counts);
    }

    private static <E extends Enum<E>> Optional<E> constant(E[] constants, String name) {
        for (E constant : constants) {
            if (constant.name().equals(name)) {
                return Optional.of(constant);
            }
        }
        return Optional.empty();
    }
}
