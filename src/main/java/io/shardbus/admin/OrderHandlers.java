package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardReasons;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Orders of operators to the coordinator, what they would do, and why shards are where they are. */
final class OrderHandlers {
    private static final String NODE = "node";
    private static final String SHARD = "shard";
    private static final String SUBJECT_OF_ALL = "cluster";
    private static final int LAST_MOVES = 5;
    private static final String HOMES_ARE_ESTIMATED =
            "an estimate: each node gets as many shards as planned, but perhaps other ones, as the home of a shard is"
                    + " chosen when the shard has left";
    private static final String NEXT_ROUND_ONLY =
            "an estimate of the next round: further rounds follow until the strategy finds nothing to even out";

    private final ClusterSharding sharding;

    OrderHandlers(ClusterSharding sharding) {
        this.sharding = sharding;
    }

    Future<JsonObject> cordon(RoutingContext request) {
        return cordon(request, true);
    }

    Future<JsonObject> uncordon(RoutingContext request) {
        return cordon(request, false);
    }

    private Future<JsonObject> cordon(RoutingContext request, boolean wanted) {
        var node = RequestedNode.of(request.pathParam(NODE));
        if (wanted) {
            return done(
                    request,
                    "cordon",
                    node.value(),
                    Map.of(),
                    sharding.operations().cordon(node, true));
        }
        return TakenBack.cordon(sharding, node)
                .compose(before -> before.into(done(
                        request,
                        "uncordon",
                        node.value(),
                        before.details(),
                        sharding.operations().cordon(node, false))));
    }

    /** For all types, or for the type that the path names. */
    Future<JsonObject> setRebalancing(RoutingContext request) {
        var shape = "the body must be {\"enabled\": true or false}";
        if (!(JsonBody.only(request, "enabled", shape) instanceof Boolean enabled)) {
            throw JsonBody.refused(shape);
        }
        var type = RequestedName.type(request);
        return done(
                request,
                enabled ? "resume-rebalancing" : "stop-rebalancing",
                type == null ? SUBJECT_OF_ALL : type,
                Map.of(),
                sharding.operations().setRebalancing(type == null ? "" : type, enabled));
    }

    Future<JsonObject> move(RoutingContext request) {
        var shape = "the body must be {\"to\": \"<node>\"}, or {} for any other node";
        var to = node(JsonBody.of(request, shape), "to", shape);
        int shard = shard(request);
        return done(
                request,
                "move",
                subject(request, shard),
                to == null ? Map.of() : Map.of("to", to.value()),
                sharding.operations().move(RequestedName.type(request), shard, to));
    }

    Future<JsonObject> pin(RoutingContext request) {
        var shape = "the body must be {\"node\": \"<node>\"}";
        var node = node(JsonBody.of(request, shape), NODE, shape);
        if (node == null) {
            throw JsonBody.refused(shape);
        }
        int shard = shard(request);
        return done(
                request,
                "pin",
                subject(request, shard),
                Map.of(NODE, node.value()),
                sharding.operations().pin(RequestedName.type(request), shard, node));
    }

    Future<JsonObject> unpin(RoutingContext request) {
        int shard = shard(request);
        return done(
                request,
                "unpin",
                subject(request, shard),
                Map.of(),
                sharding.operations().unpin(RequestedName.type(request), shard));
    }

    /** The whole cluster is about to stop. */
    Future<JsonObject> prepareForShutdown(RoutingContext request) {
        return done(request, "prepare-for-shutdown", SUBJECT_OF_ALL, Map.of(), sharding.prepareForShutdown());
    }

    Future<JsonObject> cancelShutdown(RoutingContext request) {
        return done(request, "cancel-shutdown", SUBJECT_OF_ALL, Map.of(), sharding.cancelShutdown());
    }

