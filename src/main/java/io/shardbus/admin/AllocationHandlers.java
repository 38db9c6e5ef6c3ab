package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityType;
import io.shardbus.ExternalShardAllocation;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The resources of external allocation: the desired homes of a type's shards. */
final class AllocationHandlers {
    private static final String HOMES = "homes";
    private static final String NODE = "node";

    private final ClusterSharding sharding;

    AllocationHandlers(ClusterSharding sharding) {
        this.sharding = sharding;
    }

    /** Of a type that was never started there are none, as {@link ExternalShardAllocation#homes} says. */
    Future<JsonObject> homes(RoutingContext request) {
        return view(client(request));
    }

    /** The homes that a request is to clear; a type that is not there is refused, as its name may be mistyped. */
    private Future<JsonObject> known(ExternalShardAllocation client) {
        return view(client)
                .compose(found -> found.getJsonObject(HOMES).isEmpty()
                                && !sharding.startedTypes().contains(client.type())
                        ? sharding.typeState(client.type()).map(state -> {
                            EntityHandlers.requireKnown(state);
                            return found;
                        })
                        : Future.succeededFuture(found));
    }

    /** Replaces the homes that the body names, and leaves the others. */
    Future<JsonObject> setHomes(RoutingContext request) {
        ExternalShardAllocation client = client(request);
        Map<Integer, NodeId> homes = new TreeMap<>();
        String shape = "the body must be {\"homes\": {\"<shard>\": \"<node>\"}}";
        JsonObject named = JsonBody.only(request, HOMES, shape) instanceof JsonObject json ? json : null;
        if (named == null) {
            throw JsonBody.refused(shape);
        }
        named.forEach(entry -> homes.put(shard(entry.getKey()), node(entry.getValue(), shape)));
        return recorded(request, "set-homes", Map.of("homes", (long) homes.size()), client.setHomes(homes))
                .compose(set -> view(client));
    }

    Future<JsonObject> clearAll(RoutingContext request) {
        ExternalShardAllocation client = client(request);
        return known(client)
                .compose(found -> recorded(request, "clear-homes", Map.of(), client.clearAll()))
                .compose(cleared -> view(client));
    }

    Future<JsonObject> setHome(RoutingContext request) {
        ExternalShardAllocation client = client(request);
        int shard = shard(request.pathParam("shard"));
        String shape = "the body must be {\"node\": \"<node>\"}";
        NodeId node = node(JsonBody.only(request, NODE, shape), shape);
        Map<String, Object> details = Map.of("shard", (long) shard, NODE, node.value());
        return recorded(request, "set-home", details, client.setHome(shard, node))
                .compose(set -> view(client));
    }

    Future<JsonObject> clearHome(RoutingContext request) {
        ExternalShardAllocation client = client(request);
        int shard = shard(request.pathParam("shard"));
        return known(client)
                .compose(found ->
                        recorded(request, "clear-home", Map.of("shard", (long) shard), client.clear(List.of(shard))))
                .compose(cleared -> view(client));
    }

    private <T> Future<T> recorded(RoutingContext request, String action, Map<String, Object> details, Future<T> done) {
        return AdminRoutes.recorded(sharding, request, action, RequestedName.type(request), details, done);
    }

    private ExternalShardAllocation client(RoutingContext request) {
        String type = RequestedName.type(request);
        try {
            EntityType.of(type, Object.class);
        } catch (IllegalArgumentException e) {
            throw JsonBody.refused(String.valueOf(e.getMessage()));
        }
        return sharding.externalAllocation(type);
    }

    private static Future<JsonObject> view(ExternalShardAllocation client) {
        return client.homes().map(homes -> {
            JsonObject named = new JsonObject();
            new TreeMap<>(homes).forEach((shard, home) -> named.put(String.valueOf(shard), home.value()));
            return new JsonObject().put("type", client.type()).put(HOMES, named);
        });
    }

    private static int shard(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw JsonBody.refused("shard '" + text + "' is not a number");
        }
        return Integer.parseInt(text);
    }

    private static NodeId node(Object value, String shape) {
        if (value instanceof String name && !name.isBlank()) {
            return new NodeId(name);
        }
        throw JsonBody.refused(shape);
    }
}
