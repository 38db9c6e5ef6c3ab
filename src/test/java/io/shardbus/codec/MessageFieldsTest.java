package io.shardbus.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.shardbus.EntityType;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/guides/messages.md says of the fields of records. */
class MessageFieldsTest {
    record Numbers(byte b, short s, int i, long l, float f, double d, BigInteger big, BigDecimal money) {}

    record Boxes(Integer i, Long l, Double d, Boolean flag, Character c) {}

    record Texts(String text, char c, boolean flag, Leaf leaf, UUID id, URI uri) {}

    record Times(
            Instant instant,
            Duration duration,
            LocalDate date,
            LocalTime time,
            LocalDateTime both,
            OffsetDateTime offset,
            ZonedDateTime zoned,
            DayOfWeek day) {}

    record Collections(
            List<Leaf> list,
            Set<String> set,
            Map<String, Leaf> map,
            Map<Integer, String> ints,
            Map<UUID, Long> ids,
            Map<DayOfWeek, Integer> days) {}

    record Arrays(Holder<byte[]> bytes, Holder<int[]> ints, Holder<String[]> texts) {}

    record VertxValues(Buffer buffer, JsonObject object, JsonArray array, String after) {}

    record Tree(Leaf leaf, Tree left, Holder<Leaf> held) {}

    record Holder<T>(T value) {}

    record Leaf(int count) {}

    record Loose(Object any, Number number) {}

    record Shapes(Shape shape) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
    sealed interface Shape {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    sealed interface Bare {}

    record Stone(int weight) implements Bare {}

    record Optionals(Optional<String> note) {}

    record Years(Year year) {}

    record Zones(ZoneId zone) {}

    record Sealed(Bare bare) {}

    record SealedList(List<Bare> bares) {}

    record Threads(Thread thread) {}

    record Callbacks(Runnable callback) {}

    record Keys(Map<Leaf, String> map) {}

    /** May lack a text, and says so to Java in a way that JSON does not see. */
    record Note(String text) {
        Optional<String> textIfAny() {
            return Optional.ofNullable(text);
        }
    }

    /** A getter with the name of a field. */
    record Doubled(int size) {
        public int getSize() {
            return 2 * size;
        }
    }

    record Order(String sku, int count, Integer discount) {}

    record Positive(int count) {
        Positive {
            if (count <= 0) {
                throw new IllegalArgumentException("count must be positive");
            }
        }
    }

    static Stream<Object> travelling() {
        return Stream.of(
                new Numbers((byte) -1, (short) 2, 3, Long.MAX_VALUE, 1.5f, Double.NaN, BigInteger.TEN.pow(30), money()),
                new Boxes(1, 2L, 3.5, true, 'x'),
                new Boxes(null, null, null, null, null),
                new Texts("ü", 'c', true, new Leaf(1), new UUID(1, 2), URI.create("http://a/b?c")),
                new Times(
                        Instant.ofEpochSecond(1, 123_456_789),
                        Duration.ofNanos(1),
                        LocalDate.EPOCH,
                        LocalTime.NOON,
                        LocalDate.EPOCH.atTime(LocalTime.NOON),
                        OffsetDateTime.parse("2026-01-02T03:04:05.000000006+07:00"),
                        ZonedDateTime.parse("2026-01-02T03:04:05+01:00[Europe/Berlin]"),
                        DayOfWeek.MONDAY),
                new Collections(
                        List.of(new Leaf(1)),
                        Set.of("a", "b"),
                        Map.of("k", new Leaf(2)),
                        Map.of(1, "a"),
                        Map.of(new UUID(3, 4), 5L),
                        Map.of(DayOfWeek.MONDAY, 6)),
                new VertxValues(Buffer.buffer("bytes"), json(), JsonArray.of(1, json()), "after"),
                new VertxValues(null, null, null, null),
                new Tree(new Leaf(1), new Tree(null, null, null), new Holder<>(new Leaf(2))),
                new Shapes(new Circle(1)),
                new Shapes(new Square(2)),
                new Note("text"),
                new Note(null));
    }

    static Stream<Arguments> unwritable() {
        return Stream.of(
                Arguments.of(
                        new Optionals(Optional.of("secret")),
                        "field 'note' as JSON: Jackson has no JSON for java.util.Optional"),
                Arguments.of(new Years(Year.of(2026)), "field 'year' as JSON: Jackson has no JSON for java.time.Year"),
                Arguments.of(
                        new Zones(ZoneId.of("UTC")), "field 'zone' as JSON: Jackson has no JSON for java.time.Zone"));
    }

    static Stream<Arguments> unreadable() {
        return Stream.of(
                Arguments.of(
                        new Sealed(new Stone(1)),
                        "field 'bare' does not fit: Jackson has no JSON for " + Bare.class.getName()),
                Arguments.of(
                        new SealedList(List.of(new Stone(1))),
                        "field 'bares' does not fit: Jackson has no JSON for " + Bare.class.getName()),
                Arguments.of(
                        new Callbacks(() -> {}),
                        "field 'callback' does not fit: Jackson has no JSON for java.lang.Runnable"),
                Arguments.of(new Threads(Thread.currentThread()), "Jackson has no JSON for java.lang.Thread"),
                Arguments.of(new Keys(Map.of(new Leaf(1), "a")), "Jackson has no JSON for " + Leaf.class.getName()));
    }

    @ParameterizedTest
    @MethodSource("travelling")
    void travels(Record message) {
        assertEquals(message, TypeCodecTest.roundTrip(codec(message.getClass()), message));
    }

