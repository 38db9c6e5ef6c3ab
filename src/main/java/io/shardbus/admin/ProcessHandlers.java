package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The process of the node that is asked. */
final class ProcessHandlers {
    /** Nodes that answer do so within a second; the coordinator may not answer at all. */
    private static final long LONGEST_WAIT_MS = 1_500;

    private final Vertx vertx;
    private final ClusterSharding sharding;

    ProcessHandlers(Vertx vertx, ClusterSharding sharding) {
        this.vertx = vertx;
        this.sharding = sharding;
    }

    Future<JsonObject> process(RoutingContext request) {
        var options = sharding.options();
        Future<JsonObject> runtime = vertx.executeBlocking(ProcessViews::runtime, false);
        Future<@Nullable JsonObject> differences = differences();
        return Future.all(runtime, differences)
                .map(both -> new JsonObject()
                        .put("node", sharding.self().value())
                        .put("options", options.toJson())
                        .put("defaults", ProcessViews.defaultsOfChanged(options))
                        .put("differences", differences.result())
                        .put("warnings", ProcessViews.warnings())
                        .mergeIn(runtime.result()));
    }

    /** Null while no coordinator answers: the rest of the answer does not need one. */
    private Future<@Nullable JsonObject> differences() {
        return sharding.operations()
                .overview()
                .map(overview -> ProcessViews.differences(overview.nodes()))
                .timeout(LONGEST_WAIT_MS, TimeUnit.MILLISECONDS)
                .otherwise(failure -> null);
    }
}
