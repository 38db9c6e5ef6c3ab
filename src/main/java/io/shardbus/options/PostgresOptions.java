package io.shardbus.options;

import io.shardbus.persistence.spi.StoreLimits;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.function.BiConsumer;

/** A store in a PostgreSQL database, version 13 or later. JSON keys are the names of the properties. */
public final class PostgresOptions {
    public static final long DEFAULT_STORE_TIMEOUT_MS = CommonStoreOptions.DEFAULT_TIMEOUT_MS;
    /** One table without partitions. */
    public static final int DEFAULT_PARTITIONS = 1;

    static final Map<String, BiConsumer<PostgresOptions, Object>> KEYS = CommonStoreOptions.with(
            Map.of(
                    "uri", (options, value) -> options.uri = address(value),
                    "partitions", (options, value) -> options.partitions = KeyedValues.count(value)),
            options -> options.common);

    private String uri = "";
    private final CommonStoreOptions common;
    private int partitions = DEFAULT_PARTITIONS;

    /** The defaults; the address must be set. */
    public PostgresOptions() {
        common = new CommonStoreOptions();
    }

    public PostgresOptions(PostgresOptions other) {
        uri = other.uri;
        common = new CommonStoreOptions(other.common);
        partitions = other.partitions;
    }

    /** @throws IllegalArgumentException for a key that is unknown, or has a value of the wrong type */
    public PostgresOptions(JsonObject json) {
        this();
        json.forEach(entry -> KeyedValues.read(KEYS, this, entry.getKey(), entry.getValue()));
    }

    /** Another value than a text may hold the address, too, so the refusal does not show it. */
    private static String address(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("option 'uri': must be a text");
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
        return common.timeoutMs;
    }

    /** Sets the time within which a call to the store ends, in milliseconds. 100 to 600,000. */
    public PostgresOptions setStoreTimeoutMs(long storeTimeoutMs) {
        common.timeoutMs = storeTimeoutMs;
        return this;
    }

    public long getStorePatienceMs() {
        return common.patienceMs;
    }

    /**
     * Sets the time for which commands wait for a store that does not answer, in milliseconds. After it they fail, and
     * the node is not ready until the store answers. 100 to 600,000.
     */
    public PostgresOptions setStorePatienceMs(long storePatienceMs) {
        common.patienceMs = storePatienceMs;
        return this;
    }

    public int getCommitsInFlight() {
        return common.commitsInFlight;
    }

    /** Batches of commits that may be under way at once, for each lane of each type. 1 to 16. */
    public PostgresOptions setCommitsInFlight(int commitsInFlight) {
        common.commitsInFlight = commitsInFlight;
        return this;
    }

    public long getCommitQueueBytes() {
        return common.commitQueueBytes;
    }

    /**
     * Limit of the bytes of commits that wait or are under way, for each lane of each type; beyond it commands fail
     * with {@code STORE_UNAVAILABLE}. 1,048,576 to 1,073,741,824.
     */
    public PostgresOptions setCommitQueueBytes(long commitQueueBytes) {
        common.commitQueueBytes = commitQueueBytes;
        return this;
    }

    public int getRecoveriesInFlight() {
        return common.recoveriesInFlight;
    }

    /** Reads, each of up to 64 entities, that may be under way at once, for each lane of each type. 1 to 64. */
    public PostgresOptions setRecoveriesInFlight(int recoveriesInFlight) {
        common.recoveriesInFlight = recoveriesInFlight;
        return this;
    }

    /** The limits that these options give the store. */
    public StoreLimits limits() {
        return common.limits();
    }

    public int getPartitions() {
        return partitions;
    }

    /**
     * Sets the number of partitions of the table of events, by the hash of type and id. Each partition has a smaller
     * index and its own vacuum; a query for the end of a log reads all of them. Takes effect only at the start that
     * makes the tables. 1 to 32; 1 is a plain table.
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
        common.validate();
        KeyedValues.requireIn("partitions", partitions, 1, 32);
    }

    /** Without the address. */
    @Override
    public String toString() {
        return common.write(new JsonObject()).put("partitions", partitions).encode();
    }
}
