package io.shardbus.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityType;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages and answers as event-bus clients write and read them. */
class JsonFormTest {
    private static final PayloadCodec<Shop> CODEC = PayloadCodecs.forType(Shop.TYPE);

    @Test
    void jsonGivesAMessage() {
        assertEquals(new Shop.Get(), CODEC.fromJson(new JsonObject("{\"type\":\"Get\"}")));
        assertEquals(new Shop.Add(5), CODEC.fromJson(new JsonObject("{\"type\":\"Add\",\"amount\":5}")));
        assertEquals(new Shop.Find("a"), CODEC.fromJson(new JsonObject("{\"type\":\"Find\",\"article\":\"a\"}")));
        assertEquals(Shop.Command.CLOSE, CODEC.fromJson(new JsonObject("{\"type\":\"Command\",\"value\":\"CLOSE\"}")));
        var note = new JsonObject()
                .put("type", "Note")
                .put(
                        "lines",
                        new JsonArray().add(new JsonObject().put("article", "a").put("count", 2)))
                .put("pause", "PT1S");
        assertEquals(
                new Shop.Note(null, List.of(new Shop.Line("a", 2)), null, Duration.ofSeconds(1), null),
                CODEC.fromJson(note));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"type\":null}",
                "{\"type\":7}",
                "{\"type\":\"add\"}",
                "{\"type\":\"Stock\",\"count\":1,\"price\":2}",
                "{\"type\":\"Add\",\"amount\":\"5\"}",
                "{\"type\":\"Add\",\"amount\":1.5}",
                "{\"type\":\"Refusing\",\"size\":-1}",
                "{\"type\":\"Command\"}",
                "{\"type\":\"Command\",\"value\":\"SHUT\"}",
                "{\"type\":\"Note\",\"pause\":\"soon\"}",
                "{\"type\":\"Typed\"}"
            })
    void otherJsonIsRefused(String json) {
        var refusal = assertThrows(IllegalArgumentException.class, () -> CODEC.fromJson(new JsonObject(json)));
        assertTrue(refusal.getMessage().startsWith("entity type 'shop': not a message: "), refusal.getMessage());
    }

    @Test
    void theOnlyMessageClassNeedsNoName() {
        var line = PayloadCodecs.forType(EntityType.of("line", Shop.Line.class));
        var json = new JsonObject().put("article", "a").put("count", 1);
        assertEquals(new Shop.Line("a", 1), line.fromJson(json));
        assertEquals(new Shop.Line("a", 1), line.fromJson(json.copy().put("type", "Line")));
        assertThrows(
                IllegalArgumentException.class, () -> line.fromJson(json.copy().put("type", "Other")));
        var typed = PayloadCodecs.forType(EntityType.of("typed", Shop.Typed.class));
        assertEquals(new Shop.Typed("x"), typed.fromJson(new JsonObject().put("type", "x")));
        assertEquals(new JsonObject().put("type", "x"), typed.toJson(new Shop.Typed("x")));
    }

    @Test
    void aJsonObjectIsAMessageItself() {
        var codec = PayloadCodecs.forType(EntityType.of("json", JsonObject.class));
        var json = new JsonObject().put("anything", 1);
        assertEquals(json, codec.fromJson(json));
        assertEquals(json, codec.toJson(json));
    }

    @Test
    void scalarMessagesHaveNoJsonForm() {
        var codec = PayloadCodecs.forType(EntityType.of("text", String.class));
        assertThrows(UnsupportedOperationException.class, () -> codec.fromJson(new JsonObject()));
        assertEquals("text", codec.toJson("text"));
    }

    @Test
    void answersBecomeJson() {
        assertNull(CODEC.toJson(null));
        assertEquals(5L, CODEC.toJson(5L));
        assertEquals("text", CODEC.toJson("text"));
        assertEquals(Buffer.buffer("b"), CODEC.toJson(Buffer.buffer("b")));
        assertEquals("QUIET", CODEC.toJson(Shop.Mood.QUIET));
        assertEquals(
                new JsonObject().put("count", 1).put("price", 2.5).put("type", "Stock"),
                CODEC.toJson(new Shop.Stock(1, 2.5)));
        var line = new JsonObject().put("article", "a").put("count", 1);
        assertEquals(
                new JsonArray().add(line.copy().put("type", "Line")), CODEC.toJson(List.of(new Shop.Line("a", 1))));
        assertEquals(
                new JsonObject()
                        .put("items", new JsonArray().add(line))
                        .put("next", 0)
                        .put("type", "Page"),
                CODEC.toJson(new Shop.Page<>(List.of(new Shop.Line("a", 1)), 0)));
        assertEquals(new JsonObject().put("QUIET", 1), CODEC.toJson(Map.of(Shop.Mood.QUIET, 1)));
        assertEquals(new JsonArray().add(1), CODEC.toJson(Set.of(1)));
        assertThrows(UnsupportedOperationException.class, () -> CODEC.toJson('c'));
    }
}
