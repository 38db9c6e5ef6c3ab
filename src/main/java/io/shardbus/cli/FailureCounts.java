package io.shardbus.cli;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Failures that the regions of an overview have counted, by type and code. */
final class FailureCounts {
    /** Counters of things that went as they should, and of traffic: as the page has them, which a test compares. */
    static final Set<String> WELL = Set.of(
            "passivated",
            "passivation_hits",
            "passivation_misses",
            "remembered",
            "restarting",
            "home_requests",
            "shards_handed_off",
            "handover_taken",
            "tells_sent",
            "asks_sent",
            "tells_sent_remote",
            "asks_sent_remote",
            "messages_delivered",
            "mailbox_waiting",
            "entities_stashed",
            "frames_sent_bus",
            "frames_received_bus",
            "frames_sent_direct",
            "frames_received_direct",
            "bytes_sent_bus",
            "bytes_received_bus",
            "bytes_sent_direct",
            "bytes_received_direct",
            "frames_repeated");

    private FailureCounts() {}

    /** Each with its {@code type}, {@code code}, {@code count}, and the count of each of its {@code nodes}. */
    static List<JsonObject> of(@Nullable JsonObject overview) {
        List<JsonObject> all = new ArrayList<>();
        ClusterView.byName(overview, "types").forEach((name, type) -> {
            Map<String, JsonObject> nodesByCode = new TreeMap<>();
            ClusterView.byName(type, "regions")
                    .forEach((node, region) -> region.getJsonObject("counters", new JsonObject()).stream()
                            .filter(counter -> !WELL.contains(counter.getKey()) && count(counter.getValue()) > 0)
                            .forEach(counter -> nodesByCode
                                    .computeIfAbsent(counter.getKey(), code -> new JsonObject())
                                    .put(node, count(counter.getValue()))));
            nodesByCode.forEach((code, nodes) -> all.add(new JsonObject()
                    .put("type", name)
                    .put("code", code)
                    .put(
                            "count",
                            nodes.stream()
                                    .mapToLong(node -> count(node.getValue()))
                                    .sum())
                    .put("nodes", nodes)));
        });
        return all;
    }

    private static long count(Object value) {
        return ((Number) value).longValue();
    }

    /** The node that has counted most of them. */
    static @Nullable String foremost(JsonObject nodes) {
        return nodes.stream()
                .max(Comparator.comparingLong(node -> count(node.getValue())))
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
