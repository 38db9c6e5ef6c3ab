package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The desired homes of shards over HTTP: read by all, written where that is allowed. */
class DesiredHomesAdminTest {
    private static final String HOMES = "/api/v1/types/echo/desired-homes";
    private static final String HOME = "/api/v1/types/echo/shards/3/desired-home";

    private static Vertx vertx;
    private static ClusterSharding sharding;
    private static WebClient client;
    private static int port;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        sharding = ClusterSharding.create(vertx, new ShardingOptions().setAllocationStrategy("external"));
        Await.result(sharding.start(EntityDefinition.of(
                        EntityType.of("echo", String.class), id -> (message, context) -> Future.succeededFuture())
                .withNumberOfShards(12)));
        Await.result(sharding.start(EntityDefinition.of(
                        EntityType.of("evened", String.class), id -> (message, context) -> Future.succeededFuture())
                .withAllocation(ShardingOptions.LEAST_SHARDS)));
        var router = Router.router(vertx);
        router.route("/open/*").subRouter(AdminRouter.create(vertx, sharding, new AdminOptions().setReadOnly(false)));
        router.route("/closed/*").subRouter(AdminRouter.create(vertx, sharding));
        var server =
                Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
        port = server.actualPort();
        client = WebClient.create(vertx);
    }

    @AfterAll
    static void stop() {
        Await.result(vertx.close());
    }

    @BeforeEach
    void clear() {
        Await.result(sharding.externalAllocation("echo").clearAll());
    }

    private static HttpResponse<Buffer> send(HttpMethod method, String path, String body, boolean header) {
        var request = client.request(method, port, "127.0.0.1", path);
        if (header) {
            request.putHeader("X-Shardbus-Request", "1");
        }
        return Await.result(request.sendBuffer(Buffer.buffer(body)));
    }

    private static JsonObject homes() {
        return json(send(HttpMethod.GET, "/closed" + HOMES, "", false), 200).getJsonObject("homes");
    }

    private static JsonObject json(HttpResponse<Buffer> response, int status) {
        assertEquals(status, response.statusCode(), response::bodyAsString);
        return response.bodyAsJsonObject();
    }

    @Test
    @DisplayName("EXT-05 one home, many homes, and none are set and read")
    void setsAndReads() {
        String self = sharding.self().value();
        json(
                send(
                        HttpMethod.PUT,
                        "/open" + HOME,
                        new JsonObject().put("node", self).encode(),
                        true),
                200);
        assertEquals(new JsonObject().put("3", self), homes());
        var two = new JsonObject().put("homes", new JsonObject().put("0", self).put("11", self));
        json(send(HttpMethod.PUT, "/open" + HOMES, two.encode(), true), 200);
        assertEquals(new JsonObject().put("0", self).put("3", self).put("11", self), homes());
        json(send(HttpMethod.DELETE, "/open" + HOME, "", true), 200);
        assertEquals(new JsonObject().put("0", self).put("11", self), homes());
        json(send(HttpMethod.DELETE, "/open" + HOMES, "", true), 200);
        assertEquals(new JsonObject(), homes());
    }

    @Test
    @DisplayName("EXT-01 a type that was never started has no desired homes")
    void knowsNothingOfAnUnknownType() {
        var answer = send(HttpMethod.GET, "/open/api/v1/types/never/desired-homes", "", false);
        assertEquals(new JsonObject(), json(answer, 200).getJsonObject("homes"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PUT    | /closed | true  | read-only
            DELETE | /closed | true  | read-only
            PUT    | /closed | false | X-Shardbus-Request
            PUT    | /open   | false | X-Shardbus-Request
            DELETE | /open   | false | X-Shardbus-Request
            """)
    void refusesThoseWhoMayNot(String method, String mount, boolean header, String reason) {
        var body = new JsonObject().put("node", sharding.self().value()).encode();
        for (String path : new String[] {HOMES, HOME}) {
            var refusal = json(send(HttpMethod.valueOf(method), mount + path, body, header), 403);
            assertEquals("FORBIDDEN", refusal.getString("error"));
            assertTrue(refusal.getString("message").contains(reason), refusal.encode());
        }
        assertEquals(new JsonObject(), homes());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            types/echo/shards/3/desired-home     | {"node":"stranger"}        | 404 | UNKNOWN_NODE
            types/echo/shards/12/desired-home    | {"node":"SELF"}            | 400 | INVALID_ID
            types/echo/shards/-1/desired-home    | {"node":"SELF"}            | 400 | BAD_REQUEST
            types/never/shards/3/desired-home    | {"node":"SELF"}            | 404 | UNKNOWN_TYPE
            types/evened/shards/3/desired-home   | {"node":"SELF"}            | 409 | NOT_APPLICABLE
            types/echo/shards/3/desired-home     | {"node":5}                 | 400 | BAD_REQUEST
            types/echo/shards/3/desired-home     | {"node":"SELF","more":1}   | 400 | BAD_REQUEST
            types/echo/shards/3/desired-home     | {"node                     | 400 | BAD_REQUEST
            types/echo/desired-homes             | {"homes":{"x":"SELF"}}     | 400 | BAD_REQUEST
            types/echo/desired-homes             | {"homes":{"1":null}}       | 400 | BAD_REQUEST
            types/echo/desired-homes             | {"homes":[1]}              | 400 | BAD_REQUEST
            types/echo/desired-homes             | {"homes":{"1":"SELF","2":"stranger"}} | 404 | UNKNOWN_NODE
            """)
    void refusesWhatIsWrong(String path, String body, int status, String error) {
        var sent = body.replace("SELF", sharding.self().value());
        var refusal = json(send(HttpMethod.PUT, "/open/api/v1/" + path, sent, true), status);
        assertEquals(error, refusal.getString("error"), refusal.encode());
        assertEquals(new JsonObject(), homes());
    }
}
