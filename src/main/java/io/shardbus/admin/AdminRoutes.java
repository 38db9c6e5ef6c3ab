package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the admin resources: each with its guard, all answers as JSON. Paths below {@link #API} also exist
 * without the version where they are registered as aliased.
 */
final class AdminRoutes {
    static final String API = "/api/v1";
    private static final String ALIAS = "/api";
    /** A longer answer is compressed for a client that takes it. */
    private static final int LARGEST_PLAIN = 4_096;

    private static final long ZIP_TIMEOUT_MS = 500;

    private static final String EVENT_STREAM = "text/event-stream";

    /** Answers a request. */
    @FunctionalInterface
    interface Resource extends Function<RoutingContext, Future<JsonObject>> {}

    private final Router router;
    private final AdminGuard guard;
    private final Map<String, Set<String>> methods = new LinkedHashMap<>();

    AdminRoutes(Router router, AdminGuard guard) {
        this.router = router;
        this.guard = guard;
        router.route().handler(AdminGuard::protect).handler(AdminRoutes::requireQuery);
    }

    /** Refuses a query that cannot be decoded, before a route with parameters in its path throws on it. */
    private static void requireQuery(RoutingContext request) {
        String refusal = null;
        try {
            request.request().params();
        } catch (IllegalArgumentException e) {
            refusal = "the query cannot be decoded: " + e.getMessage() + "; write %25 for a percent sign";
        }
        if (refusal == null) {
            request.next();
        } else {
            answer(request, HttpFailure.badRequest(refusal));
        }
    }

    /** A resource that is read below the version. */
    void get(String path, AdminAction action, Resource resource) {
        onRead(API + path, guard.reading(action));
        onRead(API + path, request -> answer(request, resource.apply(request)));
    }

    /** A resource that is read below the version, and where it was before there were versions. */
    void getAliased(String path, AdminAction action, Resource resource) {
        get(path, action, resource);
        getFormer(path, action, resource);
    }

    /** A resource that can also be read at its path of the first releases, with fewer fields. */
    void getFormer(String path, AdminAction action, Resource resource) {
        onRead(ALIAS + path, guard.reading(action));
        onRead(ALIAS + path, request -> answer(request, resource.apply(request)));
    }

    /** The state of an entity, which the options must allow. */
    void getState(String path, Resource resource) {
        onRead(API + path, guard.inspecting());
        onRead(API + path, request -> answer(request, resource.apply(request)));
    }

    /** A resource that changes something: what is not allowed is refused before its body is read. */
    void change(HttpMethod method, String path, AdminAction action, int largestBody, Resource resource) {
        changeAt(API + path, method, action, largestBody, resource);
    }

    /** As {@link #change}, also at the path of the first releases, which has no version. */
    void changeAliased(HttpMethod method, String path, AdminAction action, int largestBody, Resource resource) {
        change(method, path, action, largestBody, resource);
        changeAt(ALIAS + path, method, action, largestBody, resource);
    }

    private void changeAt(String path, HttpMethod method, AdminAction action, int largestBody, Resource resource) {
        on(method, path, guard.changing(action));
        on(method, path, BodyHandler.create(false).setBodyLimit(largestBody));
        on(method, path, request -> answer(request, resource.apply(request)));
    }

    /**
     * A resource that is read below the version: as a stream by clients that accept one, else as JSON.
     *
     * @param resource null where there is a stream only
     */
    void getStream(String path, @Nullable Resource resource, Handler<RoutingContext> stream) {
        Handler<RoutingContext> handler = request -> {
            boolean streams = resource == null || AcceptedTypes.prefers(request, EVENT_STREAM);
            if (streams && HttpMethod.GET.equals(request.request().method())) {
                stream.handle(request);
            } else if (resource != null) {
                answer(request, resource.apply(request));
            } else {
                request.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, EVENT_STREAM)
                        .end();
            }
        };
        onRead(API + path, guard.reading(AdminAction.READ));
        onRead(API + path, handler);
    }

    /** A resource at the mount itself that any client may read. */
    void getOpen(String path, Handler<RoutingContext> handler) {
        onRead(path, handler);
    }

    /** The mount itself, with or without the slash at its end, which any client may read. */
    void getMount(Handler<RoutingContext> handler) {
        onRead("/", handler);
        for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.HEAD)) {
            router.route().method(method).handler(request -> {
                if (isMount(request)) {
                    handler.handle(request);
                } else {
                    request.next();
                }
            });
        }
    }

    /** Whether the path is that of the mount without its slash. */
    private static boolean isMount(RoutingContext request) {
        String mount = request.mountPoint();
        String path = request.normalizedPath();
        return mount != null && !path.endsWith("/") && (path.equals(mount) || mount.equals(path + "/"));
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
    Router finish() {
        methods.forEach((path, allowed) ->
                router.route(path).handler(request -> answerMethodNotAllowed(request, String.join(", ", allowed))));
        router.route().handler(AdminRoutes::answerNotFound).failureHandler(AdminRoutes::answerFailure);
        return router;
    }

    /** Each path with its methods, as registered. */
    Map<String, Set<String>> methods() {
        return methods;
    }

    /**
     * Records an action when it has ended, with its outcome and the name of the user that an authentication handler has
     * found.
     */
    static <T> Future<T> recorded(
            ClusterSharding sharding,
            RoutingContext request,
            String action,
            String subject,
            Map<String, Object> details,
            Future<T> done) {
        var user = request.user();
        return done.onComplete(ended -> {
            Map<String, Object> all = new HashMap<>(details);
            all.put("outcome", outcome(ended.cause()));
            if (ended.failed()) {
                all.put("reason", String.valueOf(ended.cause().getMessage()));
            }
            sharding.operations().recordAction(action, user == null ? null : user.subject(), subject, all);
        });
    }

    /** @return unknown where the action may have been carried out, or be so later, as after a timeout */
    static String outcome(@Nullable Throwable failure) {
        if (failure == null) {
            return "done";
        }
        var answered = failure instanceof RefusedRequest refused ? refused.failure() : HttpFailure.of(failure);
        return answered.status() < 500 ? "refused" : "unknown";
    }

    private static void answer(RoutingContext request, Future<JsonObject> result) {
        result.onComplete(json -> answer(request, 200, json), request::fail);
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
    static void answer(RoutingContext request, int status, JsonObject body) {
        if (request.response().ended()) {
            // a handler before this one, as one that watches the time, has answered
            return;
        }
        var bytes = body.toBuffer();
        if (bytes.length() <= LARGEST_PLAIN) {
            answer(request, status, bytes);
            return;
        }
        request.response().headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
        if (Zip.isTaken(request)) {
            // where the application's code holds all worker threads, the answer goes out as it is
            request.vertx()
                    .executeBlocking(() -> Zip.of(bytes), false)
                    .timeout(ZIP_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .onComplete(
                            zipped -> answerZipped(request, status, zipped), late -> answer(request, status, bytes));
        } else {
            answer(request, status, bytes);
        }
    }

    private static void answerZipped(RoutingContext request, int status, Buffer zipped) {
        if (!request.response().ended()) {
            request.response().putHeader(HttpHeaders.CONTENT_ENCODING, Zip.NAME);
            answer(request, status, zipped);
        }
    }

    private static void answer(RoutingContext request, int status, Buffer bytes) {
        if (request.response().ended()) {
            return;
        }
        request.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length()))
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(bytes);
    }
}
