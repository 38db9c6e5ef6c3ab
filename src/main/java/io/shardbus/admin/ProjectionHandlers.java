package io.shardbus.admin;

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
import java.util.TreeMap;

/** The resources of the projections that were started on this node. */
final class ProjectionHandlers {
    /** Parked events in one answer. */
    private static final int MOST_PARKED = 100;

    private final Vertx vertx;

    ProjectionHandlers(Vertx vertx) {
        this.vertx = vertx;
    }

    /** One whose store does not answer says so, and hides none of the others. */
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
        var name = request.pathParam("name");
        var started = Projections.startedOn(vertx).get(name);
        if (started == null) {
            throw new RefusedRequest(HttpFailure.notFound("no projection '" + name + "' was started on this node"));
        }
        return Future.all(view(started), started.parked(MOST_PARKED))
                .map(both -> both.<JsonObject>resultAt(0).put("parkedEvents", parked(both.resultAt(1))))
                .recover(failure -> Future.failedFuture(
                        new RefusedRequest(HttpFailure.unavailable(String.valueOf(failure.getMessage())))));
    }

    private static Future<JsonObject> view(StartedProjection started) {
        return Future.all(started.lag(), started.parkedCount())
                .map(both -> base(started).put("lag", both.<Long>resultAt(0)).put("parked", both.<Long>resultAt(1)));
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
