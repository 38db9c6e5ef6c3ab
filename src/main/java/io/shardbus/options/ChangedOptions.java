package io.shardbus.options;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The options of a node whose values differ from their defaults. */
public final class ChangedOptions {
    /** Limit of a value as text, in characters; the rest of a longer one is cut. */
    public static final int LONGEST_TEXT = 200;

    private ChangedOptions() {}

    /**
     * One value and the default.
     *
     * @param value null where the option is not set
     * @param usual the default; null where it has none
     */
    public record Change(@Nullable Object value, @Nullable Object usual) {}

    /**
     * The changes by name of the option; an option within another one has both names, with a dot between: {@code
     * direct.enabled}.
     */
    public static Map<String, Change> of(ShardingOptions options) {
        var changes = new TreeMap<String, Change>();
        compare("", options.toJson(), new ShardingOptions().toJson(), changes);
        return changes;
    }

    private static void compare(String prefix, JsonObject inUse, JsonObject defaults, Map<String, Change> changes) {
        for (String key : defaults.fieldNames()) {
            Object value = inUse.getValue(key);
            Object usual = defaults.getValue(key);
            if (value instanceof JsonObject inner && usual instanceof JsonObject usualInner) {
                compare(prefix + key + ".", inner, usualInner, changes);
            } else if (!Objects.equals(value, usual)) {
                changes.put(prefix + key, new Change(value, usual));
            }
        }
    }

    /** The values as JSON text, by name, each {@link #LONGEST_TEXT} long at most. */
    public static Map<String, String> texts(ShardingOptions options) {
        var texts = new TreeMap<String, String>();
        of(options).forEach((name, change) -> texts.put(name, cut(Json.encode(change.value()))));
        return texts;
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    }
}
