package io.shardbus.admin;

import io.shardbus.ClusterOperations;
import io.shardbus.ClusterSharding;
import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lists live entities page by page, never all of them: shard after shard, the ids of each in their order. Shows single
 * entities, and executes the orders of operators about them.
 */
final class EntityHandlers {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MOST = 1_000;
    private static final String ID = "id";
    /** Each costs a query to its home. */
    private static final int SHARDS_PER_PAGE = 100;

    private final ClusterSharding sharding;
    private final boolean showsStates;

    /** Cursor of a page: it ends after this entity of this shard. */
    private record Place(int shard, String id) {
        static final Place BEGIN = new Place(-1, "");

        static Place parse(@Nullable String text) {
            if (text == null || text.isEmpty()) {
                return BEGIN;
            }
            int colon = text.indexOf(':');
            if (colon < 1 || !text.substring(0, colon).matches("[0-9]{1,9}")) {
                throw refused("after: not the cursor of an earlier answer");
            }
            return new Place(Integer.parseInt(text.substring(0, colon)), text.substring(colon + 1));
        }

        String text() {
            return shard + ":" + id;
        }
    }

    /** Filter and limit of a request for entities. */
    private record Wanted(
            String type,
            String prefix,
            @Nullable NodeId node,
            @Nullable Integer shard,
            int limit) {
        boolean includes(TypeState.Shard row) {
            return (node == null || node.equals(row.home())) && (shard == null || shard == row.shard());
        }
    }

    EntityHandlers(ClusterSharding sharding, boolean showsStates) {
        this.sharding = sharding;
        this.showsStates = showsStates;
    }

    /** Refuses a type that is not there; an empty answer would say that it is. */
    static void requireKnown(TypeState state) {
        if (state.numberOfShards() == 0) {
            throw new ShardingException(
                    FailureCode.UNKNOWN_TYPE,
                    "no region of an entity type '" + state.type() + "' has registered with the coordinator");
        }
    }

    Future<JsonObject> entities(RoutingContext request) {
        var http = request.request();
        var prefix = http.getParam("prefix");
        var wanted = new Wanted(
                RequestedName.type(request),
                prefix == null ? "" : prefix,
                node(http.getParam("node")),
                shard(http.getParam("shard")),
                limit(http.getParam("limit")));
        var after = Place.parse(http.getParam("after"));
        return sharding.typeState(wanted.type()).compose(state -> {
            requireKnown(state);
            requireExisting(wanted, state);
            var rows = state.shards().stream()
                    .filter(wanted::includes)
                    .filter(row -> row.shard() >= after.shard())
                    .sorted(Comparator.comparingInt(TypeState.Shard::shard))
                    .toList();
            return page(wanted, rows, 0, after, new ArrayList<>());
        });
    }

    /** Refuses a shard or node that does not exist: an empty list would say that it has no entities. */
    private void requireExisting(Wanted wanted, TypeState state) {
        Integer shard = wanted.shard();
        if (shard != null && shard >= state.numberOfShards()) {
            throw new ShardingException(
                    FailureCode.UNKNOWN_SHARD,
                    "no shard " + shard + " of '" + state.type() + "': use 0 to " + (state.numberOfShards() - 1));
        }
        NodeId node = wanted.node();
        if (node != null && !exists(node, state)) {
            throw new ShardingException(FailureCode.UNKNOWN_NODE, "node " + node.value() + " is not in the cluster");
        }
    }

    /** Whether it is a member, or still the home of a shard. */
    private boolean exists(NodeId node, TypeState state) {
        return sharding.clusterState().nodes().stream()
                        .anyMatch(member -> member.id().equals(node))
                || state.shards().stream().anyMatch(row -> row.home().equals(node));
    }

