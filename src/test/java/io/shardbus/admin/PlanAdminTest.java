package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterOperations;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.EventPage;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.options.AdminOptions;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A plan, over HTTP,")
class PlanAdminTest {
    private static final NodeId FROM = new NodeId("from");
    private static final NodeId TO = new NodeId("to");

    private final LoneNode node = new LoneNode(TestCluster.options());
    private final WebClient client = WebClient.create(node.vertx());
    private final List<ClusterEvent> events = new ArrayList<>();
    private int moves = 25;
    private String type;
    private int port;

    @BeforeEach
    void start() {
        EntityDefinition<String> texts = LoneNode.texts(id -> (message, context) -> Future.succeededFuture(message));
        type = texts.type().name();
        Await.result(LoneNode.ask(node.start(texts).entityRef("one"), "hello"));
        var planning = LastEventsTest.replaced(
                ClusterOperations.class, node.sharding().operations(), "plan", given -> Future.succeededFuture(plan()));
        var remembering = LastEventsTest.replaced(
                ClusterOperations.class,
                planning,
                "events",
                given -> Future.succeededFuture(new EventPage(List.copyOf(events), "end", false, Map.of(), Set.of())));
        var sharding =
                LastEventsTest.replaced(ClusterSharding.class, node.sharding(), "operations", given -> remembering);
        port = Await.result(node.vertx()
                        .createHttpServer()
                        .requestHandler(
                                AdminRouter.create(node.vertx(), sharding, new AdminOptions().setReadOnly(false)))
                        .listen(0, "127.0.0.1"))
                .actualPort();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private MovePlan plan() {
        return new MovePlan(
                IntStream.range(0, moves)
                        .mapToObj(shard -> new MovePlan.Move(shard, FROM, TO))
                        .toList(),
                List.of(),
                Map.of(FROM, 30, TO, 0));
    }

    private void moved(String ofType, String cause, long millis) {
        events.add(new ClusterEvent(
                node.sharding().self(),
                events.size() + 1,
                events.size() + 1,
                ClusterEvent.Kind.SHARD_MOVED,
                ofType + "/1",
                Map.of("type", ofType, "cause", cause, "durationMs", millis)));
    }

    private HttpResponse<Buffer> ask(String query) {
        return Await.result(client.get(port, "127.0.0.1", "/api/v1/types/" + type + "/plan?" + query)
                .send());
    }

    private JsonObject plan(String query) {
        var answer = ask(query);
        assertEquals(200, answer.statusCode(), answer::bodyAsString);
        return answer.bodyAsJsonObject();
    }

    @Test
    @DisplayName("says how long it will take, by the last moves of the type and how many move at a time")
    void saysHowLong() {
        String self = node.sharding().self().value();
        assertNull(plan("action=rebalance").getValue("expectedMs"));
        moved("another", "rebalance", 5);
        moved(type, "crash", 9_000);
        assertNull(plan("action=rebalance").getValue("expectedMs"));
        moved(type, "drain", 300);
        moved(type, "rebalance", 100);
        moved(type, "operator", 200);
        assertEquals(3 * 200, plan("action=rebalance").getLong("expectedMs"));
        assertEquals(3 * 200, plan("action=drain&node=" + self).getLong("expectedMs"));
        assertEquals(200, plan("action=leave&node=" + self).getLong("expectedMs"), "all at once");
        moves = 0;
        assertEquals(0, plan("action=rebalance").getLong("expectedMs"));
    }

    @Test
    @DisplayName("of a round with a limit has the first moves, and says how many come later")
    void hasALimit() {
        moved(type, "rebalance", 100);
        JsonObject plan = plan("action=rebalance&limit=3");
        assertEquals(
                List.of(0, 1, 2),
                plan.getJsonArray("moves").stream()
                        .map(move -> ((JsonObject) move).getInteger("shard"))
                        .toList());
        assertEquals(
                List.of("the limit of the round leaves 22 of 25 moves to later"),
                plan.getJsonArray("reasons").getList());
        assertEquals(new JsonObject().put("from", 27).put("to", 3), plan.getJsonObject("after"));
        assertEquals(100, plan.getLong("expectedMs"));
        assertEquals(25, plan("action=rebalance&limit=25").getJsonArray("moves").size());
    }

    @ParameterizedTest
    @DisplayName("refuses a limit that is none")
    @ValueSource(
            strings = {
                "action=rebalance&limit=0",
                "action=rebalance&limit=-1",
                "action=rebalance&limit=65537",
                "action=rebalance&limit=x",
                "action=join&limit=3"
            })
    void refusesALimit(String query) {
        var refused = ask(query);
        assertEquals(400, refused.statusCode(), refused::bodyAsString);
        assertTrue(refused.bodyAsString().contains("limit"), refused::bodyAsString);
    }

    @Test
    @DisplayName("is carried out with the limit in the body")
    void givesTheLimit() {
        List<Object> asked = new CopyOnWriteArrayList<>();
        var limited = LastEventsTest.replaced(ClusterSharding.class, node.sharding(), "rebalance", given -> {
            asked.addAll(List.of(given));
            return Future.succeededFuture(2);
        });
        int other = Await.result(node.vertx()
                        .createHttpServer()
                        .requestHandler(
                                AdminRouter.create(node.vertx(), limited, new AdminOptions().setReadOnly(false)))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        var done = Await.result(client.post(other, "127.0.0.1", "/api/v1/types/" + type + "/rebalance")
                .putHeader("X-Shardbus-Request", "1")
                .sendBuffer(Buffer.buffer("{\"limit\":2}")));
        assertEquals(200, done.statusCode(), done::bodyAsString);
        assertEquals(List.of(type, 2), asked);
    }

    @ParameterizedTest
    @DisplayName("refuses a limit in the body of a round that is none")
    @ValueSource(
            strings = {"{\"limit\":0}", "{\"limit\":\"3\"}", "{\"limit\":65537}", "{\"most\":3}", "{\"limit\":2.5}"})
    void refusesALimitOfARound(String body) {
        var refused = Await.result(client.post(port, "127.0.0.1", "/api/v1/types/" + type + "/rebalance")
                .putHeader("X-Shardbus-Request", "1")
                .sendBuffer(Buffer.buffer(body)));
        assertEquals(400, refused.statusCode(), refused::bodyAsString);
        assertTrue(refused.bodyAsString().contains("limit"), refused::bodyAsString);
    }
}
