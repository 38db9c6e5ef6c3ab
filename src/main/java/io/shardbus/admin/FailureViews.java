package io.shardbus.admin;

import io.shardbus.model.ClusterOverview;
import io.shardbus.model.DeadLetterReport;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The JSON of failures that the regions have counted, by type and code. */
final class FailureViews {
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

    private FailureViews() {}

    /** Sums, and the nodes that are missing in them or among the dead letters. */
    static JsonObject failures(ClusterOverview overview, DeadLetterReport letters) {
        Set<NodeId> silent = new HashSet<>(letters.silent());
        silent.addAll(overview.silent());
        return new JsonObject().put("counts", counts(overview)).put("failed", OverviewViews.names(silent));
    }

    /** Each with its {@code type}, {@code code}, {@code count}, and the count of each of its {@code nodes}. */
    private static JsonArray counts(ClusterOverview overview) {
        var counts = new JsonArray();
        overview.types().forEach(type -> {
            Map<String, Map<NodeId, Long>> nodesByCode = new TreeMap<>();
            type.state().regions().forEach(region -> add(region, nodesByCode));
            nodesByCode.forEach((code, nodes) -> counts.add(count(type.state().type(), code, nodes)));
        });
        return counts;
    }

    private static void add(TypeState.Region region, Map<String, Map<NodeId, Long>> nodesByCode) {
        region.counters().forEach((code, count) -> {
            if (count > 0 && !WELL.contains(code)) {
                nodesByCode.computeIfAbsent(code, any -> new TreeMap<>()).merge(region.node(), count, Long::sum);
            }
        });
    }

    private static JsonObject count(String type, String code, Map<NodeId, Long> nodes) {
        var byNode = new JsonObject();
        nodes.forEach((node, count) -> byNode.put(node.value(), count));
        return new JsonObject()
                .put("type", type)
                .put("code", code)
                .put("count", nodes.values().stream().mapToLong(Long::longValue).sum())
                .put("nodes", byNode);
    }
}
