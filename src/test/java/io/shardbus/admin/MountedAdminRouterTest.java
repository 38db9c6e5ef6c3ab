package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.handler.BasicAuthHandler;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.HttpException;
import io.vertx.ext.web.multipart.MultipartForm;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The admin resources behind handlers of the application: what those refuse, and bodies that no handler reads. */
class MountedAdminRouterTest {
    private static final String LIMIT = "/api/types/echo/passivation";

    private static Vertx vertx;
    private static WebClient client;
    private static int port;

    private final Logger webLog = (Logger) LoggerFactory.getLogger("io.vertx.ext.web");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        var sharding = ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));
        Await.result(sharding.start(EntityDefinition.of(
                        EntityType.of("echo", String.class), id -> (message, context) -> Future.succeededFuture())
                .withPassivation(new PassivationOptions()
                        .setStrategy("least-recently-used")
                        .setActiveEntityLimit(1000))));
        var router = Router.router(vertx);
        router.route("/basic/*").handler(BasicAuthHandler.create(credentials -> Future.failedFuture("no such user")));
        router.route("/refusing/*").handler(request -> request.fail(401));
        router.route("/throwing/*").handler(request -> {
            throw new HttpException(403, "operators only");
        });
        router.route("/busy/*").handler(request -> request.fail(503, new IllegalStateException("too many requests")));
        router.route("/broken/*").handler(request -> request.fail(new IllegalStateException("broken")));
        router.route("/failing/*").handler(request -> request.fail(500));
        router.route("/body/*").handler(BodyHandler.create(false));
        router.route("/fixed/*").subRouter(AdminRouter.create(vertx, sharding));
        router.route("/:mount/*").subRouter(AdminRouter.create(vertx, sharding, new AdminOptions().setReadOnly(false)));
        port = Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        client = WebClient.create(vertx);
    }

    @AfterAll
    static void stop() {
        Await.result(vertx.close());
    }

    @BeforeEach
    void listen() {
        logged.list = new CopyOnWriteArrayList<>();
        logged.start();
        webLog.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        webLog.detachAppender(logged);
    }

    @ParameterizedTest
    @CsvSource({
        "basic, 401, UNAUTHORIZED, Unauthorized",
        "refusing, 401, UNAUTHORIZED, Unauthorized",
        "throwing, 403, FORBIDDEN, operators only",
        "busy, 503, SERVICE_UNAVAILABLE, too many requests",
        "broken, 500, INTERNAL, broken",
        "failing, 500, INTERNAL, Internal Server Error"
    })
    void keepsTheStatusThatAHandlerBeforeItFailedWith(String mount, int status, String error, String message) {
        for (var path : List.of("/api/cluster", "/api/nothing", "/health/live", "/", LIMIT)) {
            var answer = Await.result(
                    client.get(port, "127.0.0.1", "/" + mount + path).send());
            assertRefusal(answer, status, error, message);
        }
        assertEquals(List.of(), logged.list);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/fixed", "/fixed?type=echo"})
    void leadsABrowserToThePageAlsoWithoutTheSlash(String path) {
        var answer = mount(path, "text/html,*/*;q=0.8");
        assertEquals(302, answer.statusCode());
        assertEquals("fixed/ui/", answer.getHeader("location"));
    }

    @Test
    void answersAtTheMountAlsoWithoutTheSlash() {
        var answer = mount("/fixed", "*/*");
        assertEquals(200, answer.statusCode(), answer::bodyAsString);
        assertEquals(mount("/fixed/", "*/*").bodyAsJsonObject(), answer.bodyAsJsonObject());
        for (String nothing : List.of("/fixed/fixed", "/fixed/nothing")) {
            assertRefusal(mount(nothing, "text/html"), 404, "NOT_FOUND", null);
        }
    }

    private static HttpResponse<Buffer> mount(String path, String accept) {
        return Await.result(client.get(port, "127.0.0.1", path)
                .putHeader("accept", accept)
                .followRedirects(false)
                .send());
    }

    @Test
    void asksForCredentials() {
        var answer =
                Await.result(client.get(port, "127.0.0.1", "/basic/api/cluster").send());
        assertTrue(
                answer.getHeader("www-authenticate").startsWith("Basic"),
                () -> answer.headers().toString());
    }

    @Test
    void refusesABodyThatIsTooLarge() {
        var body = "{\"limit\":5" + " ".repeat(1000) + "}";
        assertRefusal(post("/admin" + LIMIT, "application/json", body), 413, "REQUEST_ENTITY_TOO_LARGE", null);
        assertEquals(List.of(), logged.list);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/admin", "/body"})
    void refusesAForm(String mount) {
        var form = "application/x-www-form-urlencoded";
        assertRefusal(post(mount + LIMIT, form, "limit=5"), 400, "BAD_REQUEST", null);
        var answer = post(mount + LIMIT, form, "limit=" + "5".repeat(5000));
        assertTrue(
                answer.statusCode() == 400 || answer.statusCode() == 413,
                () -> answer.statusCode() + " " + answer.bodyAsString());
        assertEquals(List.of(), logged.list);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/admin", "/body"})
    void refusesAMultipartForm(String mount) {
        for (String path : List.of(LIMIT, "/api/v1/types/echo/shards/0/move")) {
            var answer = Await.result(client.post(port, "127.0.0.1", mount + path)
                    .putHeader("X-Shardbus-Request", "1")
                    .sendMultipartForm(
                            MultipartForm.create().attribute("to", "b").attribute("limit", "5")));
            assertRefusal(answer, 400, "BAD_REQUEST", "the body must be JSON, not a form");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/admin", "/body"})
    void readsABodyThatTheApplicationHasRead(String mount) {
        assertEquals(
                200, post(mount + LIMIT, "application/json", "{\"limit\":700}").statusCode());
        assertRefusal(post(mount + LIMIT, "application/json", "{\"limit\":0}"), 400, "BAD_REQUEST", null);
    }

    private static HttpResponse<Buffer> post(String path, String type, String body) {
        return Await.result(client.request(HttpMethod.POST, port, "127.0.0.1", path)
                .putHeader("content-type", type)
                .putHeader("X-Shardbus-Request", "1")
                .sendBuffer(Buffer.buffer(body)));
    }

    private static void assertRefusal(HttpResponse<Buffer> answer, int status, String error, String message) {
        assertEquals(status, answer.statusCode(), answer::bodyAsString);
        assertEquals("application/json", answer.getHeader("content-type"));
        JsonObject body = answer.bodyAsJsonObject();
        assertEquals(error, body.getString("error"));
        if (message != null) {
            assertEquals(message, body.getString("message"));
        }
    }
}
