package io.shardbus.codec;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers as an event-bus client can read them: scalars as they are, all else as JSON. */
record JsonForm(String entityType, NamedTypes types) {
    @Nullable
    Object of(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (types.takes(value)) {
            return types.toJson(value);
        }
        if (value instanceof List<?> || value instanceof Set<?>) {
            return array((Collection<?>) value);
        }
        return value instanceof Map<?, ?> map ? object(map) : scalar(value);
    }

    private JsonArray array(Collection<?> values) {
        var array = new JsonArray();
        values.forEach(value -> array.add(of(value)));
        return array;
    }

    private JsonObject object(Map<?, ?> map) {
        var object = new JsonObject();
        map.forEach((key, value) -> object.put(String.valueOf(of(key)), of(value)));
        return object;
    }

    private Object scalar(Object value) {
        if (Scalar.of(value).isEmpty()) {
            throw new UnsupportedOperationException(
                    "entity type '" + entityType + "': answers of " + value.getClass() + " have no JSON form");
        }
        return value;
    }
}