    @Test
    void optionalsAndAllTimesTravelWhereTheirModulesAreOnTheClassPath() {
        for (Record message : List.of(
                new Optionals(Optional.of("text")),
                new Optionals(Optional.empty()),
                new Years(Year.of(2026)),
                new Zones(ZoneId.of("Europe/Berlin")))) {
            assertEquals(message, TypeCodecTest.roundTrip(present(message.getClass()), message));
        }
    }

    @ParameterizedTest
    @MethodSource("travelling")
    void theirFormIsTheSameWithThoseModulesAndWithout(Record message) {
        var bare = Buffer.buffer();
        codec(message.getClass()).encode(message, bare);
        var present = Buffer.buffer();
        present(message.getClass()).encode(message, present);
        assertEquals(bare, present);
        assertEquals(message, present(message.getClass()).decode(bare, 0, bare.length()));
    }

    private static <M> PayloadCodec<M> present(Class<M> type) {
        return PayloadCodecs.forType(EntityType.of("fields", type));
    }

    @Test
    void aMapperOfTheApplicationSaysWhatTravels() {
        var secret = new SimpleModule().addSerializer(Thread.class, new ToStringSerializer());
        secret.addDeserializer(Thread.class, new FromStringDeserializer<Thread>(Thread.class) {
            private static final long serialVersionUID = 1L;

            @Override
            protected Thread _deserialize(String text, DeserializationContext context) {
                return Thread.currentThread();
            }
        });
        var mapper = JsonMapper.builder().addModule(secret).build();
        var codec = PayloadCodecs.forType(EntityType.of("fields", Threads.class), mapper);
        var message = new Threads(Thread.currentThread());
        assertEquals(message, TypeCodecTest.roundTrip(codec, message));
        var json = (JsonObject) codec.toJson(message);
        assertEquals(Thread.currentThread().toString(), json.getString("thread"));
        assertEquals(message, codec.fromJson(json));
        assertEquals(message, codec.fromJson(json.copy().put("added", "by a later version")));
    }

    @Test
    void arraysTravel() {
        var sent = new Arrays(
                new Holder<>(new byte[] {1, -1}), new Holder<>(new int[] {2}), new Holder<>(new String[] {"a"}));
        var got = assertInstanceOf(Arrays.class, TypeCodecTest.roundTrip(codec(Arrays.class), sent));
        assertArrayEquals(sent.bytes.value, got.bytes.value);
        assertArrayEquals(sent.ints.value, got.ints.value);
        assertArrayEquals(sent.texts.value, got.texts.value);
    }

    @ParameterizedTest
    @MethodSource("unwritable")
    void isRefusedBySender(Record message, String reason) {
        var out = Buffer.buffer();
        var refusal = assertThrows(
                IllegalArgumentException.class, () -> codec(message.getClass()).encode(message, out));
        assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
        assertEquals(0, out.length());
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void isRefusedByReceiver(Record message, String reason) {
        var codec = codec(message.getClass());
        var refusal = assertThrows(IllegalArgumentException.class, () -> TypeCodecTest.roundTrip(codec, message));
        assertTrue(refusal.getMessage().endsWith(reason), refusal.getMessage());
    }

    @Test
    void whatTheDeclaredTypeDoesNotSayIsLost() {
        var codec = codec(Loose.class);
        assertEquals(new Loose(1, 2), TypeCodecTest.roundTrip(codec, new Loose(1L, 2L)));
        assertEquals(new Loose(Map.of("count", 1), null), TypeCodecTest.roundTrip(codec, new Loose(new Leaf(1), null)));
        assertEquals(
                new Holder<>(Map.of("count", 1)),
                TypeCodecTest.roundTrip(codec(Holder.class), new Holder<>(new Leaf(1))));
    }

    @Test
    void aGetterReplacesTheFieldOfItsName() {
        assertEquals(new Doubled(6), TypeCodecTest.roundTrip(codec(Doubled.class), new Doubled(3)));
    }

    @Test
    void misspeltAndMissingFieldsOfJsonAreNoErrors() {
        assertEquals(new Order("q", 0, null), fromJson(Order.class, "{\"sku\":\"q\",\"cont\":3}"));
        assertEquals(new Order(null, 3, 0), fromJson(Order.class, "{\"count\":3,\"discount\":0}"));
        assertThrows(IllegalArgumentException.class, () -> fromJson(Order.class, "{\"count\":\"3\"}"));
        assertThrows(IllegalArgumentException.class, () -> fromJson(Order.class, "{\"count\":3.5}"));
    }

    @Test
    void aConstructorMayInsistOnAField() {
        assertEquals(new Positive(3), fromJson(Positive.class, "{\"count\":3}"));
        var refusal = assertThrows(IllegalArgumentException.class, () -> fromJson(Positive.class, "{\"cont\":3}"));
        assertTrue(refusal.getMessage().endsWith("refused by the constructor of Positive"), refusal.getMessage());
    }

    private static Object fromJson(Class<?> type, String json) {
        return codec(type).fromJson(new JsonObject(json));
    }

    /** Without the modules of Jackson that an application may bring. */
    private static <M> PayloadCodec<M> codec(Class<M> type) {
        return new TypeCodec<>(EntityType.of("fields", type), RecordJson.BARE);
    }

    private static BigDecimal money() {
        return new BigDecimal("12345678901234567890.10");
    }

    private static JsonObject json() {
        return new JsonObject().put("a", 1).put("b", new JsonArray().add(new JsonObject().put("c", "d")));
    }
}
