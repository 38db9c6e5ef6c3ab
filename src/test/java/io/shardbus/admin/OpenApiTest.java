package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.integration.Await;
import io.shardbus.model.ShardHash;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.DaemonOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.projection.Projection;
import io.shardbus.projection.ProjectionHandler;
import io.shardbus.projection.Projections;
import io.shardbus.spi.Inspectable;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The OpenAPI document says what there is, and what there is answers as it says; entities are listed in pages. */
class OpenApiTest {
    private static final int SHARDS = 12;
    private static final int ENTITIES = 25;

    private static Vertx vertx;
    private static ClusterSharding sharding;
    private static WebClient client;
    private static int port;
    /** Of resources that are not read-only. */
    private static int actions;

    /** Answers with what it gets. */
    private static final class Echo implements Entity<String>, Inspectable {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }

        @Override
        public JsonObject inspect() {
            return new JsonObject();
        }
    }

    private record Note(String text) {}

    /** Stores each message. */
    private static final class Notebook implements EventSourcedEntity<Note, Note, Integer> {
        @Override
        public Integer emptyState() {
            return 0;
        }

        @Override
        public Effect<Note, Integer> handle(Integer state, Note message, PersistenceContext<Note> context) {
            return persist(message);
        }

        @Override
        public Integer apply(Integer state, Note event) {
            return state + 1;
        }
    }

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        sharding = ClusterSharding.create(
                vertx, new ShardingOptions().setAwaitPredecessorLeases(false).setStateInspection(true));
        var echo =
                Await.result(sharding.start(EntityDefinition.of(EntityType.of("echo", String.class), id -> new Echo())
                        .withNumberOfShards(SHARDS)));
        for (int i = 0; i < ENTITIES; i++) {
            Await.result(echo.entityRef("e" + i).request("hello", String.class, Duration.ofSeconds(20)));
        }
        Await.result(ShardedDaemonProcess.start(
                vertx,
                sharding,
                new DaemonOptions().setName("feed").setWorkers(1).setMaxWorkers(1),
                worker -> new VerticleBase() {}));
        var store = MemoryStore.create();
        var notes =
                EventSourced.of(EntityType.of("note", Note.class), id -> new Notebook(), EventCodec.json(Note.class));
        Await.result(sharding.start(notes.on(store)));
        Await.result(Projections.create(vertx, sharding, store)
                .start(Projection.of("feed", notes, ProjectionHandler.<Note>each(event -> Future.succeededFuture()))));
        port = Await.result(vertx.createHttpServer()
                        .requestHandler(
                                AdminRouter.create(vertx, sharding, new AdminOptions().setStateInspection(true)))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        actions = Await.result(vertx.createHttpServer()
                        .requestHandler(AdminRouter.create(
                                vertx,
                                sharding,
                                new AdminOptions().setReadOnly(false).setStateInspection(true)))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        client = WebClient.create(vertx);
        Await.until(OpenApiTest::readiness, () -> readiness() == 200);
    }

    private static int readiness() {
        return Await.result(client.get(port, "127.0.0.1", "/health/ready").send())
                .statusCode();
    }

    @AfterAll
    static void stop() {
        Await.result(vertx.close());
    }

    private static JsonObject get(String path) {
        var answer =
                Await.result(client.get(port, "127.0.0.1", "/api/v1" + path).send());
        assertEquals(200, answer.statusCode(), () -> path + ": " + answer.bodyAsString());
        return answer.bodyAsJsonObject();
    }

    @Test
    void listsEachResourceThatIsRoutedAndNoOther() {
        var routes = new AdminRoutes(Router.router(vertx), new AdminGuard(new AdminOptions(), null));
        AdminRouter.register(routes, vertx, sharding, false);
        var routed = new TreeSet<String>();
        routes.methods().forEach((path, methods) -> {
            if (path.startsWith(AdminRoutes.API + "/")) {
                methods.stream()
                        .filter(method -> !method.equals("HEAD"))
                        .forEach(method -> routed.add(method + " " + path.substring(AdminRoutes.API.length())));
            }
        });
        var listed = new TreeSet<String>();
        OpenApi.operations().forEach(operation -> listed.add(operation.method() + " " + operation.path()));
        assertEquals(routed, listed);
    }

    @Test
    void theIndexListsAllThatIsReadWithoutAParameterAndEachOfThemAnswers() {
        var index = Await.result(client.get(port, "127.0.0.1", "/").send())
                .bodyAsJsonObject()
                .getJsonArray("resources")
                .getList();
        for (OpenApi.Operation operation : OpenApi.operations()) {
            boolean listed = operation.reads() && !operation.path().contains(":");
            assertEquals(listed, index.contains("api/v1" + operation.path()), operation.path());
        }
        for (Object path : index) {
            if (!path.equals("api/v1/stream")) {
                var answer =
                        Await.result(client.get(port, "127.0.0.1", "/" + path).send());
                assertEquals(200, answer.statusCode(), path::toString);
            }
        }
    }

    @Test
    void whatIsReadHasTheKeysThatItSays() {
        for (OpenApi.Operation operation : OpenApi.operations()) {
            if (operation.reads() && !operation.path().equals("/stream")) {
                var path = operation
                                .path()
                                .replace(":type", "echo")
                                .replace(":shard", String.valueOf(ShardHash.shard("e0", SHARDS)))
                                .replace(":id", "e0")
                                .replace(":name", "feed")
                                .replace(":node", sharding.self().value())
                        + (operation.path().endsWith("/plan") ? "?action=rebalance" : "");
                var answer = get(path);
                assertTrue(
                        answer.fieldNames().containsAll(operation.keys()),
                        () -> path + " has " + answer.fieldNames() + ", not " + operation.keys());
            }
        }
    }

    private static int status(String path, String accept) {
        return Await.result(client.get(port, "127.0.0.1", "/api/v1" + path)
                        .putHeader("Accept", accept)
                        .send())
                .statusCode();
    }

    @Test
    void eventsAreOfTheKindsThatAreAskedFor() {
        var began = get("/events?kind=term-began,action").getJsonArray("events");
        assertTrue(began.size() >= 1, began::encode);
        began.forEach(event -> assertEquals("term-began", ((JsonObject) event).getString("kind")));
        assertEquals(0, get("/events?kind=node-lost").getJsonArray("events").size());
        assertEquals(
                get("/events").getString("cursor"),
                get("/events?kind=node-lost").getString("cursor"));
        for (String accept : List.of("application/json", "text/event-stream")) {
            assertEquals(400, status("/events?kind=bogus", accept), accept);
            assertEquals(400, status("/events?kind=action,", accept), accept);
        }
    }

    @Test
    void aNodeIsShownAlone() {
        var self = sharding.self().value();
        var node = get("/nodes/" + self);
        assertEquals(self, node.getString("id"));
        assertEquals(
                get("/nodes").getJsonObject("nodes").getJsonObject(self).getLong("startedAt"),
                node.getLong("startedAt"));
        assertTrue(node.getJsonObject("regions").getJsonObject("echo").getInteger("shards") > 0, node::encode);
        assertEquals(404, status("/nodes/stranger", "application/json"));
    }

    @Test
    void theDocumentNamesEachParameterOfAPath() {
        var paths = get("/openapi.json").getJsonObject("paths");
        assertTrue(paths.size() > 20, paths::encode);
        var move =
                paths.getJsonObject("/api/v1/types/{type}/shards/{shard}/move").getJsonObject("post");
        var names = move.getJsonArray("parameters").stream()
                .map(parameter -> ((JsonObject) parameter).getString("name"))
                .toList();
        assertEquals(List.of("type", "shard", "X-Shardbus-Request"), names);
    }

    private static final Map<String, Object> SAMPLES = Map.of(
            "limit",
            5,
            "enabled",
            true,
            "shards",
            List.of(0),
            "to",
            "stranger",
            "node",
            "stranger",
            "homes",
            new JsonObject().put("0", "stranger"),
            "workers",
            1,
            "level",
            "debug",
            "minutes",
            1);

    private static String path(OpenApi.Operation operation, String shard, String name) {
        return operation.path().replace(":shard", shard).replaceAll(":[a-z]+", name);
    }

    private static String knownPath(OpenApi.Operation operation, String shard) {
        return operation
                .path()
                .replace(":type", "echo")
                .replace(":shard", shard)
                .replace(":id", "e0")
                .replace(":name", "feed")
                .replace(":logger", "io.shardbus")
                .replace(":node", sharding.self().value());
    }

    private static JsonObject sample(OpenApi.Operation operation) {
        var body = new JsonObject();
        operation.keys().forEach(key -> body.put(key, SAMPLES.get(key)));
        return body;
    }

    private static int answered(OpenApi.Operation operation, String path, String host, Buffer body) {
        var request = client.request(HttpMethod.valueOf(operation.method()), actions, "127.0.0.1", "/api/v1" + path)
                .putHeader("X-Shardbus-Request", "1")
                .virtualHost(host);
        return Await.result(operation.reads() ? request.send() : request.sendBuffer(body))
                .statusCode();
    }

    /** What is wrong with a request; nothing of it is carried out. */
    private static Set<Integer> refusals(OpenApi.Operation operation) {
        Set<Integer> found = new TreeSet<>();
        var host = "127.0.0.1";
        var none = Buffer.buffer();
        found.add(answered(operation, knownPath(operation, "0"), "elsewhere.example", none));
        if (operation.path().contains(":")) {
            found.add(answered(
                    operation,
                    path(operation, "99999", "stranger") + (operation.required().isEmpty() ? "" : "?action=rebalance"),
                    host,
                    sample(operation).toBuffer()));
        }
        if (operation.path().equals("/types/:type/desired-homes")) {
            found.add(answered(operation, path(operation, "0", "no%20name"), host, none));
        }
        if (operation.path().contains(":shard")) {
            found.add(answered(
                    operation,
                    knownPath(operation, "x"),
                    host,
                    sample(operation).toBuffer()));
        }
        if (!operation.reads() && !operation.keys().isEmpty()) {
            found.add(answered(operation, knownPath(operation, "0"), host, Buffer.buffer("{")));
        }
        if (operation.query().contains("limit")) {
            found.add(answered(operation, knownPath(operation, "0") + "?limit=0", host, none));
        }
        if (operation.query().contains("by")) {
            found.add(answered(operation, operation.path() + "?by=size", host, none));
        }
        if (!operation.required().isEmpty()) {
            found.add(answered(operation, knownPath(operation, "0"), host, none));
        }
        return found;
    }

    @Test
    void theDocumentNamesTheStatusesThatAreAnswered() {
        var provokable = Set.of(400, 403, 404);
        var problems = new ArrayList<String>();
        for (OpenApi.Operation operation : OpenApi.operations()) {
            var found = refusals(operation);
            var documented = new TreeSet<>(operation.statuses());
            var missing = new TreeSet<>(found);
            missing.removeAll(documented);
            documented.retainAll(provokable);
            documented.removeAll(found);
            if (!missing.isEmpty() || !documented.isEmpty()) {
                problems.add(operation.method() + " " + operation.path() + " answers " + found + ", not listed "
                        + missing + ", listed and not answered " + documented);
            }
        }
        assertEquals(List.of(), problems);
    }

    @Test
    void longAnswersAreCompressedForClientsThatTakeThat() throws IOException {
        var plain = Await.result(
                client.get(port, "127.0.0.1", "/api/v1/openapi.json").send());
        assertEquals(null, plain.getHeader("content-encoding"));
        var zipped = Await.result(client.get(port, "127.0.0.1", "/api/v1/openapi.json")
                .putHeader("Accept-Encoding", "deflate, gzip")
                .send());
        assertEquals("gzip", zipped.getHeader("content-encoding"));
        assertEquals("accept-encoding", zipped.getHeader("vary"));
        try (var unzipped =
                new GZIPInputStream(new ByteArrayInputStream(zipped.body().getBytes()))) {
            assertEquals(plain.bodyAsString(), new String(unzipped.readAllBytes(), StandardCharsets.UTF_8));
        }
        var brief = Await.result(client.get(port, "127.0.0.1", "/api/v1/singletons")
                .putHeader("Accept-Encoding", "gzip")
                .send());
        assertEquals(null, brief.getHeader("content-encoding"));
        var refused = Await.result(client.get(port, "127.0.0.1", "/api/v1/openapi.json")
                .putHeader("Accept-Encoding", "gzip;q=0, identity")
                .send());
        assertEquals(null, refused.getHeader("content-encoding"));
    }

    @Test
    void theDocumentSaysWhichParametersAreRequired() {
        var plan = get("/openapi.json")
                .getJsonObject("paths")
                .getJsonObject("/api/v1/types/{type}/plan")
                .getJsonObject("get");
        var required = plan.getJsonArray("parameters").stream()
                .map(JsonObject.class::cast)
                .filter(parameter -> parameter.getBoolean("required"))
                .map(parameter -> parameter.getString("name"))
                .toList();
        assertEquals(List.of("type", "action"), required);
        assertTrue(plan.getJsonObject("responses").containsKey("404"), plan::encode);
    }

    private static List<String> ids(String query) {
        var ids = new ArrayList<String>();
        String after = "";
        while (after != null) {
            var page = get("/types/echo/entities?" + query + "&after=" + after);
            page.getJsonArray("entities").forEach(entity -> ids.add(((JsonObject) entity).getString("id")));
            after = page.getString("after");
        }
        return ids;
    }

    @Test
    void entitiesAreListedInPages() {
        for (int limit : List.of(1, 7, 1000)) {
            var ids = ids("limit=" + limit);
            assertEquals(ENTITIES, ids.size(), ids::toString);
            assertEquals(ENTITIES, new TreeSet<>(ids).size(), ids::toString);
        }
        assertEquals(List.of("e7"), ids("prefix=e7"));
        var first = get("/types/echo/entities?limit=1").getJsonArray("entities").getJsonObject(0);
        assertTrue(ids("shard=" + first.getInteger("shard")).contains(first.getString("id")));
        for (String wrong : List.of("limit=0", "limit=1001", "after=x")) {
            var answer = Await.result(client.get(port, "127.0.0.1", "/api/v1/types/echo/entities?" + wrong)
                    .send());
            assertEquals(400, answer.statusCode(), wrong);
        }
    }
}
