package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** A store in a PostgreSQL database, version 13 or later. JSON keys are the names of the properties. */
public final class PostgresOptions {
    public static final long DEFAULT_STORE_TIMEOUT_MS = 5000;
    public static final long DEFAULT_STORE_PATIENCE_MS = 10_000;

    private static final Map<String, BiConsumer<PostgresOptions, Object>> KEYS = new TreeMap<>(Map.of(
            "uri", (options, value) -> options.uri = (String) value,
            "storeTimeoutMs", (options, value) -> options.storeTimeoutMs = ((Number) value).longValue(),
            "storePatienceMs", (options, value) -> options.storePatienceMs = ((Number) value).longValue()));

    private String uri = "";
    private long storeTimeoutMs = DEFAULT_STORE_TIMEOUT_MS;
    private long storePatienceMs = DEFAULT_STORE_PATIENCE_MS;

    /** The defaults; the address must be set. */
    public PostgresOptions() {}

    public PostgresOptions(PostgresOptions other) {
        uri = other.uri;
        storeTimeoutMs = other.storeTimeoutMs;
        storePatienceMs = other.storePatienceMs;
    }

    /** @throws IllegalArgumentException for a key that is unknown, or has a value of the wrong type */
    public PostgresOptions(JsonObject json) {
        json.forEach(entry -> KeyedValues.read(KEYS, this, entry.getKey(), entry.getValue()));
    }

    public String getUri() {
        return uri;
    }

    /** {@code postgresql://user:password@host:port/database}; never logged. */
    public PostgresOptions setUri(String uri) {
        this.uri = uri;
        return this;
    }

    public long getStoreTimeoutMs() {
        return storeTimeoutMs;
    }

    /** Within how long a call to the store ends, in milliseconds. 100 to 600,000. */
    public PostgresOptions setStoreTimeoutMs(long storeTimeoutMs) {
        this.storeTimeoutMs = storeTimeoutMs;
        return this;
    }

    public long getStorePatienceMs() {
        return storePatienceMs;
    }

    /**
     * For how long commands wait for a store that does not answer before they fail, in milliseconds. From then on the
     * node is not ready, until the store answers. 100 to 600,000.
     */
    public PostgresOptions setStorePatienceMs(long storePatienceMs) {
        this.storePatienceMs = storePatienceMs;
        return this;
    }

    /** @throws IllegalArgumentException naming key and range; never the address, which may hold a password */
    public void validate() {
        if (!uri.startsWith("postgresql://") && !uri.startsWith("postgres://")) {
            throw new IllegalArgumentException("option 'uri': must begin with postgresql://");
        }
        KeyedValues.requireIn("storeTimeoutMs", storeTimeoutMs, 100, 600_000);
        KeyedValues.requireIn("storePatienceMs", storePatienceMs, 100, 600_000);
    }

    /** Without the address. */
    @Override
    public String toString() {
        return new JsonObject()
                .put("storeTimeoutMs", storeTimeoutMs)
                .put("storePatienceMs", storePatienceMs)
                .encode();
    }
}
