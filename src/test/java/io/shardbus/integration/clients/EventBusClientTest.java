package io.shardbus.integration.clients;

import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityFailure;
import io.shardbus.EntityType;
import io.shardbus.InternalMessage;
import io.shardbus.ShardRegion;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a plain event-bus client, and its operator, hear of messages that fail. */
class EventBusClientTest {
    private static final DeliveryOptions TO = new DeliveryOptions().addHeader("entity-id", "a");
    private static LoneNode node;

    @BeforeAll
    static void open() {
        node = new LoneNode(TestCluster.options());
    }

    @AfterAll
    static void close() {
        node.close();
    }

    private static ShardRegion<String> start() {
        return node.start(texts(id -> (message, context) -> switch (message) {
            case "refuse" -> throw new EntityFailure("FULL", "too many items");
            case "refuse oddly" -> throw new EntityFailure("FULL", "FULL: said twice");
            case "fail" -> Future.failedFuture(new IllegalStateException("broken"));
            default -> Future.succeededFuture(message);
        }));
    }

    private static String failure(ShardRegion<?> region, Object body) {
        return failure(region, body, TO);
    }

    private static String failure(ShardRegion<?> region, Object body, DeliveryOptions to) {
        String address = "shardbus." + region.type().name();
        ReplyException failure = assertThrows(
                ReplyException.class, () -> await(node.vertx().eventBus().request(address, body, to)));
        return failure.failureCode() + " " + failure.getMessage();
    }

    @Test
    void theEntitysOwnCodeBeginsTheText() {
        ShardRegion<String> region = start();
        int failed = FailureCode.ENTITY_FAILED.number();
        assertEquals(failed + " FULL: too many items", failure(region, "refuse"));
        assertEquals(failed + " FULL: said twice", failure(region, "refuse oddly"));
        assertEquals(failed + " java.lang.IllegalStateException: broken", failure(region, "fail"));
    }

    @Test
    void whatIsNoMessageIsCountedByTheRegion() {
        ShardRegion<String> region = start();
        String address = "shardbus." + region.type().name();
        for (int i = 0; i < 9; i++) {
            node.vertx().eventBus().send(address, 42L, TO);
        }
        node.vertx().eventBus().send(address, "no id");
        failure(region, 42L);
        TestCluster.until(
                "eleven", () -> await(region.state()).counters().getOrDefault("bus_messages_refused", 0L) == 11);
    }

    @Test
    void requestsThatNameNoEntityAreCountedByTheRegion() {
        ShardRegion<String> region = start();
        String begin = FailureCode.INVALID_ID.number() + " entity id of ";
        for (String id : List.of("", "x".repeat(1025))) {
            DeliveryOptions to = new DeliveryOptions().addHeader("entity-id", id);
            assertTrue(failure(region, "a message", to).startsWith(begin));
        }
        assertTrue(failure(region, "a message", new DeliveryOptions()).startsWith(begin));
        failure(region, "fail");
        assertEquals(3, await(region.state()).counters().get("bus_messages_refused"), "what its entity fails is none");
    }

    /** Lacks a class of its library. */
    private static final class Broken implements PayloadCodec<Thread> {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public boolean accepts(Object message) {
            return message instanceof Thread;
        }

        @Override
        public void encode(Object value, Buffer out) {
            throw new NoClassDefFoundError("library/Writer");
        }

        @Override
        public Object decode(Buffer in, int start, int end) {
            throw new NoClassDefFoundError("library/Reader");
        }

        @Override
        public Thread fromJson(JsonObject json) {
            throw new NoClassDefFoundError("library/Json");
        }
    }

    @Test
    void anErrorOfTheTypesCodecIsAnsweredToo() {
        EntityType<Thread> type = EntityType.of("of-broken-codec", Thread.class);
        ShardRegion<Thread> region = node.start(
                EntityDefinition.of(type, id -> (Entity<Thread>) (message, context) -> Future.succeededFuture())
                        .withCodec(new Broken()));
        assertEquals(FailureCode.INVALID_MESSAGE.number() + " library/Json", failure(region, new JsonObject()));
        assertEquals(1, await(region.state()).counters().get("bus_messages_refused"));
    }

    sealed interface Lot {}

    record Bid(long amount) implements Lot {}

    record Close(String why) implements Lot, InternalMessage {}

    @Test
    void internalMessagesAreRefusedAndCounted() {
        List<Lot> received = new CopyOnWriteArrayList<>();
        EntityType<Lot> type = EntityType.of("lots", Lot.class);
        ShardRegion<Lot> region = node.start(EntityDefinition.of(type, id -> (message, context) -> {
            received.add(message);
            return Future.succeededFuture("done");
        }));
        JsonObject close = new JsonObject().put("type", "Close").put("why", "now");
        assertEquals(
                FailureCode.INTERNAL_MESSAGE.number()
                        + " Close is an InternalMessage, which event-bus clients may not send",
                failure(region, close));
        node.vertx().eventBus().send("shardbus.lots", close, TO);
        JsonObject bid = new JsonObject().put("type", "Bid").put("amount", 5);
        Object answer =
                await(node.vertx().eventBus().request("shardbus.lots", bid, TO)).body();
        assertEquals("done", answer);
        assertEquals(List.of(new Bid(5)), received);
        assertEquals(2, await(region.state()).counters().get("bus_messages_refused"));
        region.entityRef("a").tell(new Close("time is up"));
        TestCluster.until("the entity has it", () -> received.contains(new Close("time is up")));
    }
}
