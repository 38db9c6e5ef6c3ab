package io.shardbus.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Load of nodes and shards between two answers of {@code overview}.
 *
 * @param seconds between the two
 */
record Load(JsonObject before, JsonObject after, double seconds) {
    private static final String TYPES = "types";
    private static final String NODES = "nodes";
    private static final String SHARDS = "shards";
    private static final String REGIONS = "regions";
    private static final String MESSAGES = "messages";
    static final String RATE = "perSecond";
    static final String BUSY_PERCENT = "busyPercent";
    private static final String BUSY = "busyMicros";
    private static final double MICROS_PER_PERCENT = 10_000;

    /** Shards that got messages, those with most of them first. */
    List<JsonObject> shards(@Nullable String onlyType, int most) {
        return shards(onlyType, RATE, most);
    }

    /**
     * Shards that got messages.
     *
     * @param figure key of the figure of which the first ones have most
     */
    List<JsonObject> shards(@Nullable String onlyType, String figure, int most) {
        List<JsonObject> found = new ArrayList<>();
        ClusterView.byName(after, TYPES).forEach((type, now) -> {
            if (onlyType == null || onlyType.equals(type)) {
                addShards(found, type, now);
            }
        });
        found.sort(Comparator.<JsonObject>comparingDouble(shard -> -orZero(shard.getDouble(figure)))
                .thenComparing(shard -> shard.getString("type"))
                .thenComparing(shard -> shard.getInteger("shard")));
        return found.subList(0, Math.min(most, found.size()));
    }

    /** A node of a build that does not know the figure gives null. */
    private static double orZero(@Nullable Double figure) {
        return figure == null ? 0 : figure;
    }

    private void addShards(List<JsonObject> found, String type, JsonObject now) {
        Map<String, JsonObject> earlier = ClusterView.byName(type(before, type), SHARDS);
        Map<String, JsonObject> later = ClusterView.byName(now, SHARDS);
        double all = later.entrySet().stream()
                .mapToDouble(shard -> rate(MESSAGES, earlier.get(shard.getKey()), shard.getValue()))
                .sum();
        later.forEach((number, shard) -> {
            double rate = rate(MESSAGES, earlier.get(number), shard);
            if (rate > 0) {
                found.add(new JsonObject()
                        .put("type", type)
                        .put("shard", Integer.parseInt(number))
                        .put("home", shard.getString("home"))
                        .put(RATE, tenths(rate))
                        .put("share", tenths(100 * rate / all))
                        .put(BUSY_PERCENT, busy(earlier.get(number), shard))
                        .put("entities", shard.getLong("entities", 0L)));
            }
        });
    }

    /**
     * How much a count of a shard grew per second. A shard that has another home than before has counted from 0, as
     * has one whose count is smaller than before.
     */
    private double rate(String count, @Nullable JsonObject earlier, JsonObject later) {
        boolean isNew = earlier == null || !Objects.equals(earlier.getString("home"), later.getString("home"));
        long base = earlier == null || isNew ? 0 : earlier.getLong(count, 0L);
        long now = later.getLong(count, 0L);
        return Math.max(0, now >= base ? now - base : now) / seconds;
    }

    /**
     * The time for which entities of a shard had messages in hand, each its own, in percent of the seconds.
     *
     * @return null where the shard's node is of a build that does not count it
     */
    private @Nullable Double busy(@Nullable JsonObject earlier, JsonObject later) {
        return later.getLong(BUSY) == null ? null : tenths(rate(BUSY, earlier, later) / MICROS_PER_PERCENT);
    }

    /** Messages a second that the entities of a node got. */
    double node(String id) {
        double sum = 0;
        for (String type : ClusterView.byName(after, TYPES).keySet()) {
            sum += Math.max(0, delivered(after, type, id) - delivered(before, type, id));
        }
        return tenths(sum / seconds);
    }

    private static long delivered(JsonObject overview, String type, String node) {
        JsonObject region = ClusterView.byName(type(overview, type), REGIONS).get(node);
        return region == null
                ? 0
                : region.getJsonObject("counters", new JsonObject()).getLong("messages_delivered", 0L);
    }

    private static @Nullable JsonObject type(JsonObject overview, String type) {
        return ClusterView.byName(overview, TYPES).get(type);
    }

    private static double tenths(double value) {
        return Math.round(10 * value) / 10.0;
    }

    /** The nodes with how they are doing and what they got, and the busiest shards. */
    JsonObject top(int most) {
        var nodes = new JsonArray();
        ClusterView.byName(after, NODES)
                .forEach((id, status) ->
                        nodes.add(new JsonObject().put("id", id).mergeIn(status).put(RATE, node(id))));
        return new JsonObject().put(NODES, nodes).put(SHARDS, new JsonArray(shards(null, most)));
    }
}
