package io.shardbus.integration.clients;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.integration.Await;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.Fragile;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Plain event-bus clients, friendly and not, on a node that started no type. */
class EventBusIT {
    private static TestCluster cluster;
    private static TestCluster.Node host;
    private static TestCluster.Node other;
    private static EventBus bus;

    @BeforeAll
    static void open() {
        cluster = new TestCluster().start(3, TestCluster.options().setRebalanceIntervalMs(0));
        host = cluster.node(0);
        other = cluster.node(1);
        for (TestCluster.Node node : List.of(host, other)) {
            await(node.sharding().start(Counter.definition()));
            await(node.sharding().start(texts()));
            await(node.sharding().start(fragile()));
        }
        bus = cluster.node(2).vertx().eventBus();
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    private static EntityDefinition<String> texts() {
        return EntityDefinition.of(
                EntityType.of("echo", String.class), id -> (message, context) -> Future.succeededFuture(id + message));
    }

    private static EntityDefinition<Fragile> fragile() {
        return EntityDefinition.of(Fragile.TYPE, id -> (message, context) -> Future.succeededFuture(message))
                .withCodec(new Fragile.Codec());
    }

    private static DeliveryOptions to(String id) {
        return new DeliveryOptions().addHeader("entity-id", id).setSendTimeout(10_000);
    }

    private static JsonObject message(String type) {
        return new JsonObject().put("type", type);
    }

    private static Object request(String address, Object body, DeliveryOptions options) {
        return await(bus.request(address, body, options)).body();
    }

    private static int failureNumber(String address, Object body, DeliveryOptions options) {
        ReplyException failure = assertThrows(ReplyException.class, () -> request(address, body, options));
        assertEquals(ReplyFailure.RECIPIENT_FAILURE, failure.failureType(), failure.getMessage());
        return failure.failureCode();
    }

    @Test
    void whatStaysWithinOneVertxIsNotKnownToTheCluster() {
        PeerLane lane = new PeerLane(new NodeId("inner"), 0);
        List<String> heard = new CopyOnWriteArrayList<>();
        BusTransport inner = BusTransport.within(host.vertx(), "inner.", () -> 0);
        await(inner.receiveFrames("text", lane, frame -> heard.add(frame.toString()))
                .ready());
        BusTransport.within(other.vertx(), "inner.", () -> 0)
                .sendFrame("text", lane, Buffer.buffer("from another Vertx"));
        ReplyException failure = assertThrows(
                ReplyException.class, () -> request("__inner.lane.text.inner.0", Buffer.buffer("a"), to("x")));
        assertEquals(ReplyFailure.NO_HANDLERS, failure.failureType());
        inner.sendFrame("text", lane, Buffer.buffer("from here"));
        Await.until(() -> heard, () -> !heard.isEmpty());
        assertEquals(List.of("from here"), heard);
    }

    @Test
    void jsonGoesInAndComesOut() {
        assertNull(request("shardbus.counter", message("Add").put("amount", 5), to("j")));
        assertEquals(5L, request("shardbus.counter", message("Get"), to("j")));
        assertEquals(7L, request("shardbus.counter", message("AddAndGet").put("amount", 2), to("j")));
        JsonObject place = (JsonObject) request("shardbus.counter", message("Where"), to("j"));
        String home = await(host.sharding().locate("counter", "j"))
                .orElseThrow()
                .node()
                .value();
        assertEquals(home, place.getString("node"));
        assertEquals("xhello", request("shardbus.echo", "hello", to("x")));
    }

    @Test
    void aSendNeedsNoAnswer() {
        for (int i = 0; i < 10; i++) {
            bus.send("shardbus.counter", message("Add").put("amount", 1), to("s"));
        }
        TestCluster.until("ten adds", () -> 10L == (Long) request("shardbus.counter", message("Get"), to("s")));
    }

    @Test
    void failuresHaveStableCodes() {
        String address = "shardbus.counter";
        assertEquals(FailureCode.ENTITY_FAILED.number(), failureNumber(address, message("Refuse"), to("f")));
        assertEquals(FailureCode.INVALID_ID.number(), failureNumber(address, message("Get"), to("")));
        assertEquals(FailureCode.INVALID_ID.number(), failureNumber(address, message("Get"), to("x".repeat(1025))));
        assertEquals(FailureCode.INVALID_ID.number(), failureNumber(address, message("Get"), new DeliveryOptions()));
        List<Object> wrong = List.of(
                message("NoSuchMessage"),
                new JsonObject(),
                message("Add").put("amount", "many"),
                message("Add").put("amount", new JsonArray()),
                "text",
                Buffer.buffer("bytes"),
                new JsonArray().add(1),
                42L);
        for (Object body : wrong) {
            assertEquals(FailureCode.INVALID_MESSAGE.number(), failureNumber(address, body, to("f")), "" + body);
        }
        assertEquals(0L, request(address, message("Get"), to("f")));
    }

    @Test
    void aCodecWithoutAJsonFormSaysSo() {
        assertEquals(
                FailureCode.INVALID_MESSAGE.number(), failureNumber("shardbus.fragile", new JsonObject(), to("f")));
    }

    @Test
    void anAskThatHangsEndsWithTheTypesDeadline() {
        EntityType<String> type = EntityType.of("hanging", String.class);
        await(host.sharding()
                .start(EntityDefinition.of(
                                type,
                                id -> (message, context) -> context.vertx().timer(3000))
                        .withAskTimeout(Duration.ofMillis(100))));
        assertEquals(FailureCode.TIMED_OUT.number(), failureNumber("shardbus.hanging", "x", to("f")));
    }

    private static List<String> ownAddresses(NodeId node) {
        return List.of(
                "__vertx.shardbus.control." + node,
                "__vertx.shardbus.query." + node,
                "__vertx.shardbus.lane.counter." + node + ".0",
                "__vertx.shardbus.lane.counter." + node + ".1",
                "shardbus.counter",
                "shardbus.echo");
    }

    /** What a confused client may send: nothing, text, JSON, bytes that begin like ours, a newer version, much. */
    private static List<Object> garbage() {
        List<Object> garbage = new ArrayList<>(List.of(
                "",
                "hello",
                "x".repeat(1_000_000),
                new JsonObject(),
                new JsonObject(Map.of("question", "no such question")),
                new JsonObject(Map.of("question", 42)),
                new JsonObject(Map.of("question", "ids")),
                new JsonObject(Map.of("question", "home", "type", "counter")),
                new JsonObject(Map.of("question", "live", "type", "counter", "shard", "one")),
                new JsonArray(),
                42,
                true,
                Buffer.buffer(),
                Buffer.buffer(new byte[] {1}),
                Buffer.buffer(new byte[] {2, 0, 0, 0, 1, 'n'}),
                Buffer.buffer(new byte[2_000_000]),
                Buffer.buffer(new byte[] {1, 0, 0, 0, 1, 'n'}),
                Buffer.buffer(new byte[] {1, 127, -1, -1, -1, 'n'}),
                Buffer.buffer(new byte[] {1, 0, 0, 0, 1, 'n', 0, 0, 0, 4, 9, 9, 9, 9})));
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            if (bytes.length > 8 && i % 2 == 0) {
                System.arraycopy(new byte[] {1, 0, 0, 0, 1, 'n'}, 0, bytes, 0, 6);
            }
            garbage.add(Buffer.buffer(bytes));
        }
        return garbage;
    }

    @Test
    void garbageOnOurAddressesHurtsNobody() {
        for (int i = 0; i < 20; i++) {
            request("shardbus.counter", message("Add").put("amount", 1), to("g" + i));
        }
        long term = host.sharding().clusterState().term();
        for (TestCluster.Node target : List.of(host, other)) {
            for (String address : ownAddresses(target.id())) {
                garbage().forEach(body -> bus.send(address, body, to("g")));
                garbage().forEach(body -> bus.send(address, body));
            }
        }
        for (int i = 0; i < 20; i++) {
            for (TestCluster.Node node : List.of(host, other)) {
                assertEquals(1L, await(node.counter("g" + i).ask(new CounterMessage.Get())));
            }
        }
        assertEquals(term, host.sharding().clusterState().term());
        assertTrue(host.sharding().isReady() && other.sharding().isReady());
        var state = await(host.sharding().typeState("counter"));
        assertEquals(2, state.regions().size());
        assertTrue(state.failed().isEmpty());
    }
}
