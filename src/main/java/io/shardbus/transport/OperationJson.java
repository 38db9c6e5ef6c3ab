package io.shardbus.transport;

import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.NodeStatus;
import io.shardbus.model.ShardMove;
import io.shardbus.model.ShardReasons;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The answers to operators' queries as JSON. What an answer of a later build has beside is passed over. */
final class OperationJson {
    private static final String EVENTS = "events";
    private static final String KIND = "kind";
    private static final String SHARD = "shard";
    private static final String SHARDS = "shards";
    private static final String CAUSE = "cause";
    private static final String PHASE = "phase";
    private static final String FROM = "from";
    private static final String TO = "to";
    private static final String TABLE = "table";
    private static final String TYPES = "types";
    private static final String REGIONS = "regions";
    private static final String NODE = "node";
    private static final String OF_TYPE = "type";
    private static final String REASONS = "reasons";
    private static final String VERSIONS = "versions";
    private static final String OPTIONS = "options";
    private static final String UNHEARD = "unheard";

    private OperationJson() {}

    static JsonObject write(QueryAnswer.Events answer) {
        return new JsonObject()
                .put(EVENTS, array(answer.events(), OperationJson::write))
                .put("last", answer.last());
    }

    private static JsonObject write(ClusterEvent event) {
        return new JsonObject()
                .put(NODE, event.node().value())
                .put("id", event.id())
                .put("at", event.at())
                .put(KIND, event.kind().text())
                .put("subject", event.subject())
                .put("details", new JsonObject(new HashMap<>(event.details())));
    }

    static QueryAnswer.Events events(JsonObject json) {
        return new QueryAnswer.Events(list(json, EVENTS, OperationJson::event), json.getLong("last", 0L));
    }

    private static ClusterEvent event(JsonObject json) {
        Map<String, Object> details = new HashMap<>();
        json.getJsonObject("details", new JsonObject()).forEach(entry -> {
            Object value = entry.getValue();
            if (value instanceof Number number) {
                details.put(entry.getKey(), number.longValue());
            } else if (value instanceof Boolean || value instanceof String) {
                details.put(entry.getKey(), value);
            }
        });
        return new ClusterEvent(
                new NodeId(json.getString(NODE)),
                json.getLong("id"),
                json.getLong("at"),
                ClusterEvent.Kind.of(json.getString(KIND)),
                json.getString("subject"),
                details);
    }

    static JsonObject write(QueryAnswer.Types answer) {
        return new JsonObject().put(TYPES, array(answer.types(), OperationJson::write));
    }

    private static JsonObject write(QueryAnswer.Type type) {
        JsonObject pins = new JsonObject();
        type.pins().forEach((shard, node) -> pins.put(String.valueOf(shard), node.value()));
        return new JsonObject()
                .put("name", type.name())
                .put(TABLE, QueryJson.write(type.table()))
                .put("moves", array(type.moves(), OperationJson::write))
                .put("homeless", type.homeless())
                .put("allocation", type.allocation())
                .put("paused", type.paused())
                .put("pins", pins)
                .put(
                        "cordoned",
                        new JsonArray(
                                type.cordoned().stream().map(NodeId::value).toList()));
    }

    static QueryAnswer.Types types(JsonObject json) {
        return new QueryAnswer.Types(list(
                json,
                TYPES,
                type -> new QueryAnswer.Type(
                        type.getString("name"),
                        QueryJson.table(type.getJsonObject(TABLE)),
                        list(type, "moves", OperationJson::move),
                        type.getInteger("homeless", 0),
                        type.getString("allocation", ""),
                        type.getBoolean("paused", false),
                        pins(type.getJsonObject("pins", new JsonObject())),
                        Set.copyOf(texts(type, "cordoned").stream()
                                .map(NodeId::new)
                                .toList()))));
    }

    private static Map<Integer, NodeId> pins(JsonObject json) {
        Map<Integer, NodeId> pins = new HashMap<>();
        json.fieldNames().forEach(shard -> pins.put(Integer.valueOf(shard), new NodeId(json.getString(shard))));
        return pins;
    }

