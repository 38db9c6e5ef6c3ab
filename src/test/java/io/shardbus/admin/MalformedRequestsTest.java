package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Each admin resource refuses what no client should send, in JSON, and logs no error for it. */
class MalformedRequestsTest {
    private static final String MOUNT = "/sharding";
    private static final EntityType<String> ECHO = EntityType.of("echo", String.class);
    /** In the place of a type, node, shard, id, name or logger, as they are written in a path. */
    private static final List<String> STRANGE = List.of(
            "%ff",
            "%00", "%20", "%0a", "%C3%BC", "-1", "1e3", "99999999999999999999", "%2e%2e", "x".repeat(1_500), "nix");

    private static final List<String> NO_BODY_OF_OURS = List.of(
            "{", "[]", "[{}]", "7", "\"x\"", "null", "{\"strange\":1}", "{\"to\":7}", "{\"enabled\":\"yes\"}", "\0");

    private static Vertx vertx;
    private static WebClient client;
    private static int port;
    private static LogLines log;

    private record Answer(int status, String type, String allow, String body) {}

    private static final class Echo implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }
    }

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        var sharding = ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));
        Await.result(sharding.start(EntityDefinition.of(ECHO, id -> new Echo())));
        Await.until(sharding::clusterState, sharding::isReady);
        var router = Router.router(vertx);
        router.route(MOUNT + "/*")
                .subRouter(AdminRouter.create(
                        vertx, sharding, new AdminOptions().setReadOnly(false).setStateInspection(true)));
        port = Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        client = WebClient.create(vertx);
        log = new LogLines(Logger.ROOT_LOGGER_NAME);
    }

    @AfterAll
    static void stop() {
        log.close();
        Await.result(vertx.close());
    }

    private static Answer send(String method, String uri, String body) {
        var response = Await.result(client.request(HttpMethod.valueOf(method), port, "127.0.0.1", uri)
                .putHeader("X-Shardbus-Request", "1")
                .putHeader("Content-Type", "text/plain")
                .sendBuffer(Buffer.buffer(body)));
        return new Answer(
                response.statusCode(),
                String.valueOf(response.getHeader("content-type")),
                response.getHeader("allow"),
                String.valueOf(response.bodyAsString()));
    }

    private static void assertRefusal(Answer answer, String request) {
        assertTrue(answer.status() >= 400 && answer.status() < 500, () -> request + ": " + answer);
        assertEquals("application/json", answer.type(), () -> request + ": " + answer);
        assertTrue(answer.body().startsWith("{"), () -> request + ": " + answer);
        var body = new JsonObject(answer.body());
        assertTrue(!body.getString("error").isEmpty(), request);
        assertTrue(body.getString("message").length() > 5, () -> request + ": " + answer);
    }

    private static void assertNoErrorLine() {
        assertEquals(List.of(), log.with("ERROR"));
    }

    private static String uri(OpenApi.Operation operation, String value) {
        return MOUNT + "/api/v1" + operation.path().replaceAll(":[a-z]+", value);
    }

    @Test
    void aQueryThatCannotBeDecodedIsRefusedByEachResource() {
        for (var operation : OpenApi.operations()) {
            for (var query : List.of("?a=%zz", "?after=%", "?limit=%f", "?%zz", "?a=1&kind=%C3%2")) {
                var request = operation.method() + " " + uri(operation, "1") + query;
                var answer = send(operation.method(), uri(operation, "1") + query, "{}");
                assertEquals(400, answer.status(), () -> request + ": " + answer);
                assertRefusal(answer, request);
                assertTrue(answer.body().contains("%25"), () -> request + " says what to write: " + answer);
            }
        }
        var mount = send("GET", MOUNT + "/?a=%zz", "");
        assertEquals(400, mount.status(), mount::toString);
        assertRefusal(mount, "the mount");
        assertNoErrorLine();
    }

    @Test
    void namesOfShardsAndNodesInAQueryAreRefusedWhereThereAreNone() {
        var entities = MOUNT + "/api/v1/types/echo/entities";
        var statuses = Map.of("?shard=x", 400, "?shard=", 400, "?shard=100", 404, "?node=", 400, "?node=none", 404);
        statuses.forEach((query, status) -> {
            var answer = send("GET", entities + query, "");
            assertEquals(status, answer.status(), () -> query + ": " + answer);
            assertRefusal(answer, query);
        });
        assertEquals(200, send("GET", entities + "?shard=07", "").status());
    }

    @Test
    void keysThatABodyDoesNotHaveAreRefused() {
        var api = MOUNT + "/api/v1/";
        assertRefusal(send("PUT", api + "rebalancing", "{\"enabled\":false,\"type\":\"echo\"}"), "rebalancing");
        var levels = api + "log-levels/io.shardbus";
        assertRefusal(send("PUT", levels, "{\"level\":\"info\",\"minutes\":1,\"seconds\":1}"), "log-levels");
    }

    @Test
    void aFileThatThePageDoesNotHaveIsNotFound() {
        for (var file : List.of("/ui/1/none.js", "/ui/1/views/none.js", "/ui/1/%2e%2e%2findex.html")) {
            var answer = send("GET", MOUNT + file, "");
            assertEquals(404, answer.status(), () -> file + ": " + answer);
            assertRefusal(answer, file);
        }
    }

    @Test
    void strangeNamesInAPathAreRefused() {
        var named = OpenApi.operations().stream()
                .filter(operation -> operation.path().contains(":"))
                .toList();
        for (var operation : named) {
            for (var strange : STRANGE) {
                assertStrangeName(operation, strange);
            }
        }
        assertNoErrorLine();
    }

    private void assertStrangeName(OpenApi.Operation operation, String strange) {
        var request = operation.method() + " " + uri(operation, strange);
        var answer = send(operation.method(), uri(operation, strange), "{}");
        if (operation.reads() && operation.path().endsWith("/desired-homes") && strange.matches("[a-z0-9-]{1,64}")) {
            // the name of a type that was never started, which has no desired homes
            assertEquals(200, answer.status(), () -> request + ": " + answer);
        } else {
            assertRefusal(answer, request);
        }
    }

    @Test
    void strangeValuesInAQueryAreRefused() {
        var refused = new ArrayList<String>();
        for (var uri : List.of(
                "/events?after=nix",
                "/events?after=%00",
                "/events?limit=0",
                "/events?limit=",
                "/events?limit=99999999999999999999",
                "/events?kind=nix",
                "/types/echo/entities?limit=-1",
                "/types/echo/entities?after=nix",
                "/types/echo/entities?after=99999999999:x",
                "/types/echo/plan",
                "/types/echo/plan?action=nix",
                "/types/echo/plan?action=drain",
                "/types/echo/plan?action=drain&node=",
                "/types/echo/plan?action=drain&node=%20")) {
            var answer = send("GET", MOUNT + "/api/v1" + uri, "");
            assertRefusal(answer, uri);
            assertEquals(400, answer.status(), () -> uri + ": " + answer);
            refused.add(uri);
        }
        assertEquals(14, refused.size());
        assertNoErrorLine();
    }

    @Test
    void aBodyOfAnotherShapeIsRefused() {
        for (var path : List.of(
                "PUT /rebalancing",
                "PUT /types/echo/rebalancing",
                "POST /types/echo/shards/3/move",
                "POST /types/echo/move",
                "PUT /types/echo/shards/3/pin",
                "POST /types/echo/passivation",
                "PUT /types/echo/desired-homes",
                "PUT /types/echo/shards/3/desired-home",
                "PUT /log-levels/io.shardbus")) {
            var method = path.substring(0, path.indexOf(' '));
            var uri = MOUNT + "/api/v1" + path.substring(path.indexOf(' ') + 1);
            for (var body : NO_BODY_OF_OURS) {
                var answer = send(method, uri, body);
                assertRefusal(answer, path + " " + body);
                assertEquals(400, answer.status(), () -> path + " " + body + ": " + answer);
            }
            var large = send(method, uri, "[" + "7,".repeat(5_000_000) + "7]");
            assertRefusal(large, path + " with 10 MB");
            assertEquals(413, large.status(), () -> path + ": " + large);
        }
        assertNoErrorLine();
    }

    @Test
    void anotherMethodIsRefusedWithThoseThatThereAre() {
        for (var operation : OpenApi.operations()) {
            for (var method : List.of("PATCH", "OPTIONS", "TRACE", "PROPFIND")) {
                var request = method + " " + uri(operation, "1");
                var answer = send(method, uri(operation, "1"), "");
                assertEquals(405, answer.status(), () -> request + ": " + answer);
                assertRefusal(answer, request);
                assertNotNull(answer.allow(), request);
                assertTrue(answer.allow().contains(operation.method()), () -> request + ": " + answer);
            }
        }
        assertNoErrorLine();
    }
}
