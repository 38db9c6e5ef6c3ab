package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A set of workers that always run. The same on all nodes; JSON keys are the names of the properties. */
public final class DaemonOptions {
    public static final int DEFAULT_WORKERS = 1;
    public static final int DEFAULT_MAX_WORKERS = 256;
    public static final long DEFAULT_KEEP_ALIVE_INTERVAL_MS = 1000;
    public static final long DEFAULT_KEEP_ALIVE_THROTTLE_MS = 100;
    public static final long DEFAULT_STOP_TIMEOUT_MS = 10_000;

    static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,50}");
    private static final int MOST_WORKERS = 65_536;

    private static final Map<String, BiConsumer<DaemonOptions, Object>> KEYS = new TreeMap<>(Map.of(
            "name", (options, value) -> options.name = (String) value,
            "role", (options, value) -> options.role = (String) value,
            "workers", (options, value) -> options.workers = (Integer) value,
            "maxWorkers", (options, value) -> options.maxWorkers = (Integer) value,
            "keepAliveIntervalMs", (options, value) -> options.keepAliveIntervalMs = KeyedValues.whole(value),
            "keepAliveThrottleMs", (options, value) -> options.keepAliveThrottleMs = KeyedValues.whole(value),
            "stopTimeoutMs", (options, value) -> options.stopTimeoutMs = KeyedValues.whole(value)));

    private String name = "";
    private String role = "";
    private int workers = DEFAULT_WORKERS;
    private int maxWorkers = DEFAULT_MAX_WORKERS;
    private long keepAliveIntervalMs = DEFAULT_KEEP_ALIVE_INTERVAL_MS;
    private long keepAliveThrottleMs = DEFAULT_KEEP_ALIVE_THROTTLE_MS;
    private long stopTimeoutMs = DEFAULT_STOP_TIMEOUT_MS;

    /** The defaults; the name must be set. */
    public DaemonOptions() {}

    public DaemonOptions(DaemonOptions other) {
        name = other.name;
        role = other.role;
        workers = other.workers;
        maxWorkers = other.maxWorkers;
        keepAliveIntervalMs = other.keepAliveIntervalMs;
        keepAliveThrottleMs = other.keepAliveThrottleMs;
        stopTimeoutMs = other.stopTimeoutMs;
    }

    /** @throws IllegalArgumentException for a key that is unknown, or has a value of the wrong type */
    public DaemonOptions(JsonObject json) {
        json.forEach(entry -> KeyedValues.read(KEYS, this, entry.getKey(), entry.getValue()));
    }

    public String getName() {
        return name;
    }

    /** The name of the set: 1 to 50 letters, digits, '-', '_' or '.'. */
    public DaemonOptions setName(String name) {
        this.name = name;
        return this;
    }

    public String getRole() {
        return role;
    }

    /** Workers run only on nodes with this role; empty: on all nodes. */
    public DaemonOptions setRole(String role) {
        this.role = role;
        return this;
    }

    public int getWorkers() {
        return workers;
    }

    /** Sets the number of workers until the set is rescaled. 1 to {@code maxWorkers}. */
    public DaemonOptions setWorkers(int workers) {
        this.workers = workers;
        return this;
    }

    public int getMaxWorkers() {
        return maxWorkers;
    }

    /** The largest number of workers to which the set can be rescaled; its number of shards. 1 to 65,536. */
    public DaemonOptions setMaxWorkers(int maxWorkers) {
        this.maxWorkers = maxWorkers;
        return this;
    }

    public long getKeepAliveIntervalMs() {
        return keepAliveIntervalMs;
    }

    /**
     * Pause between two rounds of keep-alives, in milliseconds; in a round every worker is told to run. 10 to
     * 3,600,000.
     */
    public DaemonOptions setKeepAliveIntervalMs(long keepAliveIntervalMs) {
        this.keepAliveIntervalMs = keepAliveIntervalMs;
        return this;
    }

    public long getKeepAliveThrottleMs() {
        return keepAliveThrottleMs;
    }

    /** Pause between the keep-alives of two workers in a round, in milliseconds. 1 to 60,000. */
    public DaemonOptions setKeepAliveThrottleMs(long keepAliveThrottleMs) {
        this.keepAliveThrottleMs = keepAliveThrottleMs;
        return this;
    }

    public long getStopTimeoutMs() {
        return stopTimeoutMs;
    }

    /** Sets the time that a worker may take to stop, in milliseconds. 1 to 600,000. */
    public DaemonOptions setStopTimeoutMs(long stopTimeoutMs) {
        this.stopTimeoutMs = stopTimeoutMs;
        return this;
    }

    /** @throws IllegalArgumentException naming key, value and range */
    public void validate() {
        KeyedValues.requireName("name", name, NAME);
        KeyedValues.requireRole(role);
        KeyedValues.requireIn("maxWorkers", maxWorkers, 1, MOST_WORKERS);
        KeyedValues.requireIn("workers", workers, 1, maxWorkers);
        KeyedValues.requireIn("keepAliveIntervalMs", keepAliveIntervalMs, 10, 3_600_000);
        KeyedValues.requireIn("keepAliveThrottleMs", keepAliveThrottleMs, 1, 60_000);
        KeyedValues.requireIn("stopTimeoutMs", stopTimeoutMs, 1, 600_000);
    }

    public JsonObject toJson() {
        return new JsonObject()
                .put("name", name)
                .put("role", role)
                .put("workers", workers)
                .put("maxWorkers", maxWorkers)
                .put("keepAliveIntervalMs", keepAliveIntervalMs)
                .put("keepAliveThrottleMs", keepAliveThrottleMs)
                .put("stopTimeoutMs", stopTimeoutMs);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DaemonOptions that && toJson().equals(that.toJson());
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
