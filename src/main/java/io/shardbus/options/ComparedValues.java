package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The values, by name, by which two settings are compared. */
public final class ComparedValues {
    private final Map<String, Object> values = new LinkedHashMap<>();

    public static ComparedValues of(JsonObject json) {
        var compared = new ComparedValues();
        json.getMap().forEach(compared::put);
        return compared;
    }

    /** @param value null where it is not set */
    public void put(String name, @Nullable Object value) {
        if (value != null) {
            values.put(name, value);
        }
    }

    /** The values that differ, in words, each with the value here first. */
    public String differences(ComparedValues there) {
        var texts = new StringJoiner(", ");
        Set<String> names = new LinkedHashSet<>(values.keySet());
        names.addAll(there.values.keySet());
        for (var name : names) {
            var mine = values.get(name);
            var other = there.values.get(name);
            if (mine instanceof JsonObject inside && other instanceof JsonObject outside && !inside.equals(outside)) {
                texts.add(name + ": (" + of(inside).differences(of(outside)) + ")");
            } else if (mine == null || !mine.equals(other)) {
                texts.add(name + ": " + shown(mine) + ", not " + shown(other));
            }
        }
        return texts.toString();
    }

    private static Object shown(@Nullable Object value) {
        return value == null ? "unset" : value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ComparedValues that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
