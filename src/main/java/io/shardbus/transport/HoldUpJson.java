package io.shardbus.transport;

import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;

/** What shards wait for that are to leave their home, as JSON: an object for each, by the shard's number. */
final class HoldUpJson {
    private static final String HOLD_UPS = "holdUps";

    private HoldUpJson() {}

    /** Into the object; nothing where no shard is to leave. */
    static void write(Map<Integer, HoldUp> holdUps, JsonObject into) {
        JsonObject all = new JsonObject();
        holdUps.forEach((shard, holdUp) -> all.put(shard.toString(), write(holdUp)));
        if (!all.isEmpty()) {
            into.put(HOLD_UPS, all);
        }
    }

    private static JsonObject write(HoldUp holdUp) {
        JsonArray undrained = new JsonArray();
        holdUp.undrained().forEach(node -> undrained.add(node.value()));
        return new JsonObject()
                .put("entity", holdUp.entity())
                .put("entityMs", holdUp.entityMs())
                .put("entities", holdUp.entities())
                .put("undrained", undrained);
    }

    /** Empty of an earlier build, too. */
    static Map<Integer, HoldUp> holdUps(JsonObject json) {
        Map<Integer, HoldUp> all = new TreeMap<>();
        json.getJsonObject(HOLD_UPS, new JsonObject())
                .forEach(entry -> all.put(Integer.valueOf(entry.getKey()), holdUp((JsonObject) entry.getValue())));
        return all;
    }

    private static HoldUp holdUp(JsonObject json) {
        return new HoldUp(
                json.getString("entity"),
                json.getLong("entityMs", 0L),
                json.getInteger("entities", 0),
                json.getJsonArray("undrained", new JsonArray()).stream()
                        .map(node -> new NodeId((String) node))
                        .toList());
    }
}
