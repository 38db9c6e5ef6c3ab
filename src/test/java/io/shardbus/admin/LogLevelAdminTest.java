package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.logging.LogLevels;
import io.shardbus.model.ClusterEvent;
import io.shardbus.options.AdminOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Levels of loggers, set over HTTP for a while. */
class LogLevelAdminTest {
    private static final String PACKAGE = "io.shardbus.loglevels";
    private static final Logger LOGGER = LoggerFactory.getLogger(PACKAGE + ".Talker");

    private static LoneNode node;
    private static WebClient client;
    private static int port;
    private static int readOnly;

    @BeforeAll
    static void start() {
        node = new LoneNode(TestCluster.options());
        port = serve(new AdminOptions().setReadOnly(false));
        readOnly = serve(new AdminOptions());
        client = WebClient.create(node.vertx());
    }

    private static int serve(AdminOptions options) {
        return Await.result(node.vertx()
                        .createHttpServer()
                        .requestHandler(AdminRouter.create(node.vertx(), node.sharding(), options))
                        .listen(0, "127.0.0.1"))
                .actualPort();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @AfterEach
    void takeBack() {
        LogLevels.settings().forEach(setting -> LogLevels.reset(setting.logger()));
    }

    private static HttpResponse<?> send(int to, HttpMethod method, String logger, String body) {
        var request = client.request(method, to, "127.0.0.1", "/api/v1/log-levels" + logger)
                .putHeader("X-Shardbus-Request", "1");
        return Await.result(body == null ? request.send() : request.sendBuffer(new JsonObject(body).toBuffer()));
    }

    private static HttpResponse<?> set(String logger, String body) {
        return send(port, HttpMethod.PUT, "/" + logger, body);
    }

    private static JsonArray levels() {
        return send(port, HttpMethod.GET, "", null).bodyAsJsonObject().getJsonArray("levels");
    }

    @Test
    void aLoggerSaysMoreUntilThatIsTakenBack() {
        boolean usual = LOGGER.isDebugEnabled();
        assertFalse(usual);
        var answer = set(PACKAGE, "{\"level\":\"debug\",\"minutes\":10}");
        assertEquals(200, answer.statusCode(), answer::bodyAsString);
        assertTrue(LOGGER.isDebugEnabled(), "the package's level is that of its loggers");
        assertEquals(200, set(PACKAGE, "{\"level\":\"trace\",\"minutes\":1}").statusCode());
        assertTrue(LOGGER.isTraceEnabled());
        var only = levels().getJsonObject(0);
        assertEquals(PACKAGE, only.getString("logger"));
        assertEquals("trace", only.getString("level"));
        assertEquals(null, only.getString("usual"));
        assertTrue(only.getLong("until") > System.currentTimeMillis());
        assertEquals(200, send(port, HttpMethod.DELETE, "/" + PACKAGE, null).statusCode());
        assertFalse(LOGGER.isDebugEnabled());
        assertEquals(new JsonArray(), levels());
        var events =
                Await.result(node.sharding().operations().events("", 5_000)).events();
        assertEquals(
                3,
                events.stream()
                        .filter(event -> event.kind() == ClusterEvent.Kind.ACTION
                                && event.subject().equals(PACKAGE))
                        .count());
    }

    @Test
    void theUsualLevelComesBackByItself() {
        assertTrue(LogLevels.set(PACKAGE, "debug", 20, 0).isPresent());
        Await.until(LogLevels::settings, () -> LogLevels.settings().isEmpty());
        assertFalse(LOGGER.isDebugEnabled());
        assertTrue(LogLevels.set(PACKAGE, "debug", 20, 0).isPresent());
        assertTrue(LogLevels.set(PACKAGE, "trace", 60_000, 0).isPresent(), "set anew");
        assertTrue(LogLevels.set(PACKAGE + ".Talker", "error", 40, 0).isPresent());
        Await.until(LogLevels::settings, () -> LogLevels.settings().size() == 1);
        assertTrue(LOGGER.isTraceEnabled(), "the end of the first is not that of the second");
    }

    @Test
    void onlyLoggersOfShardbusThatAreThereAndWholeBodies() {
        for (String name : new String[] {"ROOT", "io.vertx", "io.shardbusx", "io.shardbus.nothing", "io.shardbus%2F"}) {
            assertEquals(404, set(name, "{\"level\":\"debug\",\"minutes\":1}").statusCode(), name);
        }
        for (String body : new String[] {
            "{}",
            "{\"level\":\"debug\"}",
            "{\"level\":\"debug\",\"minutes\":0}",
            "{\"level\":\"debug\",\"minutes\":1441}",
            "{\"level\":\"debug\",\"minutes\":\"1\"}",
            "{\"level\":\"all\",\"minutes\":1}",
            "{\"level\":7,\"minutes\":1}"
        }) {
            assertEquals(400, set(PACKAGE, body).statusCode(), body);
        }
        assertEquals(
                403,
                send(readOnly, HttpMethod.PUT, "/" + PACKAGE, "{\"level\":\"debug\",\"minutes\":1}")
                        .statusCode());
        assertEquals(new JsonArray(), levels());
        assertFalse(LOGGER.isDebugEnabled());
    }
}
