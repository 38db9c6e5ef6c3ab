package io.shardbus.admin;

import io.shardbus.daemon.DaemonState;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.TreeMap;

/** The resources of the sets of workers that were started on this node. */
final class DaemonHandlers {
    private final Vertx vertx;

    DaemonHandlers(Vertx vertx) {
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

    Future<JsonObject> daemon(RoutingContext request) {
        return view(known(request));
    }

    Future<JsonObject> rescale(RoutingContext request) {
        ShardedDaemonProcess process = known(request);
        return process.rescale(workers(request))
                .recover(failure -> Future.failedFuture(
                        failure instanceof IllegalArgumentException || failure instanceof IllegalStateException
                                ? new RefusedRequest(HttpFailure.badRequest(String.valueOf(failure.getMessage())))
                                : failure))
                .compose(done -> view(process));
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

    private static int workers(RoutingContext request) {
        try {
            var body = request.body().buffer();
            if (body != null
                    && body.length() > 0
                    && body.toJsonValue() instanceof JsonObject json
                    && json.size() == 1
                    && json.getValue("workers") instanceof Integer workers) {
                return workers;
            }
        } catch (DecodeException e) {
            throw new RefusedRequest(HttpFailure.badRequest("the body is no JSON"));
        }
        throw new RefusedRequest(HttpFailure.badRequest("the body must be {\"workers\": a whole number}"));
    }
}
