package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.User;
import io.vertx.ext.auth.authentication.UsernamePasswordCredentials;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.handler.BasicAuthHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the admin resources refuse to whom: under the versioned paths and under the old ones alike. */
class AdminGuardTest {
    private static final List<String> CHANGES = List.of(
            "POST /api/v1/nodes/SELF/drain",
            "DELETE /api/v1/nodes/SELF/drain",
            "POST /api/v1/types/echo/rebalance",
            "POST /api/v1/types/echo/passivation",
            "DELETE /api/v1/types/echo/passivation",
            "PUT /api/v1/types/echo/desired-homes",
            "DELETE /api/v1/types/echo/desired-homes",
            "PUT /api/v1/types/echo/shards/1/desired-home",
            "DELETE /api/v1/types/echo/shards/1/desired-home",
            "PUT /api/v1/nodes/SELF/cordon",
            "DELETE /api/v1/nodes/SELF/cordon",
            "PUT /api/v1/rebalancing",
            "PUT /api/v1/log-levels/io.shardbus",
            "DELETE /api/v1/log-levels/io.shardbus",
            "PUT /api/v1/types/echo/rebalancing",
            "POST /api/v1/types/echo/shards/1/move",
            "POST /api/v1/types/echo/move",
            "PUT /api/v1/types/echo/shards/1/pin",
            "DELETE /api/v1/types/echo/shards/1/pin",
            "POST /api/v1/prepare-for-shutdown",
            "DELETE /api/v1/prepare-for-shutdown",
            "PUT /api/v1/daemons/any",
            "PUT /api/v1/projections/any/pause",
            "DELETE /api/v1/projections/any/pause",
            "POST /api/v1/projections/any/reset",
            "POST /api/v1/types/echo/entities/x/passivate",
            "POST /api/v1/types/echo/entities/x/restart",
            "POST /api/v1/types/echo/entities/x/forget",
            "POST /api/v1/types/echo/entities/x/erase",
            "POST /api/nodes/SELF/drain",
            "DELETE /api/nodes/SELF/drain",
            "POST /api/types/echo/rebalance",
            "POST /api/types/echo/passivation");

