package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** A store in a PostgreSQL database, version 13 or later. JSON keys are the names of the properties. */
public final class PostgresOptions {
    public static final long DEFAULT_STORE_TIMEOUT_MS = 5000;
    public static final long DEFAULT_STORE_PATIENCE_MS = 10_000;
    /** One table without partitions. */
    public static final int DEFAULT_PARTITIONS = 1;

    private static final Map<String, BiConsumer<PostgresOptions, Object>> KEYS = new TreeMap<>(Map.of(
            "uri", (options, value) -> options.uri = (String) value,
            "storeTimeoutMs", (options, value) -> options.storeTimeoutMs = ((Number) value).longValue(),
            "storePatienceMs", (options, value) -> options.storePatienceMs = ((Number) value).longValue(),
            "partitions", (options, value) -> options.partitions = ((Number) value).intValue()));

    private String uri = "";
    private long storeTimeoutMs = DEFAULT_STORE_TIMEOUT_MS;
    private long storePatienceMs = DEFAULT_STORE_PATIENCE_MS;
    private int partitions = DEFAULT_PARTITIONS;

    /** The defaults; the address must be set. */
    public PostgresOptions() {}

    public PostgresOptions(PostgresOptions other) {
        uri = other.uri;
        storeTimeoutMs = other.storeTimeoutMs;
        storePatienceMs = other.storePatienceMs;
        partitions = other.partitions;
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

    public int getPartitions() {
        return partitions;
    }

    /**
     * In how many partitions, by the hash of type and id, the table of events is made: smaller indexes, and a vacuum
     * that works on a part at a time. Counts at the start that makes the tables alone; each end of a log costs a look
     * into every partition. 1 to 32; 1 is a plain table.
     */
    public PostgresOptions setPartitions(int partitions) {
        this.partitions = partitions;
        return this;
    }

    /** @throws IllegalArgumentException naming key and range; never the address, which may hold a password */
    public void validate() {
        if (!uri.startsWith("postgresql://") && !uri.startsWith("postgres://")) {
            throw new IllegalArgumentException("option 'uri': must begin with postgresql://");
        }
        KeyedValues.requireIn("storeTimeoutMs", storeTimeoutMs, 100, 600_000);
        KeyedValues.requireIn("storePatienceMs", storePatienceMs, 100, 600_000);
        KeyedValues.requireIn("partitions", partitions, 1, 32);
    }

    /** Without the address. */
    @Override
    public String toString() {
        return new JsonObject()
                .put("storeTimeoutMs", storeTimeoutMs)
                .put("storePatienceMs", storePatienceMs)
                .put("partitions", partitions)
                .encode();
    }
}
