package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.FailureCode;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.Inspectable;
import io.shardbus.store.InMemoryRememberedEntities;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What operators see of one entity over HTTP, and do to it, on a node that is alone. */
class EntityAdminTest {
    private static final EntityType<String> DOOR = EntityType.of("door", String.class);
    private static final EntityType<String> LAMP = EntityType.of("lamp", String.class);
    private static final Map<String, Promise<Object>> HELD = new ConcurrentHashMap<>();

    private static Vertx vertx;
    private static ClusterSharding sharding;
    private static WebClient client;
    private static int port;

    /** Holds a message until the test lets it go, stashes, sets timers and fails. */
    private static final class Door implements Entity<String>, Inspectable {
        private final String id;
        private String last = "none";

        Door(String id) {
            this.id = id;
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            switch (message) {
                case "hold" -> {
                    return HELD.computeIfAbsent(id, any -> Promise.promise()).future();
                }
                case "stash" -> context.stash();
                case "discard" -> context.discardStash();
                case "timer" -> context.setTimer(Duration.ofHours(1), "late");
                case "fail" -> throw new IllegalStateException("jammed");
                default -> last = message;
            }
            return reply(context.incarnation());
        }

        @Override
        public JsonObject inspect() {
            if (last.equals("secret")) {
                throw new IllegalStateException("not for your eyes");
            }
            return new JsonObject().put("last", last.equals("long") ? "x".repeat(300_000) : last);
        }
    }

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        sharding = ClusterSharding.create(
                vertx, new ShardingOptions().setAwaitPredecessorLeases(false).setStateInspection(true));
        Await.result(sharding.start(EntityDefinition.of(DOOR, Door::new).withStopTimeout(Duration.ofMillis(300))));
        Await.result(sharding.start(
                EntityDefinition.of(LAMP, id -> (message, context) -> Future.succeededFuture(context.incarnation()))
                        .withRememberedEntitiesStore(new InMemoryRememberedEntities())));
        Await.until(sharding::clusterState, sharding::isReady);
        var router = Router.router(vertx);
        router.route("/closed/*").subRouter(AdminRouter.create(vertx, sharding));
        router.route("/open/*")
                .subRouter(AdminRouter.create(
                        vertx, sharding, new AdminOptions().setReadOnly(false).setStateInspection(true)));
        port = Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        client = WebClient.create(vertx);
    }

    @AfterAll
    static void stop() {
        Await.result(vertx.close());
    }

    private static EntityRef<String> door(String id) {
        return sharding.entityRef(DOOR, id);
    }

    private static String ask(EntityRef<String> entity, String message) {
        return Await.result(entity.request(message, String.class, Duration.ofSeconds(20)));
    }

    private static HttpResponse<?> send(HttpMethod method, String path) {
        return Await.result(client.request(method, port, "127.0.0.1", path)
                .putHeader("X-Shardbus-Request", "1")
                .send());
    }

    private static JsonObject get(String path) {
        var answer = send(HttpMethod.GET, "/open/api/v1/types/" + path);
        assertEquals(200, answer.statusCode(), answer::bodyAsString);
        return answer.bodyAsJsonObject();
    }

    private static JsonObject instance(String path) {
        return get(path).getJsonObject("instance");
    }

    private static void post(int status, String path) {
        var answer = send(HttpMethod.POST, "/open/api/v1/types/" + path);
        assertEquals(status, answer.statusCode(), answer::bodyAsString);
    }

    private static void until(String what, BooleanSupplier condition) {
        Await.until(() -> what, condition);
    }

    @Test
    void showsWhatAnEntityHasToDo() {
        ask(door("busy"), "timer");
        door("busy").tell("stash");
        door("busy").tell("hold");
        door("busy").tell("behind");
        until("the message in hand", () -> instance("door/entities/busy").getInteger("waiting") == 1);
        var entity = get("door/entities/busy");
        assertTrue(entity.getBoolean("live"));
        assertFalse(entity.getBoolean("remembered"));
        var instance = entity.getJsonObject("instance");
        assertEquals("busy", instance.getString("phase"));
        assertEquals("java.lang.String", instance.getString("message"));
        assertEquals("message", instance.getString("startReason"));
        assertEquals(1, instance.getInteger("stashed"));
        assertEquals(1, instance.getInteger("timers"));
        assertTrue(instance.getBoolean("inspectable"));
        until("the wait grows", () -> instance("door/entities/busy").getLong("oldestWaitMs") >= 20);
        assertTrue(instance("door/entities/busy").getLong("busyMs") >= 20);
        HELD.get("busy").complete("let go");
        until(
                "it is idle",
                () -> instance("door/entities/busy").getString("phase").equals("idle"));
        var idle = instance("door/entities/busy");
        assertEquals(0L, idle.getLong("oldestWaitMs"));
        assertEquals(0L, idle.getLong("busyMs"));
        assertEquals(null, idle.getString("message"));
        ask(door("busy"), "discard");
        assertEquals(0, instance("door/entities/busy").getInteger("stashed"));
    }

    @Test
    void namesInTheQueryWhatNoPathCanName() {
        for (String id : List.of(".", "..", "-")) {
            ask(door(id), "known as " + id);
            String path = "door/entities/-" + (id.equals("-") ? "" : "?id=" + id);
            assertEquals(id, get(path).getString("id"), path);
            String state = path.replace("/-", "/-/state");
            assertEquals("known as " + id, get(state).getJsonObject("state").getString("last"), state);
        }
        String incarnation = instance("door/entities/-?id=..").getString("incarnation");
        post(200, "door/entities/-/restart?id=..");
        until(
                "another incarnation",
                () -> !incarnation.equals(instance("door/entities/-?id=..").getString("incarnation")));
        assertEquals("-", get("door/entities/-?id=busy").getString("id"), "only what no path can name");
        assertEquals("away", get("door/entities/away?id=.").getString("id"));
    }

    @Test
    void namesATypeInTheQueryToo() {
        Await.result(sharding.start(EntityDefinition.of(
                EntityType.of("..", String.class), id -> (message, context) -> Future.succeededFuture())));
        assertEquals("..", get("-/entities?type=..").getString("type"));
        assertEquals("..", get("-/entities/-?type=..&id=.").getString("type"));
        assertEquals("..", get("-/passivation?type=..").getString("type"));
        assertEquals("..", get("-?type=..").getString("type"));
    }

    @Test
    void showsTheLastFailureAndTheRestarts() {
        ask(door("jammed"), "first");
        assertEquals(
                FailureCode.ENTITY_FAILED,
                LoneNode.failureCode(door("jammed").request("fail", String.class, Duration.ofSeconds(20))));
        assertEquals(
                FailureCode.ENTITY_FAILED,
                LoneNode.failureCode(door("jammed").request("fail", String.class, Duration.ofSeconds(20))));
        var second = ask(door("jammed"), "second");
        var instance = instance("door/entities/jammed");
        assertEquals(2, instance.getInteger("restarts"));
        assertEquals("restart", instance.getString("startReason"));
        assertEquals(second, instance.getString("incarnation"));
        var failure = instance.getJsonObject("lastFailure");
        assertEquals("java.lang.IllegalStateException", failure.getString("kind"));
        assertEquals("jammed", failure.getString("text"));
        var closed = send(HttpMethod.GET, "/closed/api/v1/types/door/entities/jammed")
                .bodyAsJsonObject()
                .getJsonObject("instance");
        assertEquals(
                failure.put("text", ""),
                closed.getJsonObject("lastFailure").put("agoMs", failure.getLong("agoMs")),
                "what was thrown may hold what the entity knows");
        assertEquals(false, closed.getBoolean("inspectable"));
    }

    @Test
    void looksAtAnEntityWithoutStartingIt() {
        var unborn = get("door/entities/unborn");
        assertFalse(unborn.getBoolean("live"));
        assertEquals(null, unborn.getJsonObject("instance"));
        assertEquals(
                409,
                send(HttpMethod.GET, "/open/api/v1/types/door/entities/unborn/state")
                        .statusCode());
        assertFalse(get("door/entities/unborn").getBoolean("live"));
        assertEquals(
                404,
                send(HttpMethod.GET, "/open/api/v1/types/nothing/entities/x").statusCode());
    }

    @Test
    void showsTheStateOnlyWhereThatIsAllowed() {
        ask(door("seen"), "green");
        assertEquals(
                new JsonObject().put("last", "green"),
                get("door/entities/seen/state").getJsonObject("state"));
        var refused = send(HttpMethod.GET, "/closed/api/v1/types/door/entities/seen/state");
        assertEquals(403, refused.statusCode());
        assertTrue(refused.bodyAsString().contains("setStateInspection"), refused::bodyAsString);
        assertTrue(
                actions("inspect").stream().anyMatch(event -> event.subject().equals("door/seen")), "it is recorded");
    }

    @Test
    void aStateThatCannotBeShownIsATypedFailure() {
        ask(door("shy"), "secret");
        assertState(500, "ENTITY_FAILED", "door/entities/shy");
        assertEquals("idle", instance("door/entities/shy").getString("phase"), "what inspect throws ends no instance");
        ask(door("large"), "long");
        assertState(400, "PAYLOAD_TOO_LARGE", "door/entities/large");
        ask(sharding.entityRef(LAMP, "plain"), "on");
        assertState(409, "NOT_APPLICABLE", "lamp/entities/plain");
    }

    @Test
    void aStateIsShownInTheTurnOfItsEntityOrNotInTime() {
        ask(door("turn"), "before");
        door("turn").tell("hold");
        door("turn").tell("after");
        until(
                "it is busy",
                () -> instance("door/entities/turn").getString("phase").equals("busy"));
        assertState(504, "TIMED_OUT", "door/entities/turn");
        var asked = client.get(port, "127.0.0.1", "/open/api/v1/types/door/entities/turn/state")
                .send();
        until("it waits", () -> instance("door/entities/turn").getInteger("waiting") == 1);
        HELD.get("turn").complete("let go");
        assertEquals(
                "before",
                Await.result(asked).bodyAsJsonObject().getJsonObject("state").getString("last"),
                "before the message that waits");
    }

    private static void assertState(int status, String error, String path) {
        var answer = send(HttpMethod.GET, "/open/api/v1/types/" + path + "/state");
        assertEquals(status, answer.statusCode(), answer::bodyAsString);
        assertEquals(error, answer.bodyAsJsonObject().getString("error"));
    }

    @Test
    void putsAnEntityAway() {
        ask(door("away"), "hello");
        post(200, "door/entities/away/passivate");
        until("it has ended", () -> !get("door/entities/away").getBoolean("live"));
        post(409, "door/entities/away/passivate");
        assertEquals(
                List.of("done", "refused"),
                actions("passivate").stream()
                        .map(event -> event.details().get("outcome"))
                        .toList());
    }

    @Test
    void restartsAnEntityAlsoOneThatHangs() {
        var first = ask(door("again"), "hello");
        post(200, "door/entities/again/restart");
        assertFalse(first.equals(ask(door("again"), "hello")));
        assertEquals("restart", instance("door/entities/again").getString("startReason"));
        door("again").tell("hold");
        var waits = door("again").request("hello", String.class, Duration.ofSeconds(20));
        until("it hangs", () -> instance("door/entities/again").getInteger("waiting") == 1);
        post(200, "door/entities/again/restart");
        post(409, "door/entities/again/restart");
        assertEquals(Await.result(waits), instance("door/entities/again").getString("incarnation"));
    }

    @Test
    void forgetsWhatIsRemembered() {
        ask(sharding.entityRef(LAMP, "lost"), "on");
        assertTrue(get("lamp/entities/lost").getBoolean("remembered"));
        post(200, "lamp/entities/lost/forget");
        until("it is forgotten", () -> !get("lamp/entities/lost").getBoolean("remembered"));
        assertFalse(get("lamp/entities/lost").getBoolean("live"));
        post(409, "lamp/entities/lost/forget");
        ask(door("plain"), "hello");
        post(409, "door/entities/plain/forget");
    }

    @Test
    void namesTheCodesOfSlowAsks() {
        var failed = door("jams").request("fail", String.class, Duration.ofSeconds(5));
        Await.until(() -> "it has not failed", failed::failed);
        var held = door("held").request("hold", String.class, Duration.ofMillis(200));
        Await.until(() -> "it is not over", held::isComplete);
        Await.until(
                () -> slowAsks().toString(),
                () -> slowAsks().containsAll(Set.of("jams ENTITY_FAILED", "held TIMED_OUT")));
    }

    private static Set<String> slowAsks() {
        var answer = send(HttpMethod.GET, "/open/api/v1/latency").bodyAsJsonObject();
        var found = new TreeSet<String>();
        answer.getJsonObject("types")
                .getJsonObject("door")
                .getJsonArray("slowest")
                .forEach(each -> {
                    var ask = (JsonObject) each;
                    found.add(ask.getString("id") + " " + ask.getString("failure"));
                });
        return found;
    }

    @Test
    void erasesNothingOfATypeThatStoresNothing() {
        ask(door("kept"), "hello");
        post(409, "door/entities/kept/erase");
        assertTrue(get("door/entities/kept").getBoolean("live"));
        assertEquals(
                List.of("refused"),
                actions("erase").stream()
                        .map(event -> event.details().get("outcome"))
                        .toList());
    }

    private static List<ClusterEvent> actions(String action) {
        return Await.result(sharding.operations().events("", 5_000)).events().stream()
                .filter(event -> action.equals(event.details().get("action")))
                .toList();
    }
}
