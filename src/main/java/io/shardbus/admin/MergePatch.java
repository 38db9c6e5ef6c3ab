package io.shardbus.admin;

import io.vertx.core.json.JsonObject;
import java.util.Objects;

/** The difference between two JSON objects as a JSON merge patch (RFC 7396): null removes a key, arrays are whole. */
final class MergePatch {
    private MergePatch() {}

    /** The patch that turns one object into the other; empty if they are equal. Neither has null values. */
    static JsonObject between(JsonObject before, JsonObject after) {
        var patch = new JsonObject();
        for (String key : before.fieldNames()) {
            if (!after.containsKey(key)) {
                patch.putNull(key);
            }
        }
        for (String key : after.fieldNames()) {
            Object old = before.getValue(key);
            Object now = after.getValue(key);
            if (old instanceof JsonObject one && now instanceof JsonObject other) {
                var inner = between(one, other);
                if (!inner.isEmpty()) {
                    patch.put(key, inner);
                }
            } else if (!Objects.equals(old, now)) {
                patch.put(key, now);
            }
        }
        return patch;
    }
}
