package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.ext.healthchecks.Status;
import java.util.List;

/**
 * The health of a node as procedures of vertx-health-check, for applications that have health resources of their own.
 * Their results are those of {@code health/live} and {@code health/ready} of the admin resources. The library is
 * optional.
 */
public final class HealthProcedures {
    /** The name of the procedure that is down if only a restart of the process helps. */
    public static final String LIVE = "shardbus-live";

    /** The name of the procedure that is down while this node should get no requests. */
    public static final String READY = "shardbus-ready";

    private HealthProcedures() {}

    /** Registers {@link #LIVE}, for the probe by which an orchestrator restarts the process. */
    public static HealthChecks registerLiveness(HealthChecks checks, ClusterSharding sharding) {
        return checks.register(LIVE, promise -> promise.complete(status(sharding.restartReasons())));
    }

    /** Registers {@link #READY}, for the probe by which a load balancer chooses nodes. Its data has all reasons. */
    public static HealthChecks registerReadiness(HealthChecks checks, ClusterSharding sharding) {
        HealthHandlers handlers = new HealthHandlers(sharding);
        return checks.register(READY, promise -> {
            Future<Status> ready = handlers.ready().map(HealthProcedures::status);
            ready.onComplete(promise);
        });
    }

    private static Status status(List<String> reasons) {
        return reasons.isEmpty()
                ? Status.OK()
                : Status.KO(new JsonObject().put("reasons", new JsonArray(List.copyOf(reasons))));
    }
}