    private static final List<String> ASKED = new CopyOnWriteArrayList<>();
    private static Vertx vertx;
    private static ClusterSharding sharding;
    private static WebClient client;
    private static int port;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        sharding = ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));
        Await.result(sharding.start(EntityDefinition.of(
                EntityType.of("echo", String.class), id -> (message, context) -> Future.succeededFuture())));
        Await.until(sharding::clusterState, sharding::isReady);
        var writable = new AdminOptions().setReadOnly(false);
        var router = Router.router(vertx);
        router.route("/closed/*").subRouter(AdminRouter.create(vertx, sharding));
        router.route("/open/*").subRouter(AdminRouter.create(vertx, sharding, writable));
        router.route("/named/*")
                .subRouter(AdminRouter.create(vertx, sharding, new AdminOptions().setAllowedHosts(Set.of("Ops.Test"))));
        router.route("/authorized/*")
                .handler(BasicAuthHandler.create(credentials -> Future.succeededFuture(
                        User.fromName(((UsernamePasswordCredentials) credentials).getUsername()))));
        router.route("/authorized/*").subRouter(AdminRouter.create(vertx, sharding, (request, action) -> {
            String user = request.user().principal().getString("username");
            ASKED.add(user + " " + action);
            return user.equals("broken")
                    ? Future.failedFuture("no answer")
                    : vertx.timer(1).map(fired -> action == AdminAction.READ || user.equals("ann"));
        }));
        port = Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        client = WebClient.create(vertx);
    }

    @AfterAll
    static void stop() {
        Await.result(vertx.close());
    }

    private static HttpResponse<Buffer> send(String mount, String request, String... headers) {
        var parts = request.replace("SELF", sharding.self().value()).split(" ", 2);
        var sent = client.request(HttpMethod.valueOf(parts[0]), port, "127.0.0.1", mount + parts[1]);
        for (int i = 0; i < headers.length; i += 2) {
            if (headers[i].equals("host")) {
                sent.virtualHost(headers[i + 1]);
            } else if (headers[i].equals("user")) {
                sent.basicAuthentication(headers[i + 1], "secret");
            } else {
                sent.putHeader(headers[i], headers[i + 1]);
            }
        }
        return Await.result(sent.sendJsonObject(new JsonObject()));
    }

    private static void assertForbidden(HttpResponse<Buffer> answer, String reason) {
        assertEquals(403, answer.statusCode(), answer::bodyAsString);
        assertEquals("FORBIDDEN", answer.bodyAsJsonObject().getString("error"));
        assertTrue(answer.bodyAsJsonObject().getString("message").contains(reason), answer::bodyAsString);
    }

    @Test
    void refusesEachChangeWithoutTheHeader() {
        for (String change : CHANGES) {
            assertForbidden(send("/open", change), "X-Shardbus-Request");
        }
    }

    @Test
    void refusesEachChangeWhereOnlyReadingIsAllowed() {
        for (String change : CHANGES) {
            assertForbidden(send("/closed", change, "X-Shardbus-Request", "1"), "read-only");
        }
    }

    @Test
    void coversEveryResourceThatChangesSomething() {
        var routes = new AdminRoutes(Router.router(vertx), new AdminGuard(new AdminOptions(), null));
        AdminRouter.register(routes, vertx, sharding, false);
        var changes = new ArrayList<String>();
        routes.methods()
                .forEach((path, methods) -> methods.stream()
                        .filter(method -> !Set.of("GET", "HEAD").contains(method))
                        .forEach(method -> changes.add(method + " " + path)));
        var covered = CHANGES.stream()
                .map(change -> change.replace("SELF", ":node")
                        .replace("/echo", "/:type")
                        .replace("/log-levels/io.shardbus", "/log-levels/:logger")
                        .replace("/shards/1", "/shards/:shard")
                        .replace("/entities/x", "/entities/:id")
                        .replace("/any", "/:name"))
                .toList();
        assertEquals(Set.copyOf(covered), Set.copyOf(changes));
    }

    @ParameterizedTest
    @CsvSource({
        "/closed, evil.example,      403",
        "/closed, 127.0.0.1.evil.example, 403",
        "/closed, localhost,         200",
        "/closed, demo.localhost,    200",
        "/closed, 192.0.2.7,         200",
        "/closed, '[::1]',      200",
        "/closed, ops.test,          403",
        "/named,  ops.test,          200",
        "/named,  OPS.test,          200",
        "/named,  other.test,        403"
    })
    void answersToItsOwnNamesOnly(String mount, String host, int status) {
        for (String path : List.of("/api/v1/cluster", "/api/cluster", "/api/v1/types/echo")) {
            assertEquals(status, send(mount, "GET " + path, "host", host).statusCode(), path);
        }
        assertEquals(200, send(mount, "GET /health/ready", "host", host).statusCode());
    }

    @Test
    void theAuthorizerDecidesAboutWhatTheOptionsAllow() {
        ASKED.clear();
        var rebalance = "POST /api/v1/types/echo/rebalance";
        assertForbidden(send("/authorized", rebalance, "X-Shardbus-Request", "1", "user", "bob"), "REBALANCE");
        assertEquals(
                200,
                send("/authorized", rebalance, "X-Shardbus-Request", "1", "user", "ann")
                        .statusCode());
        assertEquals(
                200, send("/authorized", "GET /api/v1/cluster", "user", "bob").statusCode());
        assertEquals(
                500,
                send("/authorized", "GET /api/v1/cluster", "user", "broken").statusCode());
        assertEquals(
                200, send("/authorized", "GET /health/ready", "user", "broken").statusCode());
        assertForbidden(send("/authorized", rebalance, "user", "ann"), "X-Shardbus-Request");
        assertEquals(List.of("bob REBALANCE", "ann REBALANCE", "bob READ", "broken READ"), ASKED);
    }

    @Test
    void theBodyIsReadAfterTheAuthorizerHasDecided() {
        var refusal = send("/authorized", "POST /api/passivation", "user", "ann");
        assertEquals(404, refusal.statusCode());
        var limit = send("/authorized", "POST /api/types/echo/passivation", "X-Shardbus-Request", "1", "user", "ann");
        assertEquals(400, limit.statusCode(), limit::bodyAsString);
        assertTrue(limit.bodyAsString().contains("the body must be"), limit::bodyAsString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/v1/cluster", "/api/nothing", "/health/live"})
    void tellsBrowsersToRunNothingOfOthers(String path) {
        var answer = send("/closed", "GET " + path);
        assertTrue(answer.getHeader("content-security-policy").startsWith("default-src 'self'"));
        assertEquals("nosniff", answer.getHeader("x-content-type-options"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ops.example.org:8080", "https://ops.example.org", "ops.example.org/sharding", "a b", "u@a"})
    void aHostThatNoRequestCanNameIsRefused(String host) {
        var options = new AdminOptions();
        assertThrows(IllegalArgumentException.class, () -> options.setAllowedHosts(Set.of(host)));
        assertEquals(
                Set.of("::1", "*"), options.setAllowedHosts(Set.of("::1", "*")).getAllowedHosts());
    }
}
