package io.shardbus.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * JsonObject and JsonArray as fields of records. Vert.x's own deserializers ask the mapper, which takes the rest of the
 * record for trailing tokens.
 */
final class JsonModule extends SimpleModule {
    private static final long serialVersionUID = 1L;

    JsonModule() {
        super("shardbus-json");
        var types = TypeFactory.defaultInstance();
        addDeserializer(
                JsonObject.class,
                new Wrapped<JsonObject, Map<String, Object>>(
                        JsonObject.class,
                        types.constructMapType(LinkedHashMap.class, String.class, Object.class),
                        JsonObject::new));
        addDeserializer(
                JsonArray.class,
                new Wrapped<JsonArray, List<Object>>(
                        JsonArray.class, types.constructCollectionType(ArrayList.class, Object.class), JsonArray::new));
    }

    private static final class Wrapped<T, C> extends StdDeserializer<T> {
        private static final long serialVersionUID = 1L;

        private final JavaType content;
        private final transient Function<C, T> wrap;

        Wrapped(Class<T> type, JavaType content, Function<C, T> wrap) {
            super(type);
            this.content = content;
            this.wrap = wrap;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return wrap.apply(context.readValue(parser, content));
        }
    }
}
