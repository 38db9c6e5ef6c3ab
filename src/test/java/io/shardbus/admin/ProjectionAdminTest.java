package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.model.ClusterEvent;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.projection.Projection;
import io.shardbus.projection.ProjectionHandler;
import io.shardbus.projection.Projections;
import io.shardbus.store.sqlite.SqliteStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.User;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.impl.UserContextInternal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Projections over HTTP")
class ProjectionAdminTest {
    private static final EntityType<Count> TYPE = EntityType.of("shown", Count.class);

    private final Vertx vertx = Vertx.vertx();
    private final WebClient client = WebClient.create(vertx);
    private final ClusterSharding sharding =
            ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));

    @TempDir
    private Path directory;

    private SqliteStore store;
    private int port;

    record Count() implements Ask<Long> {}

    record Counted() {}

    private static final class Counter implements EventSourcedEntity<Count, Counted, Long> {
        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Counted, Long> handle(Long state, Count message, PersistenceContext<Count> context) {
            return persist(new Counted()).thenReply(now -> now);
        }

        @Override
        public Long apply(Long state, Counted event) {
            return state + 1;
        }
    }

    @BeforeEach
    void start() {
        var file = directory.resolve("a.db").toString();
        store = SqliteStore.create(vertx, new SqliteOptions().setFile(file));
        Await.result(sharding.start(entities().on(store)));
        var router = Router.router(vertx);
        router.route("/api/*").handler(request -> {
            ((UserContextInternal) request.userContext()).setUser(User.fromName("ada"));
            request.next();
        });
        router.route("/read/*").subRouter(AdminRouter.create(vertx, sharding));
        router.route("/*").subRouter(AdminRouter.create(vertx, sharding, new AdminOptions().setReadOnly(false)));
        port = Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
    }

    @AfterEach
    void stop() {
        Await.result(store.close());
        Await.result(vertx.close());
    }

    private static EventSourced<Count, Counted, Long> entities() {
        return EventSourced.of(TYPE, id -> new Counter(), EventCodec.json(Counted.class));
    }

    private JsonObject get(String path, int status) {
        var response = Await.result(
                client.get(port, "127.0.0.1", "/api/v1/projections" + path).send());
        assertEquals(status, response.statusCode(), response::bodyAsString);
        return response.bodyAsJsonObject();
    }

    private JsonObject only() {
        return get("", 200).getJsonArray("projections").getJsonObject(0);
    }

    @Test
    @DisplayName("show how far they are behind and what they have parked, until their workers are stopped")
    void shown() {
        assertEquals(0, get("", 200).getJsonArray("projections").size());
        get("/held", 404);
        var held = Projection.of(
                        "held", entities(), ProjectionHandler.<Counted>each(event -> Future.failedFuture("it fails")))
                .withPollInterval(10);
        var projections = Projections.create(vertx, sharding, store);
        var workers = Await.result(projections.start(held));
        Await.result(projections.start(
                Projection.of("idle", entities(), ProjectionHandler.<Counted>each(event -> Future.succeededFuture()))
                        .withPollInterval(10)));
        for (int i = 0; i < 3; i++) {
            Await.result(sharding.entityRef(TYPE, "a").ask(new Count()));
        }
        var shown = only();
        assertEquals(
                new JsonObject()
                        .put("name", "held")
                        .put("type", "shown")
                        .put("workers", 1)
                        .put("onFailure", "hold")
                        .put("lag", 3)
                        .put("parked", 0)
                        .put("paused", false),
                shown);
        Await.until(() -> get("/idle", 200), () -> get("/idle", 200).getLong("lag") == 0);
        Await.result(workers.stop());
        assertEquals("idle", only().getString("name"));
    }

    @Test
    @DisplayName("name the events that they have parked, and why")
    void parked() {
        var parking = Projection.of(
                        "parking", entities(), ProjectionHandler.<Counted>each(event -> Future.failedFuture("no such")))
                .onFailure(Projection.OnFailure.PARK, 1)
                .withPollInterval(10);
        Await.result(Projections.create(vertx, sharding, store).start(parking));
        Await.result(sharding.entityRef(TYPE, "a").ask(new Count()));
        Await.until(() -> get("/parking", 200), () -> get("/parking", 200).getInteger("parked") == 1);
        // the event is parked first, and the offset moves then
        Await.until(() -> get("/parking", 200), () -> get("/parking", 200).getLong("lag") == 0);
        var shown = get("/parking", 200);
        assertEquals("park", shown.getString("onFailure"));
        assertEquals(0, shown.getLong("lag"));
        var event = shown.getJsonArray("parkedEvents").getJsonObject(0);
        assertEquals(1, event.getLong("position"));
        assertTrue(event.getString("reason").contains("no such"), event::encode);
    }

    private JsonObject change(HttpMethod method, String path, boolean hasHeader, int status) {
        var request = client.request(method, port, "127.0.0.1", path);
        if (hasHeader) {
            request.putHeader("X-Shardbus-Request", "1");
        }
        var response = Await.result(request.send());
        assertEquals(status, response.statusCode(), response::bodyAsString);
        return response.bodyAsJsonObject();
    }

    @Test
    @DisplayName("are paused, reset and resumed, with an event that names the user")
    void steered() {
        List<Long> seen = new CopyOnWriteArrayList<>();
        var view = Projection.of("steered", entities(), ProjectionHandler.<Counted>each(event -> {
                    seen.add(event.sequenceNumber());
                    return Future.succeededFuture();
                }))
                .withPollInterval(10);
        Await.result(Projections.create(vertx, sharding, store).start(view));
        Await.result(sharding.entityRef(TYPE, "a").ask(new Count()));
        Await.until(() -> seen, () -> seen.equals(List.of(1L)));
        var path = "/api/v1/projections/steered";
        change(HttpMethod.PUT, path + "/pause", false, 403);
        change(HttpMethod.PUT, "/read" + path + "/pause", true, 403);
        change(HttpMethod.PUT, "/api/v1/projections/other/pause", true, 404);
        assertEquals(
                "CONFLICT", change(HttpMethod.POST, path + "/reset", true, 409).getString("error"));
        assertEquals(false, get("/steered", 200).getBoolean("paused"));

        assertEquals(true, change(HttpMethod.PUT, path + "/pause", true, 200).getBoolean("paused"));
        assertEquals(true, get("/steered", 200).getBoolean("paused"));
        change(HttpMethod.POST, path + "/reset", true, 200);
        assertEquals(1, get("/steered", 200).getLong("lag"));
        assertEquals(List.of(1L), seen);
        assertEquals(
                false, change(HttpMethod.DELETE, path + "/pause", true, 200).getBoolean("paused"));
        Await.until(() -> seen, () -> seen.equals(List.of(1L, 1L)));

        var actions = Await.result(sharding.operations().events("", 100)).events().stream()
                .filter(event -> event.kind() == ClusterEvent.Kind.ACTION)
                .map(event -> event.subject() + " " + event.details().get("action") + " "
                        + event.details().get("user") + " " + event.details().get("outcome"))
                .toList();
        assertEquals(
                List.of(
                        "steered reset-projection ada refused",
                        "steered pause-projection ada done",
                        "steered reset-projection ada done",
                        "steered resume-projection ada done"),
                actions);
    }

    @Test
    @DisplayName("say that their store does not answer")
    void trouble() {
        Await.result(Projections.create(vertx, sharding, store)
                .start(Projection.of(
                        "late", entities(), ProjectionHandler.<Counted>each(event -> Future.succeededFuture()))));
        Await.result(store.close());
        var shown = only();
        assertNull(shown.getValue("lag"));
        assertTrue(!shown.getString("trouble").isEmpty(), shown::encode);
        get("/late", 503);
    }
}
