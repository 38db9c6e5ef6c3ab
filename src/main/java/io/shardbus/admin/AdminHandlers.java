package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.ShardRegion;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The admin resources, one method each: asks the sharding, answers with a view. */
final class AdminHandlers {
    /** The cluster is looked at when its coordinator does not answer, too. */
    private static final long LONGEST_QUESTION_MS = 500;

    private final ClusterSharding sharding;
    private final ElapsedClock clock = new ElapsedClock();

    AdminHandlers(ClusterSharding sharding) {
        this.sharding = sharding;
    }

    Future<JsonObject> cluster(RoutingContext request) {
        return sharding.drainedNodes()
                .timeout(LONGEST_QUESTION_MS, TimeUnit.MILLISECONDS)
                .transform(drained -> Future.succeededFuture(
                        AdminViews.cluster(sharding.clusterState(), drained.result(), clock.wallMillis())));
    }

    Future<JsonObject> types(RoutingContext request) {
        var regions = new ArrayList<ShardRegion<?>>();
        sharding.startedTypes().stream()
                .sorted()
                .map(sharding::region)
                .forEach(region -> region.ifPresent(regions::add));
        return Future.succeededFuture(AdminViews.types(regions));
    }

    Future<JsonObject> type(RoutingContext request) {
        return knownType(request).map(AdminViews::type);
    }

    Future<JsonObject> shard(RoutingContext request) {
        return knownType(request).compose(state -> {
            int shard = shardNumber(request.pathParam("shard"), state);
            return sharding.entityIds(state.type(), shard)
                    .map(ids -> AdminViews.shardEntities(state.type(), shard, ids));
        });
    }

    Future<JsonObject> entity(RoutingContext request) {
        var id = RequestedName.entity(request);
        return knownType(request)
                .compose(state -> sharding.locate(state.type(), id)
                        .map(found -> found.map(AdminViews::entity)
                                .orElseGet(() -> AdminViews.homelessEntity(state.type(), id))));
    }

    Future<JsonObject> passivation(RoutingContext request) {
        return Future.succeededFuture(AdminViews.passivation(startedRegion(request)));
    }

    Future<JsonObject> limitActiveEntities(RoutingContext request) {
        var region = startedRegion(request);
        return limitActiveEntities(request, "limit-entities", region, JsonBody.wholeNumber(request, "limit"));
    }

    /** Back to the limit that the region began with. */
    Future<JsonObject> resetActiveEntities(RoutingContext request) {
        var region = startedRegion(request);
        int limit = region.configuredPassivation().getActiveEntityLimit();
        return limitActiveEntities(request, "reset-entity-limit", region, limit);
    }

    private Future<JsonObject> limitActiveEntities(
            RoutingContext request, String action, ShardRegion<?> region, int limit) {
        Future<Void> limited = Future.succeededFuture();
        try {
            region.limitActiveEntities(limit);
        } catch (IllegalArgumentException e) {
            limited = Future.failedFuture(new RefusedRequest(HttpFailure.badRequest(String.valueOf(e.getMessage()))));
        } catch (IllegalStateException e) {
            limited = Future.failedFuture(new RefusedRequest(HttpFailure.conflict(String.valueOf(e.getMessage()))));
        }
        return recorded(request, action, region.type().name(), Map.of("limit", (long) limit), limited)
                .map(done -> AdminViews.passivation(region));
    }

    private ShardRegion<?> startedRegion(RoutingContext request) {
        var type = RequestedName.type(request);
        return sharding.region(type)
                .orElseThrow(() -> new RefusedRequest(
                        HttpFailure.notFound("this node did not start an entity type '" + type + "'")));
    }

    Future<JsonObject> drain(RoutingContext request) {
        NodeId node = RequestedNode.of(request.pathParam("node"));
        return recorded(request, "drain", node.value(), Map.of(), sharding.drain(node))
                .map(AdminViews::handoffs);
    }

    Future<JsonObject> undrain(RoutingContext request) {
        NodeId node = RequestedNode.of(request.pathParam("node"));
        return TakenBack.drain(sharding, node)
                .compose(before ->
                        before.into(recorded(request, "undrain", node.value(), before.details(), sharding.undrain(node))
                                .map(AdminViews::shards)));
    }

    Future<JsonObject> rebalance(RoutingContext request) {
        Integer limit = MoveLimit.ofBody(request);
        Map<String, Object> details = limit == null ? Map.of() : Map.of("limit", (long) limit);
        return knownType(request)
                .compose(state -> recorded(request, "rebalance", state.type(), details, rebalance(state.type(), limit)))
                .map(AdminViews::handoffs);
    }

    private Future<Integer> rebalance(String type, @Nullable Integer limit) {
        return limit == null ? sharding.rebalance(type) : sharding.rebalance(type, limit);
    }

    private <T> Future<T> recorded(
            RoutingContext request, String action, String subject, Map<String, Object> details, Future<T> done) {
        return AdminRoutes.recorded(sharding, request, action, subject, details, done);
    }

    private Future<TypeState> knownType(RoutingContext request) {
        var type = RequestedName.type(request);
        return sharding.typeState(type).map(state -> {
            if (state.regions().isEmpty() && !sharding.startedTypes().contains(type)) {
                throw new RefusedRequest(HttpFailure.notFound("no entity type '" + type + "' was started"));
            }
            return state;
        });
    }

    private static int shardNumber(String text, TypeState state) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new RefusedRequest(HttpFailure.badRequest("shard '" + text + "' is not a number"));
        }
        int shard = Integer.parseInt(text);
        if (shard >= state.numberOfShards()) {
            throw new RefusedRequest(HttpFailure.notFound(
                    "no shard " + shard + ": type '" + state.type() + "' has " + state.numberOfShards() + " shards"));
        }
        return shard;
    }
}
