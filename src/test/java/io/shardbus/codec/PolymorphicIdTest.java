package io.shardbus.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.impl.LaissezFaireSubTypeValidator;
import io.shardbus.EntityType;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes that name a class, in fields that ask for its name: nothing of that class is made, nor is it initialized. */
class PolymorphicIdTest {
    private static final PayloadCodec<Loose> CODEC = PayloadCodecs.forType(EntityType.of("loose", Loose.class));
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final String GADGET = PolymorphicIdTest.class.getName() + "$Gadget";
    private static final String LIST = "java.util.ArrayList<" + GADGET + ">";
    private static final String ARRAY = "[L" + GADGET + ";";

    @BeforeEach
    void reset() {
        MADE.set(0);
    }

    static Stream<Arguments> messages() {
        return Stream.of(
                        GADGET,
                        LIST,
                        ARRAY,
                        GADGET + "[]",
                        "java.util.ArrayList<java.util.ArrayList<" + GADGET + ">>",
                        "java.util.HashMap<java.lang.String," + GADGET + ">",
                        "java.util.HashMap<java.lang.String,java.util.ArrayList<" + GADGET + ">>",
                        "java.util.concurrent.atomic.AtomicReference<" + GADGET + ">",
                        "java.util.ArrayList<java.lang.Object>",
                        "[Ljava.lang.Object;")
                .flatMap(PolymorphicIdTest::messages);
    }

    private static Stream<Arguments> messages(String id) {
        var property = new JsonObject().put("@class", id);
        var minimal = new JsonObject().put("@c", id);
        var several = wrapper(id, new JsonArray().add(new JsonObject()));
        return Stream.of(
                Arguments.of("InProperty", property),
                Arguments.of("InProperty", several),
                Arguments.of("InProperty", wrapper(id, new JsonArray().add(property))),
                Arguments.of("InMinimal", minimal),
                Arguments.of("InWrapper", wrapper(id, new JsonObject())),
                Arguments.of("InWrapper", several),
                Arguments.of("InWrapper", wrapper(id, new JsonObject().put("key", new JsonObject()))),
                Arguments.of("InElements", new JsonArray().add(property)),
                Arguments.of("InElements", new JsonArray().add(several)),
                Arguments.of("InValues", new JsonObject().put("key", property)),
                Arguments.of("InBound", several));
    }

    @ParameterizedTest
    @MethodSource("messages")
    @DisplayName("a class that the bytes name is refused, also as a type parameter and as what an array holds")
    void isRefused(String message, Object any) {
        var fields = new JsonObject().put("any", any);
        var bytes = TypeCodecTest.named(message, fields.encode());
        assertThrows(IllegalArgumentException.class, () -> CODEC.decode(bytes, 0, bytes.length()));
        var json = fields.copy().put("type", message);
        assertThrows(IllegalArgumentException.class, () -> CODEC.fromJson(json));
        assertEquals(0, MADE.get());
    }

    @ParameterizedTest
    @MethodSource("messages")
    @DisplayName("where no annotation asks for a name it is a text like any other")
    void isText(String unused, Object any) {
        var fields = new JsonObject().put("any", any);
        var bytes = TypeCodecTest.named("Plain", fields.encode());
        var plain = (Loose.Plain) CODEC.decode(bytes, 0, bytes.length());
        assertEquals(fields, new JsonObject().put("any", plain.any()));
        assertEquals(0, MADE.get());
    }

    @Test
    @DisplayName("the same bytes make instances where a mapper allows it")
    void canFail() throws IOException {
        var mapper = JsonMapper.builder()
                .polymorphicTypeValidator(LaissezFaireSubTypeValidator.instance)
                .build();
        for (var id : List.of(LIST, ARRAY)) {
            MADE.set(0);
            var json = new JsonObject().put("any", wrapper(id, new JsonArray().add(new JsonObject())));
            mapper.readValue(json.encode(), Loose.InWrapper.class);
            assertNotEquals(0, MADE.get(), id);
        }
    }

    private static JsonArray wrapper(String id, Object value) {
        return new JsonArray().add(id).add(value);
    }

    sealed interface Loose {
        record InProperty(
                @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Object any) implements Loose {}

        record InMinimal(
                @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
                Object any) implements Loose {}

        record InWrapper(
                @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS, include = JsonTypeInfo.As.WRAPPER_ARRAY)
                Object any) implements Loose {}

        record InElements(
                @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) List<Object> any) implements Loose {}

        record InValues(
                @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Map<String, Object> any) implements Loose {}

        record InBound(
                @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Iterable<?> any) implements Loose {}

        record Plain(Object any) implements Loose {}
    }

    static final class Gadget {
        static {
            MADE.incrementAndGet();
        }

        Gadget() {
            MADE.incrementAndGet();
        }
    }
}
