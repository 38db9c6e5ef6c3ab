package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

/** The process of the node that is asked. */
final class ProcessHandlers {
    private final Vertx vertx;
    private final ClusterSharding sharding;

    ProcessHandlers(Vertx vertx, ClusterSharding sharding) {
        this.vertx = vertx;
        this.sharding = sharding;
    }

    Future<JsonObject> process(RoutingContext request) {
        var options = sharding.options();
        return vertx.executeBlocking(ProcessViews::runtime, false)
                .map(runtime -> new JsonObject()
                        .put("node", sharding.self().value())
                        .put("options", options.toJson())
                        .put("defaults", ProcessViews.defaultsOfChanged(options))
                        .mergeIn(runtime));
    }
}
