package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The order to move several shards of a type: an order for each, so that what is refused keeps no other one back. */
final class MoveHandlers {
    /** Number of shards that one request may move. */
    static final int MOST = 100;

    private static final int LARGEST_SHARD = 999_999_999;
    private static final int INTERNAL = 500;
    private static final String SHARDS = "shards";
    private static final String TO = "to";
    private static final String SHAPE = "the body must be {\"shards\": [1 to " + MOST
            + " different numbers], \"to\": \"<node>\"}, without \"to\" for any other node";

    private final ClusterSharding sharding;

    MoveHandlers(ClusterSharding sharding) {
        this.sharding = sharding;
    }

    /** Answers with the shards that move, and those that are refused or of unknown outcome; fails if none moves. */
    Future<JsonObject> moveSeveral(RoutingContext request) {
        var body = JsonBody.of(request, SHAPE);
        var shards = shards(body);
        var to = node(body);
        var type = RequestedName.type(request);
        Map<Integer, Future<Void>> orders = new LinkedHashMap<>();
        for (int shard : shards) {
            Map<String, Object> details = to == null ? Map.of() : Map.of(TO, to.value());
            orders.put(
                    shard,
                    AdminRoutes.recorded(
                            sharding,
                            request,
                            "move",
                            type + "/" + shard,
                            details,
                            sharding.operations().move(type, shard, to)));
        }
        return Future.join(List.copyOf(orders.values())).transform(ended -> answer(orders));
    }

    private static Future<JsonObject> answer(Map<Integer, Future<Void>> orders) {
        var moving = new JsonArray();
        var refused = new JsonArray();
        Map<Integer, HttpFailure> failures = new LinkedHashMap<>();
        orders.forEach((shard, order) -> {
            if (order.succeeded()) {
                moving.add(shard);
            } else {
                var failure = HttpFailure.of(order.cause());
                failures.put(shard, failure);
                refused.add(new JsonObject()
                        .put("shard", shard)
                        .put("outcome", AdminRoutes.outcome(order.cause()))
                        .mergeIn(failure.toJson()));
            }
        });
        return moving.isEmpty()
                ? Future.failedFuture(new RefusedRequest(asOne(failures)))
                : Future.succeededFuture(new JsonObject().put("moving", moving).put("refused", refused));
    }

    /**
     * None is known to move: the first failure with the highest status, as an order of unknown outcome may still be
     * carried out, with the reason of each shard unless all have the same.
     */
    private static HttpFailure asOne(Map<Integer, HttpFailure> failures) {
        var first = failures.values().stream()
                .reduce((one, next) -> next.status() >= INTERNAL && one.status() < INTERNAL ? next : one)
                .orElseThrow();
        boolean isSame = failures.values().stream().map(HttpFailure::message).allMatch(first.message()::equals);
        if (isSame) {
            return first;
        }
        var reasons = failures.entrySet().stream()
                .map(failure ->
                        "shard " + failure.getKey() + ": " + failure.getValue().message())
                .collect(Collectors.joining("; "));
        return new HttpFailure(first.status(), first.error(), reasons);
    }

    private static Set<Integer> shards(JsonObject body) {
        if (!(body.getValue(SHARDS) instanceof JsonArray numbers) || numbers.isEmpty() || numbers.size() > MOST) {
            throw JsonBody.refused(SHAPE);
        }
        Set<Integer> shards = new LinkedHashSet<>();
        for (Object number : numbers) {
            boolean isNew =
                    number instanceof Integer shard && shard >= 0 && shard <= LARGEST_SHARD && shards.add(shard);
            if (!isNew) {
                throw JsonBody.refused(SHAPE);
            }
        }
        return shards;
    }

    private static @Nullable NodeId node(JsonObject body) {
        if (body.size() == 1) {
            return null;
        }
        if (body.size() == 2 && body.getValue(TO) instanceof String text && !text.isBlank()) {
            return new NodeId(text);
        }
        throw JsonBody.refused(SHAPE);
    }
}
