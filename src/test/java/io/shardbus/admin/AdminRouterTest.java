package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.model.ShardHash;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin resources over HTTP, on a node that is alone. */
class AdminRouterTest {
    private static final EntityType<String> ECHO = EntityType.of("echo", String.class);
    private static final EntityType<String> REMOTE = EntityType.of("remote", String.class);
    private static final String ID = "a b/ü";
    private static final int SHARDS = 12;

    private static Vertx vertx;
    private static ClusterSharding sharding;
    private static WebClient client;
    private static int port;

    /** Answers with what it gets. */
    private static final class Echo implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }
    }

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        sharding = ClusterSharding.create(
                vertx,
                new ShardingOptions().addRole("host").setAppVersion("1.2.3").setAwaitPredecessorLeases(false));
        var echo = Await.result(sharding.start(EntityDefinition.of(ECHO, id -> new Echo())
                .withNumberOfShards(SHARDS)
                .withPassivation(new PassivationOptions()
                        .setStrategy("least-recently-used")
                        .setActiveEntityLimit(1000))));
        Await.result(sharding.start(EntityDefinition.of(REMOTE, id -> new Echo())
                .withRole("another")
                .withPassivation(new PassivationOptions().setStrategy("none"))));
        Await.result(echo.entityRef(ID).request("hello", String.class, Duration.ofSeconds(20)));
        Await.until(sharding::clusterState, sharding::isReady);
        var router = Router.router(vertx);
        router.route("/sharding/*")
                .subRouter(AdminRouter.create(vertx, sharding, new AdminOptions().setReadOnly(false)));
        port = Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        client = WebClient.create(vertx);
    }

    @AfterAll
    static void stop() {
        Await.result(vertx.close());
    }

    @Test
    void showsTheCluster() {
        var cluster = get("/api/cluster");
        var self = sharding.self().value();
        assertEquals(
                Set.of("self", "coordinator", "term", "available", "stopping", "clock", "nodes"), cluster.fieldNames());
        assertEquals(self, cluster.getString("self"));
        assertEquals(self, cluster.getString("coordinator"));
        assertTrue(cluster.getBoolean("available"));
        assertTrue(cluster.getLong("term") > 0);
        assertEquals(
                JsonArray.of(new JsonObject()
                        .put("id", self)
                        .put("roles", JsonArray.of("host"))
                        .put("mayCoordinate", true)
                        .put("appVersion", "1.2.3")
                        .put("drained", false)),
                cluster.getJsonArray("nodes"));
    }

    @Test
    void listsTheTypesThatWereStartedHere() {
        assertEquals(
                new JsonObject()
                        .put(
                                "types",
                                JsonArray.of(
                                        new JsonObject()
                                                .put("name", "echo")
                                                .put("numberOfShards", SHARDS)
                                                .put("proxy", false)
                                                .put("persistent", false),
                                        new JsonObject()
                                                .put("name", "remote")
                                                .put("numberOfShards", 100)
                                                .put("proxy", true)
                                                .put("persistent", false))),
                get("/api/types"));
    }

    @Test
    void showsATypeWithItsShardsAndRegions() {
        var type = get("/api/types/echo");
        assertEquals(
                Set.of("type", "numberOfShards", "shards", "regions", "handoffs", "statesLost", "failed"),
                type.fieldNames());
        var shard = type.getJsonArray("shards").getJsonObject(0);
        assertEquals(ShardHash.shard(ID, SHARDS), shard.getInteger("shard"));
        assertEquals(sharding.self().value(), shard.getString("home"));
        assertEquals("active", shard.getString("state"));
        assertEquals(1, shard.getInteger("entities"));
        assertEquals(1, shard.getInteger("live"));
        assertEquals(0, shard.getInteger("passivated"));
        assertEquals(0, shard.getInteger("remembered"));
        assertEquals(0, shard.getInteger("restarting"));
        assertEquals(1, shard.getInteger("messages"));
        assertTrue(shard.getLong("busyMicros") >= 0, shard::encode);
        var inOverview = get("/api/v1/overview")
                .getJsonObject("types")
                .getJsonObject("echo")
                .getJsonObject("shards")
                .getJsonObject("" + shard.getInteger("shard"));
        assertEquals(shard.getLong("busyMicros"), inOverview.getLong("busyMicros"));
        assertEquals(
                Set.of("term", "incarnation", "sequence"),
                shard.getJsonObject("token").fieldNames());
        var at = sharding.locate("echo", ID)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        assertEquals(
                Long.toString(at.orElseThrow().token().incarnation()),
                shard.getJsonObject("token").getString("incarnation"));
        var region = type.getJsonArray("regions").getJsonObject(0);
        assertEquals(
                Set.of(
                        "node",
                        "proxy",
                        "leaving",
                        "shards",
                        "entities",
                        "live",
                        "passivated",
                        "remembered",
                        "restarting",
                        "buffered",
                        "counters"),
                region.fieldNames());
        assertEquals(1, region.getInteger("live"));
        assertEquals(0, region.getInteger("passivated"));
        assertEquals(1, region.getInteger("shards"));
        assertEquals(1, region.getInteger("entities"));
        assertEquals(new JsonArray(), type.getJsonArray("handoffs"));
        assertEquals(new JsonArray(), type.getJsonArray("failed"));
    }

    @Test
    void listsTheEntitiesOfAShard() {
        int shard = ShardHash.shard(ID, SHARDS);
        assertEquals(
                new JsonObject().put("type", "echo").put("shard", shard).put("entities", JsonArray.of(ID)),
                get("/api/types/echo/shards/" + shard));
        assertEquals(
                new JsonArray(),
                get("/api/types/echo/shards/" + (shard + 1) % SHARDS).getJsonArray("entities"));
    }

    @Test
    void findsAnEntity() {
        var found = get("/api/types/echo/entities/a%20b%2F%C3%BC");
        assertEquals(Set.of("type", "id", "node", "shard", "token", "live"), found.fieldNames());
        assertEquals(ID, found.getString("id"));
        assertEquals(sharding.self().value(), found.getString("node"));
        assertTrue(found.getBoolean("live"));
    }

    @Test
    void saysThatAnEntityIsNowhere() {
        var nowhere = get("/api/types/remote/entities/x");
        assertEquals(null, nowhere.getString("node"));
        assertEquals(false, nowhere.getBoolean("live"));
    }

    @Test
    void isHealthy() {
        assertEquals("UP", get("/health/live").getString("status"));
        assertEquals(new JsonObject().put("status", "UP").put("reasons", new JsonArray()), get("/health/ready"));
    }

    @Test
    void rebalances() {
        assertEquals(
                new JsonObject().put("handoffs", 0), json(send(HttpMethod.POST, "/api/types/echo/rebalance"), 200));
    }

    private static boolean isDrained() {
        return get("/api/cluster").getJsonArray("nodes").getJsonObject(0).getBoolean("drained");
    }

    @Test
    void drainsAndTakesItBack() {
        var drain = "/api/nodes/" + sharding.self() + "/drain";
        assertEquals(new JsonObject().put("handoffs", 1), json(send(HttpMethod.POST, drain), 200));
        assertTrue(isDrained());
        assertEquals(new JsonObject().put("shards", 1).put("changed", true), json(send(HttpMethod.DELETE, drain), 200));
        assertFalse(isDrained());
        assertEquals(
                new JsonObject().put("shards", 1).put("changed", false), json(send(HttpMethod.DELETE, drain), 200));
    }

    @Test
    @DisplayName("PASS-01 the effective strategy is shown; a limit can be changed where there is one")
    void showsAndChangesThePassivation() {
        assertEquals("none", get("/api/types/remote/passivation").getString("strategy"));
        var echo = get("/api/types/echo/passivation");
        assertEquals("least-recently-used", echo.getString("strategy"));
        assertEquals(1000, echo.getInteger("activeEntityLimit"));
        var changed = json(post("/api/types/echo/passivation", "{\"limit\":500}"), 200);
        assertEquals(500, changed.getInteger("activeEntityLimit"));
        assertEquals(1000, changed.getInteger("configuredLimit"));
        assertEquals(changed, get("/api/types/echo/passivation"));
        assertEquals(echo, json(send(HttpMethod.DELETE, "/api/v1/types/echo/passivation"), 200));
        assertEquals(echo, get("/api/types/echo/passivation"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            echo | {"limit":0} | must be a whole number in 1..10000000
            echo | {"limit":"5"} | the body must be {"limit": a whole number}
            echo | {"limit":5,"more":1} | the body must be {"limit": a whole number}
            echo | {"limit | the body is no JSON
            echo | [5] | the body must be {"limit": a whole number}
            echo | 5 | the body must be {"limit": a whole number}
            echo | '"5"' | the body must be {"limit": a whole number}
            echo | null | the body must be {"limit": a whole number}
            echo | '' | the body must be {"limit": a whole number}
            """)
    void refusesALimit(String type, String body, String message) {
        var refusal = json(post("/api/types/" + type + "/passivation", body), 400);
        assertTrue(refusal.getString("message").contains(message), refusal.encode());
    }

    @Test
    void refusesALimitWhereNoneApplies() {
        assertFalse(get("/api/types/remote/passivation").containsKey("configuredLimit"));
        for (var answer : List.of(
                post("/api/types/remote/passivation", "{\"limit\":5}"),
                send(HttpMethod.DELETE, "/api/v1/types/remote/passivation"))) {
            var refusal = json(answer, 409);
            assertTrue(
                    refusal.getString("message")
                            .contains("the passivation strategy 'none' keeps no limit of active entities"),
                    refusal.encode());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | types/nix/plan?action=rebalance        | | UNKNOWN_TYPE
            GET    | types/nix/shards/3/why                 | | UNKNOWN_TYPE
            GET    | types/nix/entities                     | | UNKNOWN_TYPE
            POST   | types/nix/shards/3/move                | {} | UNKNOWN_TYPE
            PUT    | types/nix/rebalancing                  | {"enabled":false} | UNKNOWN_TYPE
            GET    | types/echo/plan?action=drain&node=nix  | | UNKNOWN_NODE
            GET    | types/echo/plan?action=leave&node=nix  | | UNKNOWN_NODE
            POST   | types/echo/shards/3/move               | {"to":"nix"} | UNKNOWN_NODE
            POST   | types/nix/move                         | {"shards":[3,4]} | UNKNOWN_TYPE
            POST   | types/echo/move                        | {"shards":[3,4],"to":"nix"} | UNKNOWN_NODE
            POST   | types/echo/move                        | {"shards":[999]} | UNKNOWN_SHARD
            PUT    | types/echo/shards/3/pin                | {"node":"nix"} | UNKNOWN_NODE
            PUT    | nodes/nix/cordon                       | | UNKNOWN_NODE
            DELETE | nodes/nix/cordon                       | | UNKNOWN_NODE
            POST   | nodes/nix/drain                        | | UNKNOWN_NODE
            DELETE | nodes/nix/drain                        | | UNKNOWN_NODE
            GET    | types/echo/shards/999/why              | | UNKNOWN_SHARD
            POST   | types/echo/shards/999/move             | {} | UNKNOWN_SHARD
            DELETE | types/echo/shards/999/pin              | | UNKNOWN_SHARD
            """)
    void namesWhatIsNotThere(String method, String path, @Nullable String body, String code) {
        var response =
                Await.result(client.request(HttpMethod.valueOf(method), port, "127.0.0.1", "/sharding/api/v1/" + path)
                        .putHeader("X-Shardbus-Request", "1")
                        .sendBuffer(Buffer.buffer(body == null ? "" : body)));
        assertEquals(code, json(response, 404).getString("error"), path);
    }

    private static HttpResponse<Buffer> post(String path, String body) {
        return Await.result(client.request(HttpMethod.POST, port, "127.0.0.1", "/sharding" + path)
                .putHeader("X-Shardbus-Request", "1")
                .sendBuffer(Buffer.buffer(body)));
    }

    @Test
    void listsItsResources() {
        assertTrue(get("/").getJsonArray("resources").contains("api/cluster"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/types/unknown, 404, NOT_FOUND",
        "GET, /api/types/unknown/shards/1, 404, NOT_FOUND",
        "GET, /api/types/unknown/entities/x, 404, NOT_FOUND",
        "POST, /api/types/unknown/rebalance, 404, NOT_FOUND",
        "POST, /api/nodes/unknown/drain, 404, UNKNOWN_NODE",
        "DELETE, /api/nodes/unknown/drain, 404, UNKNOWN_NODE",
        "GET, /api/types/unknown/passivation, 404, NOT_FOUND",
        "POST, /api/types/unknown/passivation, 404, NOT_FOUND",
        "DELETE, /api/types/echo/passivation, 405, METHOD_NOT_ALLOWED",
        "GET, /api/nothing, 404, NOT_FOUND",
        "GET, /api/types/echo/shards/twelve, 400, BAD_REQUEST",
        "GET, /api/types/echo/shards/-1, 400, BAD_REQUEST",
        "GET, /api/types/echo/shards/12, 404, NOT_FOUND",
        "POST, /api/cluster, 405, METHOD_NOT_ALLOWED",
        "GET, /api/types/echo/rebalance, 405, METHOD_NOT_ALLOWED",
        "DELETE, /health/ready, 405, METHOD_NOT_ALLOWED"
    })
    void refusesInJson(String method, String path, int status, String error) {
        var refusal = json(send(HttpMethod.valueOf(method), path), status);
        assertEquals(error, refusal.getString("error"));
        assertTrue(refusal.getString("message").length() > 5);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DELETE | /api/types/echo/passivation | GET, HEAD, POST
            HEAD | /api/types/echo/rebalance | POST
            GET | /api/nodes/any/drain | DELETE, POST
            POST | /api/cluster | GET, HEAD
            POST | /health/live | GET, HEAD
            """)
    void namesAllMethodsOfAResource(String method, String path, String allowed) {
        assertEquals(allowed, send(HttpMethod.valueOf(method), path).getHeader("allow"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/cluster", "/api/types/echo/passivation", "/health/live", "/health/ready"})
    void answersHeadAsGetWithoutABody(String path) {
        var head = send(HttpMethod.HEAD, path);
        assertEquals(200, head.statusCode());
        assertEquals("application/json", head.getHeader("content-type"));
        assertEquals(send(HttpMethod.GET, path).getHeader("content-length"), head.getHeader("content-length"));
        assertEquals(null, head.body());
    }

    @Test
    void refusesAnIdThatIsTooLong() {
        var path = "/api/types/echo/entities/" + "x".repeat(1025);
        assertEquals("INVALID_ID", json(send(HttpMethod.GET, path), 400).getString("error"));
    }

    private static JsonObject get(String path) {
        return json(send(HttpMethod.GET, path), 200);
    }

    private static HttpResponse<Buffer> send(HttpMethod method, String path) {
        return Await.result(client.request(method, port, "127.0.0.1", "/sharding" + path)
                .putHeader("X-Shardbus-Request", "1")
                .send());
    }

    private static JsonObject json(HttpResponse<Buffer> response, int status) {
        assertEquals(status, response.statusCode(), response::bodyAsString);
        assertEquals("application/json", response.getHeader("content-type"));
        return response.bodyAsJsonObject();
    }
}
