package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.options.AdminOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The admin resources as a router, to be mounted at any path: {@code
 * router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding))}. All answers are JSON, also for a request
 * that an earlier handler failed, whose status is kept; {@code ui/} is a page for browsers.
 *
 * <p>The resources are below {@code api/v1}; those of the first releases answer at their old paths below {@code api},
 * too, under the same rules. Without options they can only be read. The router does not check who sends a request: if
 * others than operators can reach it, mount it behind an authentication handler, or give it an {@link AdminAuthorizer}.
 */
public final class AdminRouter {
    private static final int LARGEST_BODY = 1000;
    /** The numbers of 100 shards, and a node. */
    private static final int LARGEST_MOVE = 2000;
    /** The desired homes of all shards of the largest type, with room to spare. */
    private static final int LARGEST_HOMES = 8_000_000;

    private static final String TYPE = "/types/:type";
    private static final String ENTITY = TYPE + "/entities/:id";
    private static final String DAEMON = "/daemons/:name";
    private static final String PROJECTION = "/projections/:name";
    private static final String DESIRED_HOMES = TYPE + "/desired-homes";
    private static final String DESIRED_HOME = TYPE + "/shards/:shard/desired-home";
    private static final String DRAIN = "/nodes/:node/drain";
    private static final String CORDON = "/nodes/:node/cordon";
    private static final String PIN = TYPE + "/shards/:shard/pin";
    private static final String SHUTDOWN = "/prepare-for-shutdown";
    private static final String LOG_LEVEL = "/log-levels/:logger";
    private static final String PASSIVATION = TYPE + "/passivation";

    private final AdminRoutes routes;

    private AdminRouter(AdminRoutes routes) {
        this.routes = routes;
    }

    /** A router for one mount point whose resources can only be read. */
    public static Router create(Vertx vertx, ClusterSharding sharding) {
        return create(vertx, sharding, new AdminOptions());
    }

    /**
     * A router for one mount point.
     *
     * @param options the actions that are allowed; copied
     */
    public static Router create(Vertx vertx, ClusterSharding sharding, AdminOptions options) {
        return router(vertx, sharding, options, null);
    }

    /** A router for one mount point whose resources can be read and changed as the authorizer allows. */
    public static Router create(Vertx vertx, ClusterSharding sharding, AdminAuthorizer authorizer) {
        return create(vertx, sharding, new AdminOptions().setReadOnly(false), authorizer);
    }

    /**
     * A router for one mount point.
     *
     * @param options the limits of the actions that may be allowed; copied
     * @param authorizer decides about each request that the options allow
     */
    public static Router create(
            Vertx vertx, ClusterSharding sharding, AdminOptions options, AdminAuthorizer authorizer) {
        return router(vertx, sharding, options, Objects.requireNonNull(authorizer, "authorizer"));
    }

    private static Router router(
            Vertx vertx, ClusterSharding sharding, AdminOptions options, @Nullable AdminAuthorizer authorizer) {
        var guard = new AdminGuard(new AdminOptions(options), authorizer);
        var routes = new AdminRoutes(Router.router(vertx), guard);
        page(routes, new PageHandlers(vertx, options));
        register(routes, vertx, sharding, options.isStateInspection());
        return routes.finish();
    }

    /** Before the JSON at the mount itself: a browser is led to the page. */
    private static void page(AdminRoutes routes, PageHandlers handlers) {
        routes.getMount(handlers::leadBrowsers);
        routes.getOpen("/ui", handlers::index);
        routes.getOpen("/ui/:version/:file", handlers::file);
        routes.getOpen("/ui/:version/:directory/:file", handlers::file);
    }

