package io.shardbus.admin;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** The last merge patch, shared by the viewers that were sent the same object before. Not thread-safe. */
final class LastPatch {
    private @Nullable JsonObject before;
    private @Nullable JsonObject after;
    private JsonObject patch = new JsonObject();

    /** As {@link MergePatch#between}; the two objects and the patch must not change after that. */
    @SuppressWarnings("ReferenceEquality")
    JsonObject between(JsonObject before, JsonObject after) {
        if (before != this.before || after != this.after) {
            patch = MergePatch.between(before, after);
            this.before = before;
            this.after = after;
        }
        return patch;
    }
}
