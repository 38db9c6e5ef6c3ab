package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A verticle that lives on exactly one node. The same on all nodes; JSON keys are the names of the properties. */
public final class SingletonOptions {
    public static final long DEFAULT_KEEP_ALIVE_INTERVAL_MS = 1000;
    public static final long DEFAULT_STOP_TIMEOUT_MS = 10_000;

    private static final Map<String, BiConsumer<SingletonOptions, Object>> KEYS = new TreeMap<>(Map.of(
            "name", (options, value) -> options.name = (String) value,
            "role", (options, value) -> options.role = (String) value,
            "keepAliveIntervalMs", (options, value) -> options.keepAliveIntervalMs = ((Number) value).longValue(),
            "stopTimeoutMs", (options, value) -> options.stopTimeoutMs = ((Number) value).longValue()));

    private String name = "";
    private String role = "";
    private long keepAliveIntervalMs = DEFAULT_KEEP_ALIVE_INTERVAL_MS;
    private long stopTimeoutMs = DEFAULT_STOP_TIMEOUT_MS;

    /** The defaults; the name must be set. */
    public SingletonOptions() {}

    public SingletonOptions(SingletonOptions other) {
        name = other.name;
        role = other.role;
        keepAliveIntervalMs = other.keepAliveIntervalMs;
        stopTimeoutMs = other.stopTimeoutMs;
    }

    /** @throws IllegalArgumentException for a key that is unknown, or has a value of the wrong type */
    public SingletonOptions(JsonObject json) {
        json.forEach(entry -> KeyedValues.read(KEYS, this, entry.getKey(), entry.getValue()));
    }

    public String getName() {
        return name;
    }

    /** The name of the singleton: 1 to 50 letters, digits, '-', '_' or '.'. */
    public SingletonOptions setName(String name) {
        this.name = name;
        return this;
    }

    public String getRole() {
        return role;
    }

    /** It lives only on nodes with this role; empty: on any. */
    public SingletonOptions setRole(String role) {
        this.role = role;
        return this;
    }

    public long getKeepAliveIntervalMs() {
        return keepAliveIntervalMs;
    }

    /** Pause between two looks whether it runs, in milliseconds. 10 to 3,600,000. */
    public SingletonOptions setKeepAliveIntervalMs(long keepAliveIntervalMs) {
        this.keepAliveIntervalMs = keepAliveIntervalMs;
        return this;
    }

    public long getStopTimeoutMs() {
        return stopTimeoutMs;
    }

    /** Sets the time that it may take to stop, in milliseconds. 1 to 600,000. */
    public SingletonOptions setStopTimeoutMs(long stopTimeoutMs) {
        this.stopTimeoutMs = stopTimeoutMs;
        return this;
    }

    /** @throws IllegalArgumentException naming key, value and range */
    public void validate() {
        KeyedValues.requireName("name", name, DaemonOptions.NAME);
        KeyedValues.requireRole(role);
        KeyedValues.requireIn("keepAliveIntervalMs", keepAliveIntervalMs, 10, 3_600_000);
        KeyedValues.requireIn("stopTimeoutMs", stopTimeoutMs, 1, 600_000);
    }

    public JsonObject toJson() {
        return new JsonObject()
                .put("name", name)
                .put("role", role)
                .put("keepAliveIntervalMs", keepAliveIntervalMs)
                .put("stopTimeoutMs", stopTimeoutMs);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SingletonOptions that && toJson().equals(that.toJson());
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    @Override
    public String toString() {
        return toJson().encode();
    }
}