    /** @param showsStates whether what entities know may be shown */
    static void register(AdminRoutes routes, Vertx vertx, ClusterSharding sharding, boolean showsStates) {
        var admin = new AdminRouter(routes);
        admin.resources(new AdminHandlers(sharding), new EntityHandlers(sharding, showsStates));
        admin.orders(new OrderHandlers(sharding));
        var live = new LiveHandlers(vertx, sharding);
        var process = new ProcessHandlers(vertx, sharding);
        admin.live(live);
        routes.get("/process", AdminAction.READ, process::process);
        routes.get("/snapshot", AdminAction.READ, new SnapshotHandlers(sharding, live, process)::snapshot);
        routes.change(
                HttpMethod.POST,
                TYPE + "/move",
                AdminAction.MOVE_SHARD,
                LARGEST_MOVE,
                new MoveHandlers(sharding)::moveSeveral);
        admin.allocation(new AllocationHandlers(sharding));
        admin.daemons(new DaemonHandlers(vertx, sharding));
        admin.projections(new ProjectionHandlers(vertx, sharding));
        admin.logLevels(new LogLevelHandlers(sharding));
        routes.get("/data-centers", AdminAction.READ, request -> DataCenterViews.of(vertx));
        admin.health(new HealthHandlers(sharding));
    }

    private void resources(AdminHandlers handlers, EntityHandlers entities) {
        routes.getMount(request -> AdminRoutes.answer(request, 200, AdminViews.index()));
        routes.getAliased("/cluster", AdminAction.READ, handlers::cluster);
        routes.getAliased("/types", AdminAction.READ, handlers::types);
        routes.getAliased(TYPE, AdminAction.READ, handlers::type);
        routes.getAliased(TYPE + "/shards/:shard", AdminAction.READ, handlers::shard);
        routes.get(TYPE + "/entities", AdminAction.READ, entities::entities);
        routes.get("/openapi.json", AdminAction.READ, request -> Future.succeededFuture(OpenApi.document()));
        routes.get(ENTITY, AdminAction.READ, entities::entity);
        routes.getFormer(ENTITY, AdminAction.READ, handlers::entity);
        routes.getState(ENTITY + "/state", entities::state);
        change(HttpMethod.POST, ENTITY + "/passivate", AdminAction.TREAT_ENTITY, entities::passivate);
        change(HttpMethod.POST, ENTITY + "/restart", AdminAction.TREAT_ENTITY, entities::restart);
        change(HttpMethod.POST, ENTITY + "/forget", AdminAction.TREAT_ENTITY, entities::forget);
        change(HttpMethod.POST, ENTITY + "/erase", AdminAction.ERASE_ENTITY, entities::erase);
        routes.getAliased(PASSIVATION, AdminAction.READ, handlers::passivation);
        aliased(HttpMethod.POST, PASSIVATION, AdminAction.LIMIT_ENTITIES, handlers::limitActiveEntities);
        change(HttpMethod.DELETE, PASSIVATION, AdminAction.LIMIT_ENTITIES, handlers::resetActiveEntities);
        aliased(HttpMethod.POST, TYPE + "/rebalance", AdminAction.REBALANCE, handlers::rebalance);
        aliased(HttpMethod.POST, DRAIN, AdminAction.DRAIN, handlers::drain);
        aliased(HttpMethod.DELETE, DRAIN, AdminAction.DRAIN, handlers::undrain);
    }

    private void orders(OrderHandlers handlers) {
        routes.get(TYPE + "/plan", AdminAction.READ, handlers::plan);
        routes.get(TYPE + "/shards/:shard/why", AdminAction.READ, handlers::why);
        change(HttpMethod.PUT, CORDON, AdminAction.CORDON, handlers::cordon);
        change(HttpMethod.DELETE, CORDON, AdminAction.CORDON, handlers::uncordon);
        change(HttpMethod.PUT, "/rebalancing", AdminAction.REBALANCE, handlers::setRebalancing);
        change(HttpMethod.PUT, TYPE + "/rebalancing", AdminAction.REBALANCE, handlers::setRebalancing);
        change(HttpMethod.POST, TYPE + "/shards/:shard/move", AdminAction.MOVE_SHARD, handlers::move);
        change(HttpMethod.PUT, PIN, AdminAction.MOVE_SHARD, handlers::pin);
        change(HttpMethod.DELETE, PIN, AdminAction.MOVE_SHARD, handlers::unpin);
        change(HttpMethod.POST, SHUTDOWN, AdminAction.SHUT_DOWN, handlers::prepareForShutdown);
        change(HttpMethod.DELETE, SHUTDOWN, AdminAction.SHUT_DOWN, handlers::cancelShutdown);
    }

