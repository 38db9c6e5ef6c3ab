package io.shardbus.integration.start;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.failure;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.shardbus.Ask;
import io.shardbus.ClusterOperations;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingEnvelope;
import io.shardbus.ShardingException;
import io.shardbus.StartEntity;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.Fragile;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

public class BadInputTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static LoneNode node;
    private static ShardRegion<String> region;

    @BeforeAll
    static void open() {
        node = new LoneNode(TestCluster.options());
        region = node.start(texts(id -> (message, context) -> Future.succeededFuture(context.id() + ":" + message)));
    }

    @AfterAll
    static void close() {
        node.close();
    }

    private static FailureCode refusal(Runnable action) {
        return assertThrows(ShardingException.class, action::run).code();
    }

    @Test
    void refusesQueriesForWhatThereIsNot() {
        ClusterSharding sharding = node.sharding();
        String type = region.type().name();
        assertEquals(FailureCode.UNKNOWN_TYPE, failureCode(sharding.rebalance("unknown")));
        assertEquals(FailureCode.INVALID_ID, failureCode(sharding.entityIds(type, region.numberOfShards())));
        assertEquals(FailureCode.INVALID_ID, failureCode(sharding.entityIds(type, -1)));
        assertEquals(FailureCode.UNKNOWN_NODE, failureCode(sharding.drain(new NodeId("unknown"))));
        assertEquals(FailureCode.UNKNOWN_NODE, failureCode(sharding.undrain(new NodeId("unknown"))));
        assertEquals(0, await(sharding.rebalance(type)));
        assertEquals(Set.of(), await(sharding.entityIds(type, region.numberOfShards() - 1)));
    }

    @Test
    void refusesOrdersAboutNoTypeOrNoShard() {
        ClusterOperations operations = node.sharding().operations();
        NodeId self = node.sharding().self();
        assertEquals(FailureCode.UNKNOWN_TYPE, failureCode(operations.move("", 3, null)));
        assertEquals(FailureCode.UNKNOWN_TYPE, failureCode(operations.pin("", 3, self)));
        assertEquals(FailureCode.UNKNOWN_TYPE, failureCode(operations.unpin("", 3)));
        String type = region.type().name();
        assertEquals(FailureCode.UNKNOWN_SHARD, failureCode(operations.move(type, -1, null)));
        assertEquals(FailureCode.UNKNOWN_SHARD, failureCode(operations.pin(type, -1, self)));
        assertEquals(FailureCode.UNKNOWN_SHARD, failureCode(operations.unpin(type, -1)));
    }

    @Test
    void recordsAnActionWithAParameterThatHasNoJson() {
        ClusterOperations operations = node.sharding().operations();
        Broken broken = new Broken();
        operations.recordAction("try", null, "shard", Map.of("broken", broken, "times", 2, "forced", true));
        Map<String, Object> details = await(operations.events("", 5_000)).events().stream()
                .filter(event -> event.kind() == ClusterEvent.Kind.ACTION)
                .findFirst()
                .orElseThrow()
                .details();
        assertEquals(Map.of("action", "try", "broken", "broken thing", "times", 2, "forced", true), details);
    }

    @Test
    void namesTheTypesThereAreForAnUnknownOne() {
        EntityType<String> unknown = EntityType.of("unknown", String.class);
        ShardingException refusal =
                assertThrows(ShardingException.class, () -> node.sharding().entityRef(unknown, "a"));
        assertEquals(FailureCode.UNKNOWN_TYPE, refusal.code());
        assertTrue(refusal.getMessage().contains(region.type().name()), refusal.getMessage());
        assertEquals(FailureCode.UNKNOWN_TYPE, failureCode(node.sharding().locate("unknown", "a")));
    }

    @Test
    void refusesATypeWithAnotherMessageClass() {
        EntityType<Long> other = EntityType.of(region.type().name(), Long.class);
        assertEquals(FailureCode.UNKNOWN_TYPE, refusal(() -> node.sharding().entityRef(other, "a")));
    }

    /** Ids of exactly 1,024 bytes of UTF-8. */
    public static List<String> longestIds() {
        return List.of(
                "a".repeat(1024),
                "ü".repeat(512),
                "ü".repeat(511) + "aa",
                "😀".repeat(256),
                "😀".repeat(255) + "漢" + "a",
                "漢".repeat(341) + "a");
    }

    @ParameterizedTest
    @MethodSource("longestIds")
    void takesIdsUpToTheLimitAndNoByteMore(String id) {
        assertEquals(id + ":x", await(ask(region.entityRef(id), "x")));
        assertEquals(FailureCode.INVALID_ID, refusal(() -> region.entityRef(id + "a")));
        assertEquals(FailureCode.INVALID_ID, refusal(() -> region.entityRef("ü" + id)));
    }

    @Test
    void refusesIdsThatAreNone() {
        for (String id : List.of("", "a".repeat(100_000), "half \ud83d pair", "\ude00", "end \ud83d")) {
            assertEquals(FailureCode.INVALID_ID, refusal(() -> region.entityRef(id)));
            assertEquals(FailureCode.INVALID_ID, refusal(() -> region.tell(new ShardingEnvelope<>(id, "x"))));
            assertEquals(FailureCode.INVALID_ID, failureCode(region.ask(new StartEntity(id), Object.class, SOON)));
        }
        assertEquals(" :x", await(ask(region.entityRef(" "), "x")));
        assertEquals("a/b?c\n:x", await(ask(region.entityRef("a/b?c\n"), "x")));
    }

    @Test
    @SuppressWarnings("NullAway")
    void refusesNull() {
        EntityRef<String> entity = region.entityRef("a");
        assertEquals(FailureCode.INVALID_MESSAGE, refusal(() -> entity.tell(null)));
        assertEquals(FailureCode.INVALID_MESSAGE, failureCode(entity.request(null, String.class, SOON)));
        assertEquals(FailureCode.INVALID_MESSAGE, refusal(() -> region.tell(null)));
        assertEquals(FailureCode.INVALID_MESSAGE, failureCode(region.ask(null, String.class, SOON)));
    }

    /** Says that it is a message, but of another type. */
    private record Stranger() implements Ask<Long> {}

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void refusesMessagesOfOtherClasses() {
        ShardRegion<CounterMessage> counters = node.start(Counter.definition());
        EntityRef raw = counters.entityRef("a");
        assertEquals(FailureCode.INVALID_MESSAGE, refusal(() -> raw.tell("text")));
        assertEquals(FailureCode.INVALID_MESSAGE, failureCode(raw.ask(new Stranger())));
        assertEquals(FailureCode.INVALID_MESSAGE, failureCode(raw.ask(new Stranger(), SOON)));
        assertEquals(
                FailureCode.INVALID_MESSAGE,
                failureCode(counters.ask(new ShardingEnvelope<>("a", new Stranger()), Long.class, SOON)));
        assertEquals(0L, await(counters.entityRef("a").ask(new CounterMessage.Get())));
    }

    @Test
    void refusesDeadlinesOutOfRange() {
        EntityRef<String> entity = region.entityRef("a");
        List<Duration> wrong = List.of(
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofNanos(1),
                Duration.ofDays(2),
                Duration.ofSeconds(Long.MAX_VALUE));
        for (Duration timeout : wrong) {
            String text = assertThrows(IllegalArgumentException.class, () -> entity.request("x", String.class, timeout))
                    .getMessage();
            assertTrue(text.contains("use 1 ms to 1 day"), text);
        }
    }

    @Test
    void saysSoWhenTheAnswerIsOfAnotherClass() {
        ShardingException wrong = failure(region.entityRef("a").request("x", Long.class, SOON));
        assertEquals(FailureCode.PAYLOAD_NOT_DECODABLE, wrong.code());
        assertTrue(wrong.getMessage().contains("java.lang.String, not a java.lang.Long"), wrong.getMessage());
    }

    @Test
    void serializesLocallyWhereTheOptionSaysSo() {
        try (LoneNode strict =
                new LoneNode(TestCluster.options().setSerializeLocal(true).setMaxPayloadBytes(4096))) {
            EntityDefinition<Fragile> definition = EntityDefinition.of(
                            Fragile.TYPE, id -> (message, context) -> Future.succeededFuture(message))
                    .withCodec(new Fragile.Codec());
            EntityRef<Fragile> entity = strict.start(definition).entityRef("a");
            Fragile sent = new Fragile("fine");
            Fragile back = await(entity.request(sent, Fragile.class, SOON));
            assertEquals(sent, back);
            assertNotSame(sent, back, "went through the codec");
            assertEquals(
                    FailureCode.PAYLOAD_NOT_ENCODABLE,
                    failureCode(entity.request(new Fragile("unwritable"), Fragile.class, SOON)));
            assertEquals(
                    FailureCode.PAYLOAD_NOT_DECODABLE,
                    failureCode(entity.request(new Fragile("unreadable"), Fragile.class, SOON)));
            assertEquals(
                    FailureCode.PAYLOAD_TOO_LARGE,
                    failureCode(entity.request(new Fragile("x".repeat(5000)), Fragile.class, SOON)));
            assertEquals(FailureCode.PAYLOAD_NOT_ENCODABLE, refusal(() -> entity.tell(new Fragile("unwritable"))));
        }
    }

    @Test
    @DisplayName(
            "what cannot travel is an object like any other within the node, and named where messages are serialized")
    void namesTheFieldThatCannotTravel() {
        EntityDefinition<Wish> definition = EntityDefinition.of(
                EntityType.of("wish", Wish.class), id -> (message, context) -> Future.succeededFuture(message));
        Wish wish = new Wish(new Broken());
        assertSame(wish, await(node.start(definition).entityRef("a").request(wish, Wish.class, SOON)));
        try (LoneNode strict = new LoneNode(TestCluster.options().setSerializeLocal(true))) {
            EntityRef<Wish> entity = strict.start(definition).entityRef("a");
            ShardingException refused = failure(entity.request(wish, Wish.class, SOON));
            assertEquals(FailureCode.PAYLOAD_NOT_ENCODABLE, refused.code());
            String reason =
                    "Jackson cannot write field 'thing' as JSON: Jackson has no JSON for " + Broken.class.getName();
            assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        }
    }

    record Wish(Broken thing) {}

    /** Jackson has no JSON for it, with any module. */
    @JsonSerialize(using = BrokenWriter.class)
    static final class Broken {
        @Override
        public String toString() {
            return "broken thing";
        }
    }

    static final class BrokenWriter extends JsonSerializer<Broken> {
        @Override
        public void serialize(Broken value, JsonGenerator out, SerializerProvider provider) throws IOException {
            provider.reportBadDefinition(Broken.class, "it has no form");
        }
    }
}
