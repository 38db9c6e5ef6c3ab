package io.shardbus.runtime.node;

import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.hosting.HostedShards;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.runtime.region.RegionControl;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The answers to queries between nodes as JSON, and what they make together. */
final class TypeStates {
    private static final JsonArray NOTHING = new JsonArray();

    private TypeStates() {}

    static JsonArray toJson(FencingToken token) {
        return new JsonArray().add(token.term()).add(token.incarnation()).add(token.sequence());
    }

    /** The coordinator's part. */
    static JsonObject table(CoordinatorView view) {
        JsonArray rows = new JsonArray();
        for (CoordinatorView.Row row : view.rows()) {
            FencingToken handoff = row.handoff();
            JsonObject json = new JsonObject()
                    .put("shard", row.shard())
                    .put("home", row.home().value())
                    .put("token", toJson(row.token()))
                    .put("confirmed", row.confirmed());
            if (handoff != null) {
                json.put("handoff", toJson(handoff)).put("age", row.handoffAge());
            }
            rows.add(json);
        }
        JsonArray regions = new JsonArray();
        view.regions()
                .forEach(region -> regions.add(new JsonObject()
                        .put("node", region.node().value())
                        .put("proxy", region.proxy())
                        .put("leaving", region.leaving())
                        .put("gone", region.gone())
                        .put("shards", region.shards())));
        return new JsonObject()
                .put("shards", rows)
                .put("regions", regions)
                .put("numberOfShards", view.numberOfShards())
                .put("statesLost", view.statesLost());
    }

    /** A region's part. */
    static JsonObject region(RegionControl.Statistics statistics, boolean proxy) {
        JsonArray shards = new JsonArray();
        for (HostedShards.ShardCount count : statistics.shards()) {
            shards.add(JsonArray.of(
                    count.shard(), count.entities(), count.remembered(), count.restarting(), count.passivated()));
        }
        JsonObject counters = new JsonObject();
        statistics.counters().forEach(counters::put);
        return new JsonObject()
                .put("proxy", proxy)
                .put("shards", shards)
                .put("buffered", statistics.buffered())
                .put("counters", counters);
    }

    /** What a region says of itself, for its own node. */
    static TypeState.Region here(NodeId self, boolean proxy, RegionControl.Statistics statistics) {
        int entities = statistics.shards().stream()
                .mapToInt(HostedShards.ShardCount::entities)
                .sum();
        return new TypeState.Region(
                self,
                proxy,
                false,
                statistics.shards().size(),
                entities,
                statistics.buffered(),
                new TreeMap<>(statistics.counters()));
    }

    static TypeState combine(String type, JsonObject table, List<NodeId> nodes, List<Future<JsonObject>> answers) {
        Map<Integer, JsonArray> counts = new HashMap<>();
        Map<NodeId, JsonObject> byNode = new HashMap<>();
        Set<NodeId> failed = new LinkedHashSet<>();
        for (int i = 0; i < nodes.size(); i++) {
            JsonObject answer = answers.get(i).succeeded() ? answers.get(i).result() : null;
            if (answer == null) {
                failed.add(nodes.get(i));
            } else {
                byNode.put(nodes.get(i), answer);
                JsonArray shards = answer.getJsonArray("shards");
                for (int s = 0; s < shards.size(); s++) {
                    JsonArray count = shards.getJsonArray(s);
                    counts.put(count.getInteger(0), count);
                }
            }
        }
        List<TypeState.Region> regions = regions(table, byNode);
        return new TypeState(
                type,
                table.getInteger("numberOfShards", 0),
                shards(table, counts, failed),
                regions,
                handoffs(table),
                failed,
                statesLost(table, regions));
    }

    private static long statesLost(JsonObject table, List<TypeState.Region> regions) {
        long present = regions.stream()
                .flatMap(region -> region.counters().entrySet().stream())
                .filter(counter -> counter.getKey().startsWith("handover_"))
                .filter(counter -> !counter.getKey().equals("handover_taken"))
                .mapToLong(Map.Entry::getValue)
                .sum();
        return present + table.getLong("statesLost", 0L);
    }

    private static List<TypeState.Shard> shards(JsonObject table, Map<Integer, JsonArray> counts, Set<NodeId> failed) {
        List<TypeState.Shard> shards = new ArrayList<>();
        for (JsonObject row : NodeQueries.objects(table, "shards")) {
            NodeId home = new NodeId(row.getString("home"));
            int shard = row.getInteger("shard");
            JsonArray count = failed.contains(home) ? null : counts.getOrDefault(shard, NOTHING);
            shards.add(new TypeState.Shard(
                    shard,
                    home,
                    NodeQueries.token(row.getJsonArray("token")),
                    status(row),
                    count(count, 1),
                    count(count, 4),
                    count(count, 2),
                    count(count, 3)));
        }
        return shards;
    }

    /** A node of an earlier version says less: what it does not say is 0. */
    private static @Nullable Integer count(@Nullable JsonArray counts, int index) {
        if (counts == null) {
            return null;
        }
        return index < counts.size() ? counts.getInteger(index) : 0;
    }

    private static TypeState.ShardStatus status(JsonObject row) {
        if (!row.getBoolean("confirmed")) {
            return TypeState.ShardStatus.STARTING;
        }
        return row.containsKey("handoff") ? TypeState.ShardStatus.HANDOFF : TypeState.ShardStatus.ACTIVE;
    }

    private static List<TypeState.Region> regions(JsonObject table, Map<NodeId, JsonObject> answers) {
        List<TypeState.Region> regions = new ArrayList<>();
        for (JsonObject row : NodeQueries.objects(table, "regions")) {
            NodeId node = new NodeId(row.getString("node"));
            regions.add(region(node, row, answers.get(node)));
        }
        return regions;
    }

    private static TypeState.Region region(NodeId node, JsonObject row, @Nullable JsonObject answer) {
        int entities = 0;
        int buffered = 0;
        Map<String, Long> counters = new TreeMap<>();
        if (answer != null) {
            JsonArray shards = answer.getJsonArray("shards");
            for (int i = 0; i < shards.size(); i++) {
                entities += shards.getJsonArray(i).getInteger(1);
            }
            buffered = answer.getInteger("buffered");
            answer.getJsonObject("counters")
                    .forEach(entry -> counters.put(entry.getKey(), ((Number) entry.getValue()).longValue()));
        }
        return new TypeState.Region(
                node,
                row.getBoolean("proxy"),
                row.getBoolean("leaving"),
                row.getInteger("shards"),
                entities,
                buffered,
                counters);
    }

    private static List<TypeState.Handoff> handoffs(JsonObject table) {
        List<TypeState.Handoff> handoffs = new ArrayList<>();
        for (JsonObject row : NodeQueries.objects(table, "shards")) {
            if (row.containsKey("handoff")) {
                handoffs.add(new TypeState.Handoff(
                        row.getInteger("shard"),
                        new NodeId(row.getString("home")),
                        NodeQueries.token(row.getJsonArray("handoff")),
                        row.getLong("age")));
            }
        }
        return handoffs;
    }
}
