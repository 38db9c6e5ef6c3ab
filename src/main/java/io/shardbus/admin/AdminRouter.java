package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.options.AdminOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The admin resources as a router, to be mounted where the application likes:
 * {@code router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding))}. All answers are JSON, also to
 * what a handler before it fails, whose status is kept. It checks no identity: a client that reaches it may read
 * everything, drain nodes and rebalance types, so listen on loopback only or mount it behind an authentication handler.
 */
public final class AdminRouter {
    private static final int LARGEST_BODY = 1000;
    /** The desired homes of all shards of the largest type, with room to spare. */
    private static final int LARGEST_HOMES = 8_000_000;

    private static final String HEADER = "X-Shardbus-Request";
    private static final String DAEMON = "/api/v1/daemons/:name";
    private static final String DESIRED_HOMES = "/api/v1/types/:type/desired-homes";
    private static final String DESIRED_HOME = "/api/v1/types/:type/shards/:shard/desired-home";
    private static final String DRAIN = "/api/nodes/:node/drain";
    private static final String PASSIVATION = "/api/types/:type/passivation";

    private final Router router;
    private final AdminOptions options;
    private final Map<String, Set<String>> methods = new LinkedHashMap<>();

    private AdminRouter(Router router, AdminOptions options) {
        this.router = router;
        this.options = options;
    }

    /** A router for one mount point; what is under {@code api/v1} can only be read. */
    public static Router create(Vertx vertx, ClusterSharding sharding) {
        return create(vertx, sharding, new AdminOptions());
    }

    /**
     * A router for one mount point.
     *
     * @param options what may be done under {@code api/v1}
     */
    public static Router create(Vertx vertx, ClusterSharding sharding, AdminOptions options) {
        var admin = new AdminRouter(Router.router(vertx), new AdminOptions(options));
        admin.resources(new AdminHandlers(sharding));
        admin.allocation(new AllocationHandlers(sharding));
        admin.daemons(new DaemonHandlers(vertx));
        admin.health(new HealthHandlers(sharding));
        return admin.rest();
    }

    private void resources(AdminHandlers handlers) {
        get("/", handlers::index);
        get("/api/cluster", handlers::cluster);
        get("/api/types", handlers::types);
        get("/api/types/:type", handlers::type);
        get("/api/types/:type/shards/:shard", handlers::shard);
        get("/api/types/:type/entities/:id", handlers::entity);
        get(PASSIVATION, handlers::passivation);
        on(HttpMethod.POST, PASSIVATION, BodyHandler.create(false).setBodyLimit(LARGEST_BODY));
        post(PASSIVATION, handlers::limitActiveEntities);
        post("/api/types/:type/rebalance", handlers::rebalance);
        post(DRAIN, handlers::drain);
        on(HttpMethod.DELETE, DRAIN, request -> answer(request, handlers.undrain(request)));
    }

    private void allocation(AllocationHandlers handlers) {
        get(DESIRED_HOMES, handlers::homes);
        change(HttpMethod.PUT, DESIRED_HOMES, LARGEST_HOMES, handlers::setHomes);
        change(HttpMethod.DELETE, DESIRED_HOMES, LARGEST_BODY, handlers::clearAll);
        change(HttpMethod.PUT, DESIRED_HOME, LARGEST_BODY, handlers::setHome);
        change(HttpMethod.DELETE, DESIRED_HOME, LARGEST_BODY, handlers::clearHome);
    }

    private void daemons(DaemonHandlers handlers) {
        get("/api/v1/daemons", handlers::daemons);
        get(DAEMON, handlers::daemon);
        change(HttpMethod.PUT, DAEMON, LARGEST_BODY, handlers::rescale);
    }

    /** A resource that changes something, for those who may: what they may not is refused before its body is read. */
    private void change(
            HttpMethod method, String path, int largestBody, Function<RoutingContext, Future<JsonObject>> resource) {
        on(method, path, this::requirePermission);
        on(method, path, BodyHandler.create(false).setBodyLimit(largestBody));
        on(method, path, request -> answer(request, resource.apply(request)));
    }

    private void requirePermission(RoutingContext request) {
        if (!"1".equals(request.request().getHeader(HEADER))) {
            throw new RefusedRequest(
                    HttpFailure.forbidden("requests that change something need the header " + HEADER + ": 1"));
        }
        if (options.isReadOnly()) {
            throw new RefusedRequest(
                    HttpFailure.forbidden("these admin resources are read-only: see AdminOptions.setReadOnly"));
        }
        request.next();
    }

    private void health(HealthHandlers handlers) {
        onRead(
                "/health/live",
                request -> answerHealth(
                        request, handlers.live(request).map(reasons -> AdminViews.health(reasons, List.of()))));
        onRead(
                "/health/ready",
                request -> answerHealth(
                        request,
                        handlers.ready(request)
                                .compose(reasons ->
                                        handlers.warnings().map(warnings -> AdminViews.health(reasons, warnings)))));
    }

    private void get(String path, Function<RoutingContext, Future<JsonObject>> resource) {
        onRead(path, request -> answer(request, resource.apply(request)));
    }

    private void post(String path, Function<RoutingContext, Future<JsonObject>> resource) {
        on(HttpMethod.POST, path, request -> answer(request, resource.apply(request)));
    }

    private void onRead(String path, Handler<RoutingContext> handler) {
        on(HttpMethod.GET, path, handler);
        on(HttpMethod.HEAD, path, handler);
    }

    private void on(HttpMethod method, String path, Handler<RoutingContext> handler) {
        router.route(method, path).handler(handler);
        methods.computeIfAbsent(path, any -> new TreeSet<>()).add(method.name());
    }

    /** The last route hears of all failures, also of those of handlers before the mount. */
    private Router rest() {
        methods.forEach((path, allowed) ->
                router.route(path).handler(request -> answerMethodNotAllowed(request, String.join(", ", allowed))));
        router.route().handler(AdminRouter::answerNotFound).failureHandler(AdminRouter::answerFailure);
        return router;
    }

    private static void answer(RoutingContext request, Future<JsonObject> result) {
        result.onComplete(json -> answer(request, 200, json), request::fail);
    }

    private static void answerHealth(RoutingContext request, Future<JsonObject> health) {
        health.onComplete(found -> answer(request, AdminViews.isUp(found) ? 200 : 503, found), request::fail);
    }

    private static void answerMethodNotAllowed(RoutingContext request, String allowed) {
        request.response().putHeader(HttpHeaders.ALLOW, allowed);
        answer(
                request,
                HttpFailure.methodNotAllowed(
                        "use " + allowed + " for " + request.request().path()));
    }

    private static void answerNotFound(RoutingContext request) {
        answer(request, HttpFailure.notFound("no resource " + request.request().path()));
    }

    private static void answerFailure(RoutingContext request) {
        var failure = request.failure();
        answer(
                request,
                failure instanceof RefusedRequest refused
                        ? refused.failure()
                        : HttpFailure.of(request.statusCode(), failure));
    }

    private static void answer(RoutingContext request, HttpFailure failure) {
        answer(request, failure.status(), failure.toJson());
    }

    /** Says the length itself: Vert.x counts only what it sends, and a HEAD gets no body. */
    private static void answer(RoutingContext request, int status, JsonObject body) {
        if (request.response().ended()) {
            // a handler before this one, as one that watches the time, has answered
            return;
        }
        var bytes = body.toBuffer();
        request.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length()))
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(bytes);
    }
}