    private Future<JsonObject> page(
            Wanted wanted, List<TypeState.Shard> rows, int next, Place after, List<JsonObject> found) {
        if (next == rows.size()) {
            return Future.succeededFuture(view(wanted, found, null));
        }
        var row = rows.get(next);
        if (next == SHARDS_PER_PAGE) {
            return Future.succeededFuture(view(wanted, found, new Place(row.shard(), "")));
        }
        return sharding.entityIds(wanted.type(), row.shard()).compose(ids -> {
            for (String id : new TreeSet<>(ids)) {
                boolean isNext = row.shard() > after.shard() || id.compareTo(after.id()) > 0;
                if (isNext && id.startsWith(wanted.prefix())) {
                    found.add(new JsonObject()
                            .put(ID, id)
                            .put("shard", row.shard())
                            .put("node", row.home().value()));
                    if (found.size() == wanted.limit()) {
                        return Future.succeededFuture(view(wanted, found, new Place(row.shard(), id)));
                    }
                }
            }
            return page(wanted, rows, next + 1, after, found);
        });
    }

    /** A home of an earlier build says where the entity is, and no more. */
    Future<JsonObject> entity(RoutingContext request) {
        var type = startedType(request);
        var id = RequestedName.entity(request);
        return sharding.operations()
                .entity(type, id)
                .map(found -> found.map(report -> EntityViews.entity(report, showsStates))
                        .orElseGet(() -> EntityViews.nowhere(type, id)))
                .recover(failure -> isEarlier(failure)
                        ? sharding.locate(type, id)
                                .map(found ->
                                        found.map(EntityViews::located).orElseGet(() -> EntityViews.nowhere(type, id)))
                        : Future.failedFuture(failure));
    }

    private static boolean isEarlier(Throwable failure) {
        return failure instanceof ShardingException known && known.code() == FailureCode.INCOMPATIBLE;
    }

    /** Answers with the state of an entity, and records the reader as it records operators of actions. */
    Future<JsonObject> state(RoutingContext request) {
        var type = startedType(request);
        var id = RequestedName.entity(request);
        return recorded(request, "inspect", sharding.operations().inspect(type, id))
                .map(state -> new JsonObject().put("type", type).put(ID, id).put("state", state));
    }

    Future<JsonObject> passivate(RoutingContext request) {
        return treated(request, "passivate", ClusterOperations::passivate);
    }

    Future<JsonObject> restart(RoutingContext request) {
        return treated(request, "restart", ClusterOperations::restart);
    }

    Future<JsonObject> forget(RoutingContext request) {
        return treated(request, "forget", ClusterOperations::forget);
    }

    Future<JsonObject> erase(RoutingContext request) {
        return treated(request, "erase", ClusterOperations::erase);
    }

    /** Does something to an entity. */
    private interface Treatment {
        Future<Void> treat(ClusterOperations operations, String type, String entityId);
    }

    private Future<JsonObject> treated(RoutingContext request, String action, Treatment treatment) {
        return recorded(
                        request,
                        action,
                        treatment.treat(sharding.operations(), startedType(request), RequestedName.entity(request)))
                .map(done -> new JsonObject().put("done", true));
    }

    private <T> Future<T> recorded(RoutingContext request, String action, Future<T> done) {
        var subject = RequestedName.type(request) + "/" + RequestedName.entity(request);
        return AdminRoutes.recorded(sharding, request, action, subject, Map.of(), done);
    }

    private String startedType(RoutingContext request) {
        var type = RequestedName.type(request);
        if (!sharding.startedTypes().contains(type)) {
            throw new RefusedRequest(HttpFailure.notFound("this node did not start an entity type '" + type + "'"));
        }
        return type;
    }

    private static JsonObject view(Wanted wanted, List<JsonObject> found, @Nullable Place end) {
        return new JsonObject()
                .put("type", wanted.type())
                .put("entities", new JsonArray(found))
                .put("after", end == null ? null : end.text());
    }

    private static @Nullable NodeId node(@Nullable String text) {
        return text == null ? null : RequestedNode.of(text);
    }

    private static @Nullable Integer shard(@Nullable String text) {
        if (text != null && !text.matches("[0-9]{1,9}")) {
            throw refused("shard '" + text + "' is not a number");
        }
        return text == null ? null : Integer.valueOf(text);
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return DEFAULT_LIMIT;
        }
        if (!text.matches("[1-9][0-9]{0,3}") || Integer.parseInt(text) > MOST) {
            throw refused("limit '" + text + "' is not a whole number in 1.." + MOST);
        }
        return Integer.parseInt(text);
    }

    private static RefusedRequest refused(String reason) {
        return new RefusedRequest(HttpFailure.badRequest(reason));
    }
}