    Future<JsonObject> plan(RoutingContext request) {
        MovePlan.Action action = action(request.request().getParam("action"));
        var node = request.request().getParam(NODE);
        boolean needsNode = action == MovePlan.Action.DRAIN || action == MovePlan.Action.LEAVE;
        if (needsNode && node == null) {
            throw JsonBody.refused("say which: ?node=");
        }
        Integer limit = MoveLimit.ofQuery(request);
        if (limit != null && action != MovePlan.Action.REBALANCE) {
            throw JsonBody.refused("limit is for action=rebalance");
        }
        var type = RequestedName.type(request);
        return sharding.operations()
                .plan(type, action, needsNode ? RequestedNode.of(node) : null)
                .map(plan -> limit == null ? plan : plan.first(limit))
                .compose(plan -> MoveTimes.expected(
                                sharding.operations(),
                                type,
                                action,
                                plan.moves().size())
                        .map(expected -> view(action, plan)
                                .put("note", needsNode ? HOMES_ARE_ESTIMATED : NEXT_ROUND_ONLY)
                                .put("expectedMs", expected)));
    }

    private static JsonObject view(MovePlan.Action action, MovePlan plan) {
        return new JsonObject()
                .put("action", ClusterEvent.text(action))
                .put(
                        "moves",
                        new JsonArray(
                                plan.moves().stream().map(OrderHandlers::view).toList()))
                .put("reasons", new JsonArray(plan.reasons()))
                .put("from", shards(plan.shards()))
                .put("after", shards(plan.shardsAfter()));
    }

    private static JsonObject shards(Map<NodeId, Integer> counts) {
        var json = new JsonObject();
        new TreeMap<>(counts).forEach((node, count) -> json.put(node.value(), count));
        return json;
    }

    private static MovePlan.Action action(@Nullable String text) {
        for (MovePlan.Action action : MovePlan.Action.values()) {
            if (ClusterEvent.text(action).equals(text)) {
                return action;
            }
        }
        throw JsonBody.refused("action must be rebalance, drain, leave or join");
    }

    private static JsonObject view(MovePlan.Move move) {
        NodeId to = move.to();
        return new JsonObject()
                .put(SHARD, move.shard())
                .put("from", move.from().value())
                .put("to", to == null ? null : to.value());
    }

    /** With its last moves, as far as the nodes remember. */
    Future<JsonObject> why(RoutingContext request) {
        int shard = shard(request);
        var subject = subject(request, shard);
        return sharding.operations()
                .why(RequestedName.type(request), shard)
                .compose(reasons -> LastEvents.of(
                                sharding.operations(), event -> event.subject().equals(subject), LAST_MOVES)
                        .map(page -> view(reasons, page.events())));
    }

    private static JsonObject view(ShardReasons reasons, List<ClusterEvent> events) {
        var candidates = new JsonArray();
        reasons.candidates()
                .forEach(candidate -> candidates.add(new JsonObject()
                        .put(NODE, candidate.node().value())
                        .put("shards", candidate.shards())
                        .put("appVersion", candidate.appVersion())
                        .put("against", new JsonArray(candidate.against()))));
        return new JsonObject()
                .put("type", reasons.type())
                .put(SHARD, reasons.shard())
                .put("home", name(reasons.home()))
                .put("allocation", reasons.allocation())
                .put("preferred", name(reasons.preferred()))
                .put("pinned", name(reasons.pinned()))
                .put("restsMs", reasons.restsMs())
                .put("candidates", candidates)
                .put("reasons", new JsonArray(reasons.reasons()))
                .put(
                        "history",
                        new JsonArray(events.stream().map(OverviewViews::event).toList()));
    }

    private static @Nullable String name(@Nullable NodeId node) {
        return node == null ? null : node.value();
    }

    private Future<JsonObject> done(
            RoutingContext request, String action, String subject, Map<String, Object> details, Future<Void> order) {
        return AdminRoutes.recorded(sharding, request, action, subject, details, order)
                .map(done -> new JsonObject().put("done", true));
    }

    private static String subject(RoutingContext request, int shard) {
        return RequestedName.type(request) + "/" + shard;
    }

    private static int shard(RoutingContext request) {
        var text = request.pathParam(SHARD);
        if (!text.matches("[0-9]{1,9}")) {
            throw JsonBody.refused("shard '" + text + "' is not a number");
        }
        return Integer.parseInt(text);
    }

    private static @Nullable NodeId node(JsonObject body, String key, String shape) {
        Object name = body.getValue(key);
        if (name == null && body.isEmpty()) {
            return null;
        }
        if (body.size() == 1 && name instanceof String text && !text.isBlank()) {
            return new NodeId(text);
        }
        throw JsonBody.refused(shape);
    }
}
