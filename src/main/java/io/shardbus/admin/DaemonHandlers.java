package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.ShardingException;
import io.shardbus.daemon.ClusterSingleton;
import io.shardbus.daemon.DaemonState;
import io.shardbus.daemon.RescalingException;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The resources of the sets of workers that were started on this node. */
final class DaemonHandlers {
    private final Vertx vertx;
    private final ClusterSharding sharding;

    DaemonHandlers(Vertx vertx, ClusterSharding sharding) {
        this.sharding = sharding;
        this.vertx = vertx;
    }

    Future<JsonObject> daemons(RoutingContext request) {
        List<Future<JsonObject>> views = new TreeMap<>(ShardedDaemonProcess.startedOn(vertx))
                .values().stream().map(DaemonHandlers::view).toList();
        return Future.all(views)
                .map(all -> new JsonObject()
                        .put(
                                "daemons",
                                new JsonArray(views.stream().map(Future::result).toList())));
    }

    Future<JsonObject> singletons(RoutingContext request) {
        List<Future<JsonObject>> views = new TreeMap<>(ClusterSingleton.startedOn(vertx))
                .values().stream()
                        .map(singleton -> singleton
                                .home()
                                .map(home -> new JsonObject()
                                        .put("name", singleton.name())
                                        .put("home", home.map(NodeId::value).orElse(null))))
                        .toList();
        return Future.all(views)
                .map(all -> new JsonObject()
                        .put(
                                "singletons",
                                new JsonArray(views.stream().map(Future::result).toList())));
    }

    Future<JsonObject> daemon(RoutingContext request) {
        return view(known(request));
    }

    Future<JsonObject> rescale(RoutingContext request) {
        ShardedDaemonProcess process = known(request);
        int workers = JsonBody.wholeNumber(request, "workers");
        Future<?> rescaled =
                process.rescale(workers).recover(failure -> Future.failedFuture(new RefusedRequest(refusal(failure))));
        return AdminRoutes.recorded(
                        sharding, request, "rescale", process.name(), Map.of("workers", (long) workers), rescaled)
                .compose(done -> view(process));
    }

    /**
     * Translates the failure of a rescaling. The state of the set is read and written by all nodes, so a failure that
     * the request did not cause is that of the sharding, or 503.
     */
    static HttpFailure refusal(Throwable failure) {
        var message = String.valueOf(failure.getMessage());
        if (failure instanceof IllegalArgumentException) {
            return HttpFailure.badRequest(message);
        }
        if (failure instanceof RescalingException) {
            return HttpFailure.conflict(message);
        }
        return failure instanceof ShardingException ? HttpFailure.of(failure) : HttpFailure.unavailable(message);
    }

    private static Future<JsonObject> view(ShardedDaemonProcess process) {
        return process.state().map(state -> view(process.name(), state));
    }

    private static JsonObject view(String name, DaemonState state) {
        return new JsonObject()
                .put("name", name)
                .put("revision", state.revision())
                .put("workers", state.total())
                .put("completed", state.completed());
    }

    private ShardedDaemonProcess known(RoutingContext request) {
        var name = request.pathParam("name");
        var process = ShardedDaemonProcess.startedOn(vertx).get(name);
        if (process == null) {
            throw new RefusedRequest(HttpFailure.notFound("no set of workers '" + name + "' was started on this node"));
        }
        return process;
    }
}
