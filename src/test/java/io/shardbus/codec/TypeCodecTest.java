package io.shardbus.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TypeCodecTest {
    private static final PayloadCodec<Shop> CODEC = PayloadCodecs.forType(Shop.TYPE);

    static Stream<Object> messages() {
        return Stream.of(
                new Shop.Add(Long.MIN_VALUE),
                new Shop.Get(),
                new Shop.Note(
                        "ü🚀\"\u0000",
                        List.of(new Shop.Line("a", 1)),
                        Map.of("k", 2),
                        Duration.ofMillis(1500),
                        Instant.EPOCH),
                new Shop.Note(null, null, null, null, null),
                new Shop.Refusing(0),
                new Shop.Typed("Add"),
                new Shop.Area(3, 3),
                Shop.Command.OPEN,
                Shop.Command.CLOSE,
                new Shop.Find("a"),
                new Shop.All(),
                new Shop.State(),
                new Shop.Pages());
    }

    static Stream<Object> answers() {
        return Stream.of(
                true,
                false,
                0,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                -0.0,
                Double.NaN,
                "",
                "ü🚀\uFFFD",
                Buffer.buffer(),
                Buffer.buffer("bytes"),
                new JsonObject().put("a", new JsonArray().add(1).addNull()),
                new JsonArray().add(new JsonObject().put("b", 1.5)),
                List.of(),
                List.of(1L, 2, "three", List.of(Set.of(4))),
                Arrays.asList(null, 1),
                Map.of("a", List.of(1L), "b", Map.of(1, 2)),
                Set.of(Shop.Mood.QUIET),
                List.of(new Shop.Line("a", 1), new Shop.Stock(1, 2.5)),
                new Shop.Stock(1, Double.NaN),
                new Shop.Missing("gone"),
                Shop.Mood.BUSY,
                new Shop.Page<>(List.of(new Shop.Line("a", 1)), 2));
    }

    static Stream<Buffer> garbage() {
        return Stream.of(
                Buffer.buffer(),
                bytes(0, 0),
                bytes(1),
                bytes(1, 2),
                bytes(1, 1, 1),
                bytes(2, 0, 0, 0),
                bytes(3, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                bytes(5, 0xff),
                bytes(7).appendString("{\"a\":1"),
                bytes(7).appendString("[]"),
                bytes(7).appendString("null"),
                bytes(7).appendString("{} {}"),
                bytes(8).appendString("{}"),
                bytes(9),
                bytes(9, 0, 0, 0),
                bytes(9, 0, 0, 0, 0, 0),
                bytes(9, 0, 0, 0, 1, 0, 0, 0, 2, 0),
                bytes(9, 0xff, 0xff, 0xff, 0xff),
                bytes(9, 0x7f, 0xff, 0xff, 0xff),
                bytes(9, 0, 0, 0, 1, 0x7f, 0xff, 0xff, 0xff, 0),
                bytes(9, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0),
                bytes(10, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0),
                bytes(11, 0, 0, 0, 1, 0, 0, 0, 1, 0),
                bytes(12),
                bytes(31),
                bytes(33, 1),
                bytes(255),
                bytes(32),
                bytes(32, 4).appendString("Add"),
                named("Add", ""),
                named("Add", "null"),
                named("Add", "[]"),
                named("Add", "7"),
                named("Add", "{\"amount\":1}x"),
                named("Add", "{\"amount\":1"),
                named("Add", "{\"amount\":\"1\"}"),
                named("Add", "{\"amount\":1.5}"),
                named("Add", "{\"amount\":9223372036854775808}"),
                named("Command", "\"SHUT\""),
                named("Command", "0"),
                named("java.lang.String", "\"x\""),
                named("Shop$Add", "{}"),
                named("", "{}"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void messagesComeBack(Object message) {
        assertTrue(CODEC.accepts(message));
        assertEquals(message, roundTrip(CODEC, message));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void answersComeBack(Object answer) {
        assertFalse(CODEC.accepts(answer));
        assertEquals(answer, roundTrip(CODEC, answer));
    }

    @Test
    void nullComesBackAndIsNoMessage() {
        assertNull(roundTrip(CODEC, null));
        assertFalse(CODEC.accepts(null));
    }

    @Test
    void answersKeepTheirExactClass() {
        var list = (List<?>) roundTrip(CODEC, List.of(1L, 1));
        assertEquals(
                List.of(Long.class, Integer.class),
                list.stream().map(Object::getClass).toList());
    }

    @ParameterizedTest
    @MethodSource("garbage")
    void garbageIsRefused(Buffer bytes) {
        var framed = Buffer.buffer("before").appendBuffer(bytes).appendString("{}}]after");
        int start = "before".length();
        var refusal =
                assertThrows(IllegalArgumentException.class, () -> CODEC.decode(framed, start, start + bytes.length()));
        assertTrue(refusal.getMessage().startsWith("entity type 'shop': cannot decode " + bytes.length() + " bytes: "));
        assertTrue(refusal.getMessage().length() < 300, refusal.getMessage());
    }

    @Test
    void deepListsAreRefused() {
        Object deep = List.of();
        for (int i = 0; i < 100; i++) {
            deep = List.of(deep);
        }
        var tooDeep = deep;
        assertThrows(IllegalArgumentException.class, () -> CODEC.encode(tooDeep, Buffer.buffer()));
        var self = new ArrayList<Object>();
        self.add(self);
        assertThrows(IllegalArgumentException.class, () -> CODEC.encode(self, Buffer.buffer()));
        var wire = bytes(9, 0, 0, 0, 0);
        for (int i = 0; i < 100; i++) {
            wire = bytes(9, 0, 0, 0, 1).appendInt(wire.length()).appendBuffer(wire);
        }
        assertRefused(wire, "deeper");
    }

    @Test
    void anUnknownTypeIsNamedButNotInFull() {
        assertRefused(named("Del\u0007ete", "{}"), "unknown type 'Del?ete'; known: Add, All, Area, ");
        assertRefused(named("x".repeat(255), "{}"), "unknown type '" + "x".repeat(64) + "...'");
    }

    @Test
    void errorsDoNotRepeatThePayload() {
        for (var json :
                List.of("{\"amount\":\"secret\"}", "{\"amount\":{\"secret\":1}}", "secret", "{\"amount\":secret}")) {
            var bytes = named("Add", json);
            var refusal = assertThrows(IllegalArgumentException.class, () -> CODEC.decode(bytes, 0, bytes.length()));
            for (Throwable e = refusal; e != null; e = e.getCause()) {
                assertFalse(e.getMessage().contains("secret"), e.getMessage());
            }
        }
        assertRefused(named("Add", "{\"amount\":\"x\"}"), "field 'amount' does not fit");
    }

    @Test
    void aConstructorMayRefuse() {
        var bytes = named("Refusing", "{\"size\":-1}");
        var refusal = assertThrows(IllegalArgumentException.class, () -> CODEC.decode(bytes, 0, bytes.length()));
        assertTrue(refusal.getMessage().endsWith("refused by the constructor of Refusing"), refusal.getMessage());
        assertEquals("negative size", refusal.getCause().getMessage());
    }

    @Test
    void fieldsMayComeAndGoInARollingUpdate() {
        assertEquals(new Shop.Add(1), decode(CODEC, named("Add", "{\"amount\":1,\"currency\":\"EUR\"}")));
        assertEquals(new Shop.Area(1, 0), decode(CODEC, named("Area", "{\"width\":1}")));
        assertEquals(new Shop.Find(null), decode(CODEC, named("Find", "{}")));
    }

    @Test
    void theWireFormatStays() {
        var out = Buffer.buffer("x");
        CODEC.encode(new Shop.Add(7), out);
        assertEquals(Buffer.buffer("x").appendBuffer(named("Add", "{\"amount\":7}")), out);
        var list = Buffer.buffer();
        CODEC.encode(Arrays.asList(true, null), list);
        assertEquals(bytes(9, 0, 0, 0, 2, 0, 0, 0, 2, 1, 1, 0, 0, 0, 1, 0), list);
    }

    @Test
    void classesOutsideTheSetAreRefused() {
        assertFalse(CODEC.accepts("text"));
        assertFalse(CODEC.accepts(new Shop.Line("a", 1)));
        for (var stranger : List.of(new Object(), Thread.State.NEW, 'c', 1.5f, List.of(1, 'c'), Instant.EPOCH)) {
            var out = Buffer.buffer("x");
            var refusal = assertThrows(IllegalArgumentException.class, () -> CODEC.encode(stranger, out));
            assertTrue(refusal.getMessage().startsWith("entity type 'shop': cannot encode "), refusal.getMessage());
            assertEquals(Buffer.buffer("x"), out);
        }
    }

    @Test
    void failedJsonLeavesTheBufferAsItWas() {
        var out = Buffer.buffer("x");
        var unwritable = new JsonObject(new java.util.HashMap<>(Map.of("a", new Unwritable())));
        assertThrows(IllegalArgumentException.class, () -> CODEC.encode(unwritable, out));
        assertEquals(Buffer.buffer("x"), out);
    }

    @Test
    void scalarsAreMessagesOfTheirOwnTypes() {
        for (var message : List.of(true, 1, 2L, 3.0, "text", Buffer.buffer("b"), new JsonObject(), new JsonArray())) {
            var codec = PayloadCodecs.forType(EntityType.of("scalar", scalarClass(message)));
            assertTrue(codec.accepts(message));
            assertFalse(codec.accepts(Collections.emptyIterator()));
            assertEquals(message, roundTrip(codec, message));
            assertEquals("answer", roundTrip(codec, "answer"));
        }
    }

    @Test
    void aSingleRecordAndASingleEnumAreTypes() {
        var record = PayloadCodecs.forType(EntityType.of("line", Shop.Line.class));
        assertEquals(new Shop.Line("a", 1), roundTrip(record, new Shop.Line("a", 1)));
        assertTrue(record.accepts(new Shop.Line("a", 1)));
        var constant = PayloadCodecs.forType(EntityType.of("command", Shop.Command.class));
        assertSame(Shop.Command.CLOSE, roundTrip(constant, Shop.Command.CLOSE));
    }

    @Test
    void otherClassesNeedACodec() {
        for (var type :
                List.of(Object.class, StringBuilder.class, Number.class, Runnable.class, Open.class, Posing.class)) {
            var refusal = assertThrows(
                    IllegalArgumentException.class, () -> PayloadCodecs.forType(EntityType.of("bad", type)));
            assertTrue(refusal.getMessage().startsWith("entity type 'bad': "), refusal.getMessage());
            assertTrue(
                    refusal.getMessage().endsWith("bring a codec: EntityDefinition.withCodec"), refusal.getMessage());
        }
    }

    @Test
    void namesMustBeDifferent() {
        var refusal = assertThrows(
                IllegalArgumentException.class, () -> PayloadCodecs.forType(EntityType.of("twins", Twins.class)));
        assertTrue(refusal.getMessage().contains("two classes are called 'Add'"), refusal.getMessage());
        var pages = assertThrows(
                IllegalArgumentException.class, () -> PayloadCodecs.forType(EntityType.of("pages", TwoPages.class)));
        assertTrue(pages.getMessage().contains("different type arguments"), pages.getMessage());
    }

    @Test
    void aMessageMayBeAnsweredByItsOwnClass() {
        var self = PayloadCodecs.forType(EntityType.of("self", Self.class));
        assertEquals(new Self("a"), roundTrip(self, new Self("a")));
        var selves = PayloadCodecs.forType(EntityType.of("selves", Selves.class));
        assertEquals(List.of(new Selves("a")), roundTrip(selves, List.of(new Selves("a"))));
        var tree = PayloadCodecs.forType(EntityType.of("tree", Tree.class));
        assertEquals(new Tree.Root("a"), roundTrip(tree, new Tree.Root("a")));
        var page = new Shop.Page<>(List.of(new Tree.Leaf("a")), 1);
        assertEquals(page, roundTrip(tree, page));
    }

    static Class<?> scalarClass(Object value) {
        return value instanceof Buffer ? Buffer.class : value.getClass();
    }

    static Object roundTrip(PayloadCodec<?> codec, Object value) {
        var out = Buffer.buffer("before");
        codec.encode(value, out);
        int end = out.length();
        return codec.decode(out.appendString("after"), "before".length(), end);
    }

    private static Object decode(PayloadCodec<?> codec, Buffer bytes) {
        return codec.decode(bytes, 0, bytes.length());
    }

    private static void assertRefused(Buffer bytes, String reason) {
        var refusal = assertThrows(IllegalArgumentException.class, () -> decode(CODEC, bytes));
        assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
    }

    private static Buffer bytes(int... values) {
        var buffer = Buffer.buffer();
        Arrays.stream(values).forEach(value -> buffer.appendByte((byte) value));
        return buffer;
    }

    static Buffer named(String name, String json) {
        return bytes(32, name.length()).appendString(name).appendString(json);
    }

    sealed interface Open {
        record Fine() implements Open {}

        non-sealed interface Door extends Open {}
    }

    /** Its answer is no class of ours. */
    record Posing() implements Ask<StringBuilder> {}

    sealed interface Twins {
        record Add() implements Twins {}

        sealed interface More extends Twins {
            record Add() implements More {}
        }
    }

    record Self(String text) implements Ask<Self> {}

    record Selves(String text) implements Ask<List<Selves>> {}

    sealed interface Tree {
        record Leaf(String text) implements Tree, Ask<Shop.Page<Leaf>> {}

        record Branch(String text) implements Tree, Ask<Shop.Page<Leaf>> {}

        record Root(String text) implements Tree, Ask<Tree> {}
    }

    sealed interface TwoPages {
        record One() implements TwoPages, Ask<Shop.Page<String>> {}

        record Two() implements TwoPages, Ask<Shop.Page<Long>> {}
    }

    static final class Unwritable {
        public String getText() {
            throw new IllegalStateException("no text");
        }
    }
}
