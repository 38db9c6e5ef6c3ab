package io.shardbus.integration.operations;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.ClusterEvent.Kind;
import io.shardbus.model.EventPage;
import io.shardbus.model.NodeId;
import io.shardbus.options.AdminOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Three nodes, looked at through one that does not coordinate. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OperationsIT {
    private static final int SHARDS = 12;
    private static final int ENTITIES = 200;
    private static final String TYPE = CounterMessage.COUNTER.name();

    private static final TestCluster CLUSTER = new TestCluster();
    private static WebClient client;
    private static int port;

    @BeforeAll
    static void start() {
        CLUSTER.start(3, TestCluster.options()).startType(Counter.definition().withNumberOfShards(SHARDS));
        var looking = looking();
        for (int i = 0; i < ENTITIES; i++) {
            await(looking.counter("e" + i).ask(new Where()));
        }
        var router = Router.router(looking.vertx());
        router.route("/sharding/*")
                .subRouter(
                        AdminRouter.create(looking.vertx(), looking.sharding(), new AdminOptions().setReadOnly(false)));
        port = await(looking.vertx().createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        client = WebClient.create(looking.vertx());
    }

    @AfterAll
    static void stop() {
        CLUSTER.close();
    }

    /** A node that does not coordinate. */
    private static TestCluster.Node looking() {
        return CLUSTER.nodes().stream()
                .filter(node -> !node.id().equals(CLUSTER.coordinator()))
                .findFirst()
                .orElseThrow();
    }

    private static EventPage events(String cursor) {
        return await(looking().sharding().operations().events(cursor, 5_000));
    }

    private static List<ClusterEvent> events(Kind kind) {
        return events("").events().stream()
                .filter(event -> event.kind() == kind)
                .toList();
    }

    private static JsonObject get(String path) {
        var answer =
                await(client.get(port, "127.0.0.1", "/sharding/api/v1" + path).send());
        assertEquals(200, answer.statusCode(), answer::bodyAsString);
        return answer.bodyAsJsonObject();
    }

    private static void act(HttpMethod method, String path) {
        var answer = await(client.request(method, port, "127.0.0.1", "/sharding/api/v1" + path)
                .putHeader("X-Shardbus-Request", "1")
                .send());
        assertEquals(200, answer.statusCode(), answer::bodyAsString);
    }

    private static Set<String> homes() {
        var shards = get("/overview").getJsonObject("types").getJsonObject(TYPE).getJsonObject("shards");
        return shards.fieldNames().stream()
                .map(shard -> shards.getJsonObject(shard).getString("home"))
                .collect(Collectors.toSet());
    }

    /** A stream of server-sent events as a client reads it. */
    private static final class Stream {
        private final BlockingQueue<String> blocks = new LinkedBlockingQueue<>();
        private final StringBuilder open = new StringBuilder();
        /** Vert.x closes one that is no longer referred to. */
        private final HttpClient client = looking().vertx().createHttpClient();

        /** What has come, as {@code node/number}. */
        private final Set<String> shown = new HashSet<>();

        private String id;
        private boolean endsPage;

        Stream(String path, String lastId) {
            client.request(HttpMethod.GET, port, "127.0.0.1", "/sharding/api/v1" + path)
                    .compose(request -> {
                        request.putHeader("Accept", "text/event-stream");
                        if (lastId != null) {
                            request.putHeader("Last-Event-ID", lastId);
                        }
                        return request.send();
                    })
                    .onSuccess(response -> response.handler(chunk -> {
                        open.append(chunk);
                        for (int end = open.indexOf("\n\n"); end >= 0; end = open.indexOf("\n\n")) {
                            blocks.add(open.substring(0, end));
                            open.delete(0, end + 2);
                        }
                    }));
        }

        private static JsonObject data(String block) {
            return new JsonObject(block.substring(block.indexOf("data: ") + 6));
        }

        static String key(JsonObject event) {
            return event.getString("node") + "/" + event.getLong("id");
        }

        /** The data of the next event of this name that is as wanted. */
        JsonObject next(String event, Predicate<JsonObject> wanted) {
            try {
                while (true) {
                    String block = Objects.requireNonNull(blocks.poll(10, TimeUnit.SECONDS), "nothing in 10 s");
                    if (block.contains("event: event\n")) {
                        shown.add(key(data(block)));
                    }
                    endsPage = block.startsWith("id: ");
                    if (endsPage) {
                        id = block.lines().findFirst().orElseThrow().substring(4);
                    }
                    if (block.contains("event: " + event + "\n") && wanted.test(data(block))) {
                        return data(block);
                    }
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    @Order(1)
    void showsTheWholeClusterAtATime() {
        var overview = get("/overview");
        var members = CLUSTER.nodes().stream().map(node -> node.id().value()).collect(Collectors.toSet());
        assertEquals(members, overview.getJsonObject("nodes").fieldNames());
        for (String node : members) {
            var status = overview.getJsonObject("nodes").getJsonObject(node);
            assertTrue(status.getBoolean("answers"));
            assertTrue(status.getInteger("heapUsedMb") > 0);
            assertTrue(status.getLong("leaseLeftMs") > 0, status::encode);
            assertEquals(node.equals(CLUSTER.coordinator().value()), status.getBoolean("coordinating"), status::encode);
        }
        var type = overview.getJsonObject("types").getJsonObject(TYPE);
        assertEquals(SHARDS, type.getJsonObject("shards").size());
        assertEquals("least-shards", type.getString("allocation"));
        assertEquals(members, type.getJsonObject("regions").fieldNames());
        int entities = type.getJsonObject("shards").fieldNames().stream()
                .mapToInt(shard ->
                        type.getJsonObject("shards").getJsonObject(shard).getInteger("entities"))
                .sum();
        assertEquals(ENTITIES, entities);
    }

    @Test
    @Order(2)
    void aDrainIsSeenOnAllNodesWithItsCauseAndUser() {
        var drained = CLUSTER.coordinator();
        var stream = new Stream("/stream", null);
        assertEquals(
                SHARDS,
                stream.next("snapshot", all -> true)
                        .getJsonObject("types")
                        .getJsonObject(TYPE)
                        .getJsonObject("shards")
                        .size());
        var news = new Stream("/events", events("").cursor());
        act(HttpMethod.POST, "/nodes/" + drained + "/drain");
        // the first shards may have moved before the order is stored, and with that the action is over
        var told = new HashMap<String, JsonObject>();
        news.next("event", event -> {
            told.putIfAbsent(event.getString("kind"), event);
            return told.keySet().containsAll(Set.of("action", "shard-moved"));
        });
        var action = told.get("action");
        assertEquals("drain", action.getJsonObject("details").getString("action"));
        assertEquals(drained.value(), action.getString("subject"));
        until("the drained node is empty", () -> !homes().contains(drained.value()));
        stream.next("patch", patch -> patch.containsKey("types"));
        var moved = told.get("shard-moved");
        var details = moved.getJsonObject("details");
        assertEquals("drain", details.getString("cause"));
        assertEquals(drained.value(), details.getString("from"));
        assertTrue(details.getLong("durationMs") >= details.getLong("homelessMs"), details::encode);
        assertEquals(drained.value(), moved.getString("node"), "the coordinator has seen it");
        act(HttpMethod.DELETE, "/nodes/" + drained + "/drain");
        until(
                "its shards are back, and that is told",
                () -> events(Kind.SHARD_MOVED).stream()
                                .filter(event ->
                                        drained.value().equals(event.details().get("to")))
                                .count()
                        == SHARDS / 3);
        untilCalm();
    }

    @Test
    @Order(3)
    void aStreamGoesOnWhereItWasLeft() {
        var first = new Stream("/events", null);
        first.next("event", event -> event.getString("kind").equals("shard-moved"));
        // the last event of a page has its id
        looking().sharding().operations().recordAction("test", "ann", "first", Map.of());
        first.next("event", event -> first.endsPage);
        looking().sharding().operations().recordAction("test", "ann", "second", Map.of());
        var next = new Stream("/events", first.id);
        var repeated = new ArrayList<JsonObject>();
        next.next("event", event -> {
            if (first.shown.contains(Stream.key(event))) {
                repeated.add(event);
            }
            return event.getString("subject").equals("second");
        });
        assertEquals(List.of(), repeated);
    }

    @Test
    @Order(4)
    void theCursorSkipsNothingAndRepeatsNothing() {
        var all = events("").events();
        var read = new ArrayList<ClusterEvent>();
        for (EventPage page = page(""); !page.events().isEmpty(); page = page(page.cursor())) {
            assertEquals(Map.of(), page.missed());
            read.addAll(page.events());
        }
        assertEquals(Set.copyOf(all), Set.copyOf(read));
        assertEquals(read.size(), Set.copyOf(read).size());
    }

    private static EventPage page(String cursor) {
        return await(looking().sharding().operations().events(cursor, 7));
    }

    private static int act(HttpMethod method, String path, JsonObject body) {
        return await(client.request(method, port, "127.0.0.1", "/sharding/api/v1" + path)
                        .putHeader("X-Shardbus-Request", "1")
                        .sendJsonObject(body))
                .statusCode();
    }

    private static JsonObject type() {
        return get("/overview").getJsonObject("types").getJsonObject(TYPE);
    }

    private static String homeOf(String shard) {
        var row = type().getJsonObject("shards").getJsonObject(shard);
        return row == null || !row.getString("state").equals("active") ? "none" : row.getString("home");
    }

    private static Map<String, Long> counts() {
        var shards = type().getJsonObject("shards");
        return shards.fieldNames().stream()
                .collect(Collectors.groupingBy(
                        shard -> shards.getJsonObject(shard).getString("home"), TreeMap::new, Collectors.counting()));
    }

    private static void untilCalm() {
        until(
                "all shards are at home",
                () -> type().getJsonObject("shards").size() == SHARDS
                        && type().getJsonObject("moves").isEmpty());
    }

    /** Of the moves in the shard's history, which holds the operators' actions, too. */
    private static JsonObject lastMove(String shard) {
        var history = get("/types/" + TYPE + "/shards/" + shard + "/why").getJsonArray("history");
        return history.stream()
                .map(JsonObject.class::cast)
                .filter(event -> event.getString("kind").equals("shard-moved"))
                .reduce((earlier, later) -> later)
                .orElseThrow()
                .getJsonObject("details");
    }

    @Test
    @Order(5)
    void aShardMovesAndStaysWhereAnOperatorPinsIt() {
        untilCalm();
        assertEquals(200, act(HttpMethod.PUT, "/rebalancing", new JsonObject().put("enabled", false)));
        assertEquals(false, type().getBoolean("rebalancing"));
        var from = homeOf("3");
        var to = CLUSTER.nodes().stream()
                .map(node -> node.id().value())
                .filter(node -> !node.equals(from))
                .findFirst()
                .orElseThrow();
        var move = "/types/" + TYPE + "/shards/3/move";
        assertEquals(200, act(HttpMethod.POST, move, new JsonObject().put("to", to)));
        until("it has moved", () -> homeOf("3").equals(to));
        assertEquals(409, act(HttpMethod.POST, move, new JsonObject().put("to", to)), "it is there");
        assertEquals(404, act(HttpMethod.POST, move, new JsonObject().put("to", "stranger")), "it is not there");
        assertEquals(200, act(HttpMethod.POST, move, new JsonObject()));
        until("it is anywhere else", () -> !Set.of(to, "none").contains(homeOf("3")));
        assertEquals(200, act(HttpMethod.PUT, "/types/" + TYPE + "/shards/3/pin", new JsonObject().put("node", to)));
        until("it is where it is pinned", () -> homeOf("3").equals(to));
        var why = get("/types/" + TYPE + "/shards/3/why");
        assertEquals(to, why.getString("home"));
        assertEquals(to, why.getString("pinned"));
        assertEquals(3, why.getJsonArray("candidates").size());
        assertTrue(why.getJsonArray("reasons").contains("an operator has stopped rebalancing"), why::encode);
        until("the move is told", () -> lastMove("3").getString("to").equals(to));
        assertEquals("operator", lastMove("3").getString("cause"), why::encode);
        assertEquals(200, act(HttpMethod.DELETE, "/types/" + TYPE + "/shards/3/pin", new JsonObject()));
        assertEquals(409, act(HttpMethod.DELETE, "/types/" + TYPE + "/shards/3/pin", new JsonObject()));
    }

    @Test
    @Order(6)
    void whatAPlanSaysHappens() {
        untilCalm();
        var drained = looking().id().value();
        var plan = get("/types/" + TYPE + "/plan?action=drain&node=" + drained).getJsonArray("moves");
        var expected = counts();
        for (int i = 0; i < plan.size(); i++) {
            assertEquals(drained, plan.getJsonObject(i).getString("from"));
            expected.merge(plan.getJsonObject(i).getString("to"), 1L, Long::sum);
        }
        assertEquals(expected.remove(drained), plan.size(), "all its shards move");
        act(HttpMethod.POST, "/nodes/" + drained + "/drain");
        until("it is empty", () -> !counts().containsKey(drained));
        untilCalm();
        assertEquals(expected, counts());
        act(HttpMethod.DELETE, "/nodes/" + drained + "/drain");

        until(
                "it may be a home again",
                () -> get("/types/" + TYPE + "/plan?action=rebalance")
                                .getJsonArray("moves")
                                .size()
                        > 0);
        assertEquals(200, act(HttpMethod.PUT, "/nodes/" + drained + "/cordon", new JsonObject()));
        assertEquals(
                0,
                get("/types/" + TYPE + "/plan?action=rebalance")
                        .getJsonArray("moves")
                        .size());
        assertEquals(List.of(drained), type().getJsonArray("cordoned").getList());
        assertEquals(200, act(HttpMethod.DELETE, "/nodes/" + drained + "/cordon", new JsonObject()));

        var round = get("/types/" + TYPE + "/plan?action=rebalance").getJsonArray("moves");
        var after = counts();
        for (int i = 0; i < round.size(); i++) {
            after.merge(round.getJsonObject(i).getString("from"), -1L, Long::sum);
            after.merge(round.getJsonObject(i).getString("to"), 1L, Long::sum);
        }
        act(HttpMethod.POST, "/types/" + TYPE + "/rebalance");
        until("one round is over", () -> counts().containsKey(drained));
        untilCalm();
        assertEquals(after, counts());
        assertEquals(200, act(HttpMethod.PUT, "/rebalancing", new JsonObject().put("enabled", true)));
        untilCalm();
    }

    /** Moves the shard, and says whether a sender has told of messages that waited for this very move. */
    private static boolean waitIsToldOfMove(String shard) {
        var from = homeOf(shard);
        assertEquals(200, act(HttpMethod.POST, "/types/" + TYPE + "/shards/" + shard + "/move", new JsonObject()));
        until("it has moved", () -> !Set.of(from, "none").contains(homeOf(shard)));
        until("the move is told", () -> lastMove(shard).getString("to").equals(homeOf(shard)));
        var move = lastMove(shard);
        return get("/silences").getJsonArray("silences").stream()
                .map(JsonObject.class::cast)
                .filter(silence -> silence.getString("type").equals(TYPE)
                        && silence.getInteger("shard").toString().equals(shard))
                .filter(silence -> silence.getLong("term").equals(move.getLong("term"))
                        && silence.getLong("sequence").equals(move.getLong("sequence")))
                .anyMatch(silence -> silence.getString("cause").equals("move") && silence.getLong("messages") > 0);
    }

    @Test
    @Order(7)
    void callersSayWhatAMoveCostThem() {
        untilCalm();
        assertEquals(200, act(HttpMethod.PUT, "/rebalancing", new JsonObject().put("enabled", false)));
        var asker = looking();
        var id = IntStream.range(0, ENTITIES)
                .mapToObj(i -> "e" + i)
                .filter(one ->
                        await(asker.sharding().locate(TYPE, one)).orElseThrow().shard() == 3)
                .findFirst()
                .orElseThrow();
        long traffic = asker.vertx()
                .setPeriodic(1, tick -> asker.counter(id).ask(new Where()).onFailure(failed -> {}));
        try {
            until("a sender tells of messages that waited for a move", () -> waitIsToldOfMove("3"));
        } finally {
            asker.vertx().cancelTimer(traffic);
        }
        assertEquals(200, act(HttpMethod.PUT, "/rebalancing", new JsonObject().put("enabled", true)));
        untilCalm();
    }

    private static JsonObject connection(String from, String to) {
        return get("/connections").getJsonObject("nodes").getJsonObject(from).getJsonArray("connections").stream()
                .map(JsonObject.class::cast)
                .filter(one -> one.getString("peer").equals(to))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Order(6)
    void connectionsSayWhatNodesHaveExchanged() {
        var here = looking().id().value();
        var there = CLUSTER.coordinator().value();
        var before = connection(here, there);
        for (int i = 0; i < ENTITIES; i++) {
            await(looking().counter("e" + i).ask(new Where()));
        }
        var after = connection(here, there);
        assertEquals(TYPE, after.getString("type"));
        long more = after.getJsonObject("sent").getLong("frames")
                - before.getJsonObject("sent").getLong("frames");
        assertTrue(more > 10, () -> before + " before " + after);
        assertTrue(after.getJsonObject("sent").getLong("bytes") > 30 * more, () -> before + " before " + after);
        assertEquals(0, after.getInteger("queued"));
        assertTrue(after.getLong("roundTripMs") >= 0, after::encode);
        assertTrue(after.getLong("heardMs") >= 0, after::encode);
        // what has come is counted there; what is on its way at this moment is not
        until(
                "the other end has counted it",
                () -> connection(there, here).getJsonObject("received").getLong("frames")
                        >= after.getJsonObject("sent").getLong("frames"));
        assertEquals(
                connection(there, here).getInteger("lanes"),
                connection(here, there).getInteger("lanes"));
        var counters = get("/overview")
                .getJsonObject("types")
                .getJsonObject(TYPE)
                .getJsonObject("regions")
                .getJsonObject(here)
                .getJsonObject("counters");
        assertTrue(
                counters.getLong("frames_sent_bus", 0L) + counters.getLong("frames_sent_direct", 0L)
                        >= after.getJsonObject("sent").getLong("frames"),
                counters::encode);
        assertTrue(counters.containsKey("bytes_received_bus") || counters.containsKey("bytes_received_direct"));
    }

    @Test
    @Order(7)
    void aLeaveIsSeenWithItsMoves() {
        NodeId lost = CLUSTER.nodes().stream()
                .map(TestCluster.Node::id)
                .filter(id -> !id.equals(CLUSTER.coordinator())
                        && !id.equals(looking().id()))
                .findFirst()
                .orElseThrow();
        until("it has shards", () -> homes().contains(lost.value()));
        var node = CLUSTER.nodes().stream()
                .filter(each -> each.id().equals(lost))
                .findFirst()
                .orElseThrow();
        CLUSTER.leave(node);
        until(
                "its leave is an event",
                () -> events(Kind.NODE_LEFT).stream()
                        .anyMatch(event -> event.subject().equals(lost.value())));
        // the coordinator records the moves, each node for itself that the other one has left
        until(
                "its moves are events",
                () -> events(Kind.SHARD_MOVED).stream()
                        .anyMatch(event -> event.details().get("cause").equals("leave")
                                && event.details().get("from").equals(lost.value())));
        assertEquals(1, events(Kind.TERM_BEGAN).size());
    }
}
