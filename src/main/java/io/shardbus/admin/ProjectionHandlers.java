package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.model.ClusterEvent;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.projection.Projections;
import io.shardbus.projection.StartedProjection;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The resources of the projections that were started on this node. */
final class ProjectionHandlers {
    /** Parked events in one answer. */
    private static final int MOST_PARKED = 100;

    private static final String PAUSED = "paused";

    private final Vertx vertx;
    private final ClusterSharding sharding;

    ProjectionHandlers(Vertx vertx, ClusterSharding sharding) {
        this.vertx = vertx;
        this.sharding = sharding;
    }

    /** A projection whose store does not answer is listed with that error; the others are not affected. */
    Future<JsonObject> projections(RoutingContext request) {
        List<Future<JsonObject>> views = new TreeMap<>(Projections.startedOn(vertx))
                .values().stream()
                        .map(started -> view(started)
                                .otherwise(
                                        failure -> base(started).put("trouble", String.valueOf(failure.getMessage()))))
                        .toList();
        return Future.all(views)
                .map(all -> new JsonObject()
                        .put(
                                "projections",
                                new JsonArray(views.stream().map(Future::result).toList())));
    }

    Future<JsonObject> projection(RoutingContext request) {
        var started = known(request);
        return Future.all(view(started), started.parked(MOST_PARKED))
                .map(both -> both.<JsonObject>resultAt(0).put("parkedEvents", parked(both.resultAt(1))))
                .recover(ProjectionHandlers::refuse);
    }

    Future<JsonObject> pause(RoutingContext request) {
        return steer(request, "pause-projection", StartedProjection::pause);
    }

    Future<JsonObject> resume(RoutingContext request) {
        return steer(request, "resume-projection", StartedProjection::resume);
    }

    Future<JsonObject> reset(RoutingContext request) {
        return steer(request, "reset-projection", StartedProjection::reset);
    }

    /** Answers when the store has it, with what the store then says; the event is of the change alone. */
    private Future<JsonObject> steer(
            RoutingContext request, String action, Function<StartedProjection, Future<Void>> change) {
        var started = known(request);
        Future<?> done = change.apply(started).recover(ProjectionHandlers::refuse);
        return AdminRoutes.recorded(sharding, request, action, started.name(), Map.of(), done)
                .compose(changed -> started.isPaused().recover(ProjectionHandlers::refuse))
                .map(paused -> base(started).put(PAUSED, paused));
    }

    /** A projection that runs is not reset; all else is of the store, which may have done it or do so later. */
    private static <T> Future<T> refuse(Throwable failure) {
        var message = String.valueOf(failure.getMessage());
        return Future.failedFuture(new RefusedRequest(
                failure instanceof IllegalStateException
                        ? HttpFailure.conflict(message)
                        : HttpFailure.unavailable(message)));
    }

    private StartedProjection known(RoutingContext request) {
        var name = request.pathParam("name");
        var started = Projections.startedOn(vertx).get(name);
        if (started == null) {
            throw new RefusedRequest(HttpFailure.notFound("no projection '" + name + "' was started on this node"));
        }
        return started;
    }

    private static Future<JsonObject> view(StartedProjection started) {
        return Future.all(started.lag(), started.parkedCount(), started.isPaused())
                .map(all -> base(started)
                        .put("lag", all.<Long>resultAt(0))
                        .put("parked", all.<Long>resultAt(1))
                        .put(PAUSED, all.<Boolean>resultAt(2)));
    }

    private static JsonObject base(StartedProjection started) {
        return new JsonObject()
                .put("name", started.name())
                .put("type", started.type())
                .put("workers", started.workers())
                .put("onFailure", ClusterEvent.text(started.onFailure()));
    }

    private static JsonArray parked(List<OffsetStore.Parked> events) {
        return new JsonArray(events.stream()
                .map(event -> new JsonObject()
                        .put("log", event.log())
                        .put("position", event.position())
                        .put("reason", event.reason()))
                .toList());
    }
}
