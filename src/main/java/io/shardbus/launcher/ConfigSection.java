package io.shardbus.launcher;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One JSON object of a configuration. Every refusal is an IllegalArgumentException that names the key in full. */
final class ConfigSection {
    private final String path;
    private final JsonObject json;

    ConfigSection(String path, JsonObject json) {
        this.path = path;
        this.json = json;
    }

    /** Refuses unknown keys. */
    ConfigSection allow(Set<String> keys) {
        for (var key : json.fieldNames()) {
            if (!keys.contains(key)) {
                throw refusal(key, "no such key; there are " + new TreeSet<>(keys));
            }
        }
        return this;
    }

    String key(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    IllegalArgumentException refusal(String key, String reason) {
        return new IllegalArgumentException(key(key) + ": " + reason);
    }

    boolean has(String key) {
        return json.getValue(key) != null;
    }

    String requiredText(String key) {
        var text = text(key, null);
        if (text == null) {
            throw refusal(key, "must be set");
        }
        return text;
    }

    @Nullable
    String text(String key, @Nullable String otherwise) {
        var value = json.getValue(key);
        if (value != null && !(value instanceof String text && !text.isBlank())) {
            throw refusal(key, "\"" + value + "\" is not a text");
        }
        return value == null ? otherwise : (String) value;
    }

    int number(String key, int from, int to, int otherwise) {
        var value = json.getValue(key);
        if (value == null) {
            return otherwise;
        }
        if (!(value instanceof Integer number) || number < from || number > to) {
            throw refusal(key, value + " is not a whole number from " + from + " to " + to);
        }
        return number;
    }

    boolean flag(String key) {
        var value = json.getValue(key);
        if (value != null && !(value instanceof Boolean)) {
            throw refusal(key, "\"" + value + "\" is neither true nor false");
        }
        return Boolean.TRUE.equals(value);
    }

    /** The object under the key; an empty one if it is missing. */
    ConfigSection section(String key) {
        var value = json.getValue(key);
        if (value != null && !(value instanceof JsonObject)) {
            throw refusal(key, "must be an object");
        }
        return new ConfigSection(key(key), Objects.requireNonNullElseGet((JsonObject) value, JsonObject::new));
    }

    List<ConfigSection> sections(String key) {
        var value = json.getValue(key);
        if (value != null && !(value instanceof JsonArray)) {
            throw refusal(key, "must be an array of objects");
        }
        return value == null ? List.of() : elements(key, (JsonArray) value);
    }

    private List<ConfigSection> elements(String key, JsonArray array) {
        var found = new ArrayList<ConfigSection>();
        for (int i = 0; i < array.size(); i++) {
            if (!(array.getValue(i) instanceof JsonObject element)) {
                throw refusal(key + "[" + i + "]", "must be an object");
            }
            found.add(new ConfigSection(key(key + "[" + i + "]"), element));
        }
        return found;
    }

    JsonObject json() {
        return json;
    }

    /** The same place with other content. */
    ConfigSection with(JsonObject content) {
        return new ConfigSection(path, content);
    }

    /** A part of the object: without these keys. */
    JsonObject without(Set<String> keys) {
        var copy = json.copy();
        keys.forEach(copy::remove);
        return copy;
    }
}
