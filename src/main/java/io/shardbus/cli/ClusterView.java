package io.shardbus.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as one node tells it: what the node knows by itself, and the overview of all, which needs a coordinator.
 *
 * @param cluster the answer of {@code cluster}
 * @param overview the answer of {@code overview}; null where there was none
 * @param trouble why there was none
 */
record ClusterView(
        JsonObject cluster,
        @Nullable JsonObject overview,
        @Nullable String trouble) {
    private static final String NODES = "nodes";
    private static final String SHARDS = "shards";
    private static final String HOMELESS = "homeless";
    private static final String LOST = "lost";

    static ClusterView of(NodeHttp node) {
        JsonObject cluster = node.get("/cluster");
        try {
            return new ClusterView(cluster, node.get("/overview"), null);
        } catch (CommandFailure failure) {
            if (failure.code() != ExitCode.FAILED) {
                throw failure;
            }
            return new ClusterView(cluster, null, failure.getMessage());
        }
    }

    /** The full name of the node that the text names, or begins to name. */
    static String nodeName(NodeHttp node, String text) {
        if (text.isBlank()) {
            // as of a variable of the shell that is not set: the only node of a cluster would begin so
            throw new CommandFailure(ExitCode.USAGE, "the name of the node is empty");
        }
        List<String> names = objects(node.get("/cluster"), NODES)
                .map(member -> member.getString("id", ""))
                .toList();
        List<String> found =
                names.stream().filter(name -> name.startsWith(text)).toList();
        if (names.contains(text) || found.isEmpty()) {
            // the node itself says that there is no such node
            return text;
        }
        if (found.size() > 1) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "'" + text + "' is not unique, these nodes begin with it: " + String.join(", ", found));
        }
        return found.get(0);
    }

    static Stream<JsonObject> objects(JsonObject parent, String key) {
        return parent.getJsonArray(key, new JsonArray()).stream().map(JsonObject.class::cast);
    }

    /** The objects below the keys of an object, in the order of the keys. */
    static Map<String, JsonObject> byName(@Nullable JsonObject parent, String key) {
        Map<String, JsonObject> all = new TreeMap<>();
        JsonObject children = parent == null ? new JsonObject() : parent.getJsonObject(key, new JsonObject());
        children.fieldNames().forEach(name -> all.put(name, children.getJsonObject(name)));
        return all;
    }

    /** The shards of each type that no node serves; empty where there is no overview. */
    List<UnservedShards> unserved() {
        return UnservedShards.of(overview);
    }

    /** The answer of {@code cluster}, in which each node also has its status and the shards that it hosts. */
    JsonObject nodes() {
        var nodes = new JsonArray();
        objects(cluster, NODES).forEach(member -> {
            String id = member.getString("id");
            JsonObject view = member.copy().put("coordinating", id.equals(cluster.getString("coordinator")));
            JsonObject status = byName(overview, NODES).get(id);
            if (status != null) {
                view.mergeIn(status);
            }
            if (overview != null) {
                addRegions(view, id);
            }
            nodes.add(view);
        });
        var unserved = new JsonObject();
        unserved().stream()
                .filter(type -> !type.isEmpty())
                .forEach(type -> unserved.put(
                        type.type(),
                        new JsonObject().put(HOMELESS, type.homeless()).put(LOST, type.lostShards())));
        return cluster.copy().put(NODES, nodes).put("unserved", unserved);
    }

    private void addRegions(JsonObject view, String id) {
        var cordoned = new JsonArray();
        var shards = new JsonObject();
        long entities = 0;
        for (Map.Entry<String, JsonObject> type : byName(overview, "types").entrySet()) {
            if (type.getValue().getJsonArray("cordoned", new JsonArray()).contains(id)) {
                cordoned.add(type.getKey());
            }
            JsonObject region = byName(type.getValue(), "regions").get(id);
            if (region != null && !region.getBoolean("proxy", false)) {
                shards.put(type.getKey(), region.getInteger(SHARDS, 0));
                entities += region.getLong("entities", 0L);
            }
        }
        view.put(SHARDS, shards).put("entities", entities).put("cordoned", cordoned);
    }

    /** The types, as a list. */
    JsonObject types() {
        var types = new JsonArray();
        JsonObject all = overview == null ? new JsonObject() : overview;
        byName(overview, "types")
                .forEach((name, type) -> types.add(new JsonObject()
                        .put("name", name)
                        .put("numberOfShards", type.getInteger("numberOfShards"))
                        .put(HOMELESS, type.getInteger(HOMELESS))
                        .put(LOST, UnservedShards.of(all, name, type).lostShards())
                        .put(
                                "moves",
                                type.getJsonObject("moves", new JsonObject()).size())
                        .put("regions", hosts(type))
                        .put("entities", entities(type))
                        .put("allocation", type.getString("allocation"))
                        .put("rebalancing", type.getBoolean("rebalancing"))
                        .put("pins", type.getJsonObject("pins"))
                        .put("statesLost", type.getLong("statesLost"))
                        .put("failed", type.getJsonArray("failed"))));
        return new JsonObject().put("types", types);
    }

    private static int hosts(JsonObject type) {
        return (int) byName(type, "regions").values().stream()
                .filter(region -> !region.getBoolean("proxy", false))
                .count();
    }

    private static long entities(JsonObject type) {
        return byName(type, "regions").values().stream()
                .mapToLong(region -> region.getLong("entities", 0L))
                .sum();
    }

    /** The shards of a type, as a list in the order of their numbers, with the moves that they are in. */
    static JsonObject shards(String name, JsonObject type) {
        JsonObject moves = type.getJsonObject("moves", new JsonObject());
        JsonObject pins = type.getJsonObject("pins", new JsonObject());
        List<JsonObject> shards = new ArrayList<>();
        byName(type, SHARDS)
                .forEach((number, shard) -> shards.add(new JsonObject()
                        .put("shard", Integer.parseInt(number))
                        .mergeIn(shard)
                        .put("pinned", pins.containsKey(number))
                        .put("move", moves.getJsonObject(number))));
        shards.sort((a, b) -> Integer.compare(a.getInteger("shard"), b.getInteger("shard")));
        return new JsonObject()
                .put("type", name)
                .put("numberOfShards", type.getInteger("numberOfShards"))
                .put(HOMELESS, type.getInteger(HOMELESS))
                .put("rebalancing", type.getBoolean("rebalancing"))
                .put("allocation", type.getString("allocation"))
                .put(SHARDS, new JsonArray(shards));
    }
}