    private static List<String> texts(JsonObject json, String key) {
        JsonArray array = json.getJsonArray(key, new JsonArray());
        List<String> texts = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            texts.add(array.getString(i));
        }
        return texts;
    }

    static JsonObject write(OperatorOrder order) {
        JsonObject json = new JsonObject()
                .put("order", order.kind().name())
                .put(OF_TYPE, order.type())
                .put(SHARD, order.shard());
        return node(json, NODE, order.node());
    }

    private static JsonObject node(JsonObject json, String key, @Nullable NodeId node) {
        return node == null ? json : json.put(key, node.value());
    }

    private static @Nullable NodeId node(JsonObject json, String key) {
        String name = json.getString(key);
        return name == null ? null : new NodeId(name);
    }

    /** @throws IllegalArgumentException for an order of a later build */
    static OperatorOrder order(JsonObject json) {
        return new OperatorOrder(
                OperatorOrder.Kind.valueOf(json.getString("order")),
                json.getString(OF_TYPE, ""),
                node(json, NODE),
                json.getInteger(SHARD, -1));
    }

    static JsonObject write(Query.PlanOf query, JsonObject json) {
        return node(json.put("action", query.action().name()), NODE, query.node());
    }

    /** @throws IllegalArgumentException for an action of a later build */
    static Query.PlanOf plan(String type, JsonObject json) {
        return new Query.PlanOf(type, MovePlan.Action.valueOf(json.getString("action")), node(json, NODE));
    }

    static JsonObject write(MovePlan plan) {
        JsonObject shards = new JsonObject();
        plan.shards().forEach((node, count) -> shards.put(node.value(), count));
        return new JsonObject()
                .put(SHARDS, shards)
                .put(
                        "moves",
                        array(
                                plan.moves(),
                                move -> node(
                                        new JsonObject()
                                                .put(SHARD, move.shard())
                                                .put(FROM, move.from().value()),
                                        TO,
                                        move.to())))
                .put(REASONS, new JsonArray(plan.reasons()));
    }

    static MovePlan plan(JsonObject json) {
        return new MovePlan(
                list(
                        json,
                        "moves",
                        move -> new MovePlan.Move(
                                move.getInteger(SHARD), new NodeId(move.getString(FROM)), node(move, TO))),
                texts(json, REASONS),
                shards(json.getJsonObject(SHARDS, new JsonObject())));
    }

    private static Map<NodeId, Integer> shards(JsonObject json) {
        Map<NodeId, Integer> shards = new HashMap<>();
        json.fieldNames().forEach(node -> shards.put(new NodeId(node), json.getInteger(node, 0)));
        return shards;
    }

    static JsonObject write(ShardReasons reasons) {
        JsonObject json = new JsonObject()
                .put(OF_TYPE, reasons.type())
                .put(SHARD, reasons.shard())
                .put("allocation", reasons.allocation())
                .put("restsMs", reasons.restsMs())
                .put(REASONS, new JsonArray(reasons.reasons()))
                .put(
                        "candidates",
                        array(
                                reasons.candidates(),
                                candidate -> new JsonObject()
                                        .put(NODE, candidate.node().value())
                                        .put(SHARDS, candidate.shards())
                                        .put("appVersion", candidate.appVersion())
                                        .put("against", new JsonArray(candidate.against()))));
        node(json, "home", reasons.home());
        node(json, "preferred", reasons.preferred());
        return node(json, "pinned", reasons.pinned());
    }

    static ShardReasons reasons(JsonObject json) {
        return new ShardReasons(
                json.getString(OF_TYPE),
                json.getInteger(SHARD),
                node(json, "home"),
                json.getString("allocation", ""),
                node(json, "preferred"),
                node(json, "pinned"),
                json.getLong("restsMs", 0L),
                list(
                        json,
                        "candidates",
                        candidate -> new ShardReasons.Candidate(
                                new NodeId(candidate.getString(NODE)),
                                candidate.getInteger(SHARDS, 0),
                                candidate.getString("appVersion", ""),
                                texts(candidate, "against"))),
                texts(json, REASONS));
    }

    private static JsonObject write(ShardMove move) {
        JsonObject json = new JsonObject()
                .put(SHARD, move.shard())
                .put(CAUSE, move.cause().name())
                .put(PHASE, move.phase().name())
                .put(FROM, move.from().value())
                .put("ageMs", move.ageMs())
                .put("homelessMs", move.homelessMs())
                .put("place", move.place());
        NodeId to = move.to();
        return to == null ? json : json.put(TO, to.value());
    }

    private static ShardMove move(JsonObject json) {
        return new ShardMove(
                json.getInteger(SHARD),
                known(ShardMove.Cause.values(), json.getString(CAUSE), ShardMove.Cause.UNKNOWN),
                known(ShardMove.Phase.values(), json.getString(PHASE), ShardMove.Phase.UNKNOWN),
                new NodeId(json.getString(FROM)),
                json.containsKey(TO) ? new NodeId(json.getString(TO)) : null,
                json.getLong("ageMs", 0L),
                json.getLong("homelessMs", 0L),
                json.getInteger("place", 0),
                null);
    }

    private static <E extends Enum<E>> E known(E[] values, String name, E unknown) {
        for (E value : values) {
            if (value.name().equals(name)) {
                return value;
            }
        }
        return unknown;
    }

    static JsonObject write(QueryAnswer.Status answer) {
        NodeStatus node = answer.node();
        JsonObject regions = new JsonObject();
        answer.regions().forEach((type, region) -> regions.put(type, QueryJson.write(region)));
        return new JsonObject()
                .put("startedAt", node.startedAt())
                .put("cpu", node.cpu())
                .put("heapUsed", node.heapUsed())
                .put("heapMax", node.heapMax())
                .put("loopLagMs", node.loopLagMs())
                .put("term", node.term())
                .put("coordinating", node.coordinating())
                .put("clock", node.clock())
                .put("leaseLeftMs", node.leaseLeftMs())
                .put(VERSIONS, texts(node.versions()))
                .put(OPTIONS, node.options() == null ? null : texts(node.options()))
                .put(UNHEARD, new JsonObject(new HashMap<>(node.unheard())))
                .put(REGIONS, regions);
    }

    static QueryAnswer.Status status(JsonObject json) {
        JsonObject options = json.getJsonObject(OPTIONS);
        JsonObject silent = json.getJsonObject(UNHEARD, new JsonObject());
        Map<String, Long> unheard = new HashMap<>();
        silent.fieldNames().forEach(member -> unheard.put(member, silent.getLong(member, 0L)));
        Map<String, QueryAnswer.Region> regions = new HashMap<>();
        JsonObject written = json.getJsonObject(REGIONS, new JsonObject());
        written.fieldNames().forEach(type -> regions.put(type, QueryJson.region(written.getJsonObject(type))));
        NodeStatus node = new NodeStatus(
                json.getLong("startedAt", 0L),
                json.getDouble("cpu", -1.0),
                json.getLong("heapUsed", 0L),
                json.getLong("heapMax", 0L),
                json.getLong("loopLagMs", 0L),
                json.getLong("term", 0L),
                json.getBoolean("coordinating", false),
                texts(json.getJsonObject(VERSIONS, new JsonObject())),
                json.getLong("clock", 0L),
                json.getLong("leaseLeftMs", -1L),
                options == null ? null : texts(options),
                unheard);
        return new QueryAnswer.Status(node, regions);
    }

    private static JsonObject texts(Map<String, String> texts) {
        JsonObject json = new JsonObject();
        texts.forEach(json::put);
        return json;
    }

    private static Map<String, String> texts(JsonObject json) {
        Map<String, String> texts = new HashMap<>();
        json.forEach(entry -> texts.put(entry.getKey(), String.valueOf(entry.getValue())));
        return texts;
    }

    private static <T> JsonArray array(Iterable<T> values, Function<T, JsonObject> writer) {
        JsonArray array = new JsonArray();
        values.forEach(value -> array.add(writer.apply(value)));
        return array;
    }

    private static <T> List<T> list(JsonObject json, String key, Function<JsonObject, T> reader) {
        JsonArray array = json.getJsonArray(key, new JsonArray());
        List<T> values = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            values.add(reader.apply(array.getJsonObject(i)));
        }
        return values;
    }
}
