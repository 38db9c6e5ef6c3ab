package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the admin resources under {@code api/v1} are guarded. Those that change something need the header
 * {@code X-Shardbus-Request: 1} in any case, which a form on another site cannot send.
 */
public final class AdminOptions {
    public static final boolean DEFAULT_READ_ONLY = true;
    private static final String READ_ONLY = "readOnly";

    private boolean readOnly = DEFAULT_READ_ONLY;

    /** The defaults: nothing under {@code api/v1} can be changed. */
    public AdminOptions() {}

    public AdminOptions(AdminOptions other) {
        readOnly = other.readOnly;
    }

    /**
     * The options of a JSON object; keys that it lacks have their defaults.
     *
     * @throws IllegalArgumentException naming a key that is unknown, or has a value of the wrong type
     */
    public AdminOptions(JsonObject json) {
        for (String key : json.fieldNames()) {
            if (!key.equals(READ_ONLY) || !(json.getValue(key) instanceof Boolean value)) {
                throw new IllegalArgumentException("admin: '" + key + "' = " + json.getValue(key) + ": the keys are "
                        + Set.of(READ_ONLY) + ", a boolean");
            }
            readOnly = value;
        }
    }

    public boolean isReadOnly() {
        return readOnly;
    }

    /**
     * Whether requests under {@code api/v1} that change something are refused with 403. Default: true. Set it to false
     * only where all who reach the resources may change the cluster: on the loopback, or behind an authentication
     * handler. The resources without a version (drain, rebalance, passivation) are not covered: keep them behind one.
     */
    public AdminOptions setReadOnly(boolean readOnly) {
        this.readOnly = readOnly;
        return this;
    }

    public JsonObject toJson() {
        return new JsonObject().put(READ_ONLY, readOnly);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AdminOptions that && readOnly == that.readOnly;
    }

    @Override
    public int hashCode() {
        return Objects.hash(readOnly);
    }

    @Override
    public String toString() {
        return toJson().encode();
    }
}
