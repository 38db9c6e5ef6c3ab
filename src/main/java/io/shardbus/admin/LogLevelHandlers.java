package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.logging.LogLevels;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The levels of this process's loggers, for a while. */
final class LogLevelHandlers {
    private static final String LOGGER = "logger";
    private static final String LEVEL = "level";
    private static final String MINUTES = "minutes";
    private static final int MOST_MINUTES = 1_440;
    private static final String SHAPE = "the body must be {\"level\": one of " + String.join(", ", LogLevels.LEVELS)
            + ", \"minutes\": 1 to " + MOST_MINUTES + "}";

    private final ClusterSharding sharding;
    private final ElapsedClock clock = new ElapsedClock();

    LogLevelHandlers(ClusterSharding sharding) {
        this.sharding = sharding;
    }

    Future<JsonObject> levels(RoutingContext request) {
        var levels = new JsonArray();
        LogLevels.settings().forEach(setting -> levels.add(view(setting)));
        return Future.succeededFuture(new JsonObject()
                .put("node", sharding.self().value())
                .put("available", LogLevels.areAvailable())
                .put("levels", levels));
    }

    Future<JsonObject> set(RoutingContext request) {
        var logger = logger(request);
        var body = JsonBody.of(request, SHAPE);
        boolean fits = body.size() == 2
                && body.getValue(LEVEL) instanceof String
                && LogLevels.LEVELS.contains(body.getString(LEVEL))
                && body.getValue(MINUTES) instanceof Integer
                && body.getInteger(MINUTES) >= 1
                && body.getInteger(MINUTES) <= MOST_MINUTES;
        if (!fits) {
            throw JsonBody.refused(SHAPE);
        }
        int minutes = body.getInteger(MINUTES);
        return recorded(
                        request,
                        "set-log-level",
                        logger,
                        Map.of(LEVEL, body.getString(LEVEL), MINUTES, minutes),
                        LogLevels.set(
                                        logger,
                                        body.getString(LEVEL),
                                        TimeUnit.MINUTES.toMillis(minutes),
                                        clock.wallMillis())
                                .map(Future::succeededFuture)
                                .orElseGet(() -> Future.failedFuture(new RefusedRequest(HttpFailure.conflict(
                                        LogLevels.MOST + " loggers have another level: take some back first")))))
                .map(LogLevelHandlers::view);
    }

    Future<JsonObject> reset(RoutingContext request) {
        var logger = logger(request);
        return recorded(
                request,
                "reset-log-level",
                logger,
                Map.of(),
                Future.succeededFuture(new JsonObject().put("done", LogLevels.reset(logger))));
    }

    private <T> Future<T> recorded(
            RoutingContext request, String action, String logger, Map<String, Object> details, Future<T> done) {
        return AdminRoutes.recorded(sharding, request, action, logger, details, done);
    }

    private static String logger(RoutingContext request) {
        var logger = request.pathParam(LOGGER);
        if (!LogLevels.areAvailable()) {
            throw new RefusedRequest(HttpFailure.conflict("levels can be set where Logback writes the log, not here"));
        }
        if (!LogLevels.exists(logger)) {
            throw new RefusedRequest(HttpFailure.notFound("this process has no logger '" + logger + "' of Shardbus"));
        }
        return logger;
    }

    private static JsonObject view(LogLevels.Setting setting) {
        return new JsonObject()
                .put(LOGGER, setting.logger())
                .put(LEVEL, setting.level())
                .put("usual", setting.usual().isEmpty() ? null : setting.usual())
                .put("until", setting.until());
    }
}
