package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.ClusterSharding;
import io.shardbus.ShardingException;
import io.shardbus.daemon.RescalingException;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.integration.Await;
import io.shardbus.model.FailureCode;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.DaemonOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sets of workers over HTTP. */
class DaemonAdminTest {
    private static Vertx vertx;
    private static WebClient client;
    private static int port;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        var sharding = ClusterSharding.create(vertx, new ShardingOptions());
        var options = new DaemonOptions().setName("feed").setWorkers(2).setMaxWorkers(8);
        Await.result(ShardedDaemonProcess.start(vertx, sharding, options, worker -> new VerticleBase() {}));
        var router = AdminRouter.create(vertx, sharding, new AdminOptions().setReadOnly(false));
        port = Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        client = WebClient.create(vertx);
    }

    @AfterAll
    static void stop() {
        Await.result(vertx.close());
    }

    private static JsonObject send(HttpMethod method, String path, String body, int status) {
        var response = Await.result(client.request(method, port, "127.0.0.1", path)
                .putHeader("X-Shardbus-Request", "1")
                .sendBuffer(Buffer.buffer(body)));
        assertEquals(status, response.statusCode(), response::bodyAsString);
        return response.bodyAsJsonObject();
    }

    @Test
    @DisplayName("DAEM-09 a set is shown and rescaled")
    void showsAndRescales() {
        var shown = send(HttpMethod.GET, "/api/v1/daemons/feed", "", 200);
        assertEquals(2, shown.getInteger("workers"));
        var rescaled = send(HttpMethod.PUT, "/api/v1/daemons/feed", "{\"workers\":3}", 200);
        assertEquals(3, rescaled.getInteger("workers"));
        assertEquals(shown.getInteger("revision") + 1, rescaled.getInteger("revision"));
        assertEquals(true, rescaled.getBoolean("completed"));
        assertEquals(
                new JsonArray().add(rescaled),
                send(HttpMethod.GET, "/api/v1/daemons", "", 200).getJsonArray("daemons"));
        send(HttpMethod.PUT, "/api/v1/daemons/feed", "{\"workers\":2}", 200);
    }

    @Test
    void saysWhetherARescalingMayPassLater() {
        assertEquals(
                409,
                DaemonHandlers.refusal(new RescalingException("'feed' is being rescaled"))
                        .status());
        assertEquals(
                503,
                DaemonHandlers.refusal(new IllegalStateException("the store does not answer"))
                        .status());
        assertEquals(
                504,
                DaemonHandlers.refusal(new ShardingException(FailureCode.TIMED_OUT, "a worker does not stop"))
                        .status());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            feed  | {"workers":0}   | 400
            feed  | {"workers":9}   | 400
            feed  | {"workers":"3"} | 400
            feed  | {"worker        | 400
            other | {"workers":3}   | 404
            """)
    void refusesWhatIsWrong(String name, String body, int status) {
        send(HttpMethod.PUT, "/api/v1/daemons/" + name, body, status);
    }
}
