package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A verticle that lives on exactly one node. The same on all nodes; JSON keys are the names of the properties. */
public final class SingletonOptions {
    public static final long DEFAULT_KEEP_ALIVE_INTERVAL_MS = 1000;
    public static final long DEFAULT_STOP_TIMEOUT_MS = 10_000;

    private static final List<String> KEYS = List.of("keepAliveIntervalMs", "name", "role", "stopTimeoutMs");

    /** The options that a singleton has in common with a set of workers. */
    private final DaemonOptions common;

    /** The defaults; the name must be set. */
    public SingletonOptions() {
        common = new DaemonOptions();
    }

    public SingletonOptions(SingletonOptions other) {
        common = new DaemonOptions(other.common);
    }

    /** @throws IllegalArgumentException for a key that is unknown, or has a value of the wrong type */
    public SingletonOptions(JsonObject json) {
        json.fieldNames().stream().filter(key -> !KEYS.contains(key)).forEach(key -> {
            throw new IllegalArgumentException(NearestName.refusal(key, KEYS));
        });
        common = new DaemonOptions(json);
    }

    public String getName() {
        return common.getName();
    }

    /** The name of the singleton: 1 to 50 letters, digits, '-', '_' or '.'. */
    public SingletonOptions setName(String name) {
        common.setName(name);
        return this;
    }

    public String getRole() {
        return common.getRole();
    }

    /** Sets the role of the nodes on which the singleton may live; empty: all nodes. */
    public SingletonOptions setRole(String role) {
        common.setRole(role);
        return this;
    }

    public long getKeepAliveIntervalMs() {
        return common.getKeepAliveIntervalMs();
    }

    /** Pause between two checks whether the singleton runs, in milliseconds. 10 to 3,600,000. */
    public SingletonOptions setKeepAliveIntervalMs(long keepAliveIntervalMs) {
        common.setKeepAliveIntervalMs(keepAliveIntervalMs);
        return this;
    }

    public long getStopTimeoutMs() {
        return common.getStopTimeoutMs();
    }

    /** Sets the time that the singleton may take to stop, in milliseconds. 1 to 600,000. */
    public SingletonOptions setStopTimeoutMs(long stopTimeoutMs) {
        common.setStopTimeoutMs(stopTimeoutMs);
        return this;
    }

    /** @throws IllegalArgumentException naming key, value and range */
    public void validate() {
        common.validate();
    }

    public JsonObject toJson() {
        JsonObject all = common.toJson();
        all.fieldNames().retainAll(KEYS);
        return all;
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
