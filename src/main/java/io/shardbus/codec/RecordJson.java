package io.shardbus.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.fasterxml.jackson.databind.ser.impl.UnsupportedTypeSerializer;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.VertxModule;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jackson, set up for messages. A field that the class does not have is skipped and one that is missing is null, 0 or
 * false, so that a rolling update may add fields. A number is not taken for a text, nor a fraction for a whole number.
 * No class is ever named by the bytes: an annotation that asks for it is refused.
 */
final class RecordJson {
    /** Modules of Jackson for more classes of fields, used where an application has them on its class path. */
    private static final List<String> MODULES = List.of(
            "com.fasterxml.jackson.datatype.jdk8.Jdk8Module", "com.fasterxml.jackson.datatype.jsr310.JavaTimeModule");

    /** Without modules that an application may bring. */
    static final RecordJson BARE = new RecordJson(mapper(List.of()));

    /** With the modules that are on the class path. */
    static final RecordJson DEFAULT = new RecordJson(mapper(OptionalModules.present(MODULES)));

    private static final ObjectReader MAP = BARE.mapper.readerFor(Map.class);
    private static final ObjectReader ANY = BARE.mapper.readerFor(Object.class);
    private static final ObjectReader LIST = BARE.mapper.readerFor(List.class);

    private final JsonMapper mapper;

    /** @param mapper as an application has set it up; messages may use what it supports */
    RecordJson(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Our own modules come last, so that their form of a class stays what it is. */
    private static JsonMapper mapper(List<Module> modules) {
        return JsonMapper.builder()
                .addModules(modules)
                .addModule(new VertxModule())
                .addModule(new JsonModule())
                .addModule(new TimeModule())
                .polymorphicTypeValidator(
                        BasicPolymorphicTypeValidator.builder().build())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS, SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .build();
    }

    /** One that skips fields that the class does not have: a rolling update may add fields. */
    ObjectReader reader(JavaType type) {
        return mapper.readerFor(type).without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    }

    /** @throws IllegalArgumentException for a class of which some field can be read from no JSON */
    void requireReadable(JavaType type) {
        try {
            reader(type).readValue("{}");
        } catch (InvalidDefinitionException e) {
            throw new IllegalArgumentException(
                    "values of " + type.getRawClass().getName() + " could be stored and not be read again"
                            + unfitClass(e),
                    e);
        } catch (IOException e) {
            // a constructor may refuse a value without any field
        }
    }

    TypeFactory types() {
        return mapper.getTypeFactory();
    }

    /** Whether Jackson knows how to write the class. */
    boolean hasFormOf(Class<?> type) {
        try {
            return !(mapper.getSerializerProviderInstance().findValueSerializer(type)
                    instanceof UnsupportedTypeSerializer);
        } catch (JsonMappingException e) {
            return false;
        }
    }

    static void append(Object value, Buffer out) {
        out.appendBytes(BARE.bytes(value));
    }

    byte[] bytes(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(unwritable(e), e);
        }
    }

    static JsonObject readObject(Span in) {
        return (JsonObject) wrapped(read(MAP, in));
    }

    static JsonArray readArray(Span in) {
        return (JsonArray) wrapped(read(LIST, in));
    }

    static Object read(ObjectReader reader, Span in) {
        try {
            return present(reader.readValue(in.bytes()));
        } catch (IOException e) {
            throw refusal(e);
        }
    }

    /** The value that a JSON value from the event bus gives. */
    static Object read(ObjectReader reader, @Nullable Object json) {
        try {
            return present(reader.readValue(BARE.mapper.<JsonNode>valueToTree(json)));
        } catch (IOException e) {
            throw refusal(e);
        }
    }

    /** The JSON form of a value: a JsonObject, a JsonArray or a scalar. */
    Object plain(Object value) {
        var bytes = Buffer.buffer(bytes(value));
        return wrapped(read(ANY, new Span(bytes, 0, bytes.length())));
    }

    private static Object wrapped(Object json) {
        if (json instanceof Map<?, ?> map) {
            var object = new JsonObject();
            map.forEach((key, value) -> object.put(key.toString(), value));
            return object;
        }
        return json instanceof List<?> list ? new JsonArray(list) : json;
    }

    private static Object present(@Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException("JSON null");
        }
        return value;
    }

    /** Names the place of the error in the JSON, but no value: Jackson's own messages repeat values. */
    static IllegalArgumentException refusal(IOException e) {
        if (e instanceof ValueInstantiationException refused) {
            return new IllegalArgumentException(
                    "refused by the constructor of "
                            + refused.getType().getRawClass().getSimpleName(),
                    e.getCause());
        }
        return new IllegalArgumentException(e instanceof JsonMappingException mapping ? misfit(mapping) : notJson(e));
    }

    private static String unwritable(JsonProcessingException e) {
        return e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
                ? "Jackson cannot write " + field(mapping) + " as JSON" + unfitClass(mapping)
                : "Jackson cannot write it as JSON";
    }

    private static String misfit(JsonMappingException e) {
        return (e.getPath().isEmpty() ? "JSON of another shape" : field(e) + " does not fit") + unfitClass(e);
    }

    private static String field(JsonMappingException e) {
        return "field '" + e.getPath().get(0).getFieldName() + "'";
    }

    /** The class that no JSON can be made of, or from, with any content. */
    private static String unfitClass(JsonMappingException e) {
        return e instanceof InvalidDefinitionException unfit && unfit.getType() != null
                ? ": Jackson has no JSON for " + unfit.getType().getRawClass().getName()
                : "";
    }

    private static String notJson(IOException e) {
        return e instanceof JsonProcessingException json && json.getLocation() != null
                ? "not JSON, at byte " + json.getLocation().getByteOffset()
                : "not JSON";
    }
}