    private void live(LiveHandlers handlers) {
        routes.get("/overview", AdminAction.READ, handlers::overview);
        routes.get("/moves", AdminAction.READ, handlers::moves);
        routes.get("/nodes", AdminAction.READ, handlers::nodes);
        routes.get("/nodes/:node", AdminAction.READ, handlers::node);
        routes.get("/latency", AdminAction.READ, handlers::latency);
        routes.get("/hot", AdminAction.READ, handlers::hot);
        routes.get("/connections", AdminAction.READ, handlers::connections);
        routes.get("/dead-letters", AdminAction.READ, handlers::deadLetters);
        routes.get("/failures", AdminAction.READ, handlers::failures);
        routes.get("/silences", AdminAction.READ, handlers::silences);
        routes.getStream("/events", handlers::events, handlers::streamEvents);
        routes.getStream("/stream", null, handlers::streamOverview);
    }

    private void allocation(AllocationHandlers handlers) {
        routes.get(DESIRED_HOMES, AdminAction.READ, handlers::homes);
        routes.change(HttpMethod.PUT, DESIRED_HOMES, AdminAction.PLACE_SHARDS, LARGEST_HOMES, handlers::setHomes);
        change(HttpMethod.DELETE, DESIRED_HOMES, AdminAction.PLACE_SHARDS, handlers::clearAll);
        change(HttpMethod.PUT, DESIRED_HOME, AdminAction.PLACE_SHARDS, handlers::setHome);
        change(HttpMethod.DELETE, DESIRED_HOME, AdminAction.PLACE_SHARDS, handlers::clearHome);
    }

    private void daemons(DaemonHandlers handlers) {
        routes.get("/daemons", AdminAction.READ, handlers::daemons);
        routes.get("/singletons", AdminAction.READ, handlers::singletons);
        routes.get(DAEMON, AdminAction.READ, handlers::daemon);
        change(HttpMethod.PUT, DAEMON, AdminAction.RESCALE_WORKERS, handlers::rescale);
    }

    private void projections(ProjectionHandlers handlers) {
        routes.get("/projections", AdminAction.READ, handlers::projections);
        routes.get(PROJECTION, AdminAction.READ, handlers::projection);
        change(HttpMethod.PUT, PROJECTION + "/pause", AdminAction.STEER_PROJECTION, handlers::pause);
        change(HttpMethod.DELETE, PROJECTION + "/pause", AdminAction.STEER_PROJECTION, handlers::resume);
        change(HttpMethod.POST, PROJECTION + "/reset", AdminAction.STEER_PROJECTION, handlers::reset);
    }

    private void logLevels(LogLevelHandlers handlers) {
        routes.get("/log-levels", AdminAction.READ, handlers::levels);
        change(HttpMethod.PUT, LOG_LEVEL, AdminAction.SET_LOG_LEVEL, handlers::set);
        change(HttpMethod.DELETE, LOG_LEVEL, AdminAction.SET_LOG_LEVEL, handlers::reset);
    }

    private void aliased(HttpMethod method, String path, AdminAction action, AdminRoutes.Resource resource) {
        routes.changeAliased(method, path, action, LARGEST_BODY, resource);
    }

    private void change(HttpMethod method, String path, AdminAction action, AdminRoutes.Resource resource) {
        routes.change(method, path, action, LARGEST_BODY, resource);
    }

    /** Open to all clients, as probes carry no credentials and may use any name of the node. */
    private void health(HealthHandlers handlers) {
        routes.getOpen(
                "/health/live",
                request -> answerHealth(
                        request, handlers.live(request).map(reasons -> AdminViews.health(reasons, List.of()))));
        routes.getOpen(
                "/health/ready",
                request -> answerHealth(
                        request,
                        handlers.ready()
                                .compose(reasons ->
                                        handlers.warnings().map(warnings -> AdminViews.health(reasons, warnings)))));
    }

    private static void answerHealth(RoutingContext request, Future<JsonObject> health) {
        health.onComplete(
                found -> AdminRoutes.answer(request, AdminViews.isUp(found) ? 200 : 503, found), request::fail);
    }
}
