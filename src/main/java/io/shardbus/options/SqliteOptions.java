package io.shardbus.options;

import io.shardbus.persistence.spi.StoreLimits;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.function.BiConsumer;

/** A store in one file of this machine. JSON keys are the names of the properties. */
public final class SqliteOptions {
    public static final long DEFAULT_STORE_TIMEOUT_MS = CommonStoreOptions.DEFAULT_TIMEOUT_MS;

    private static final Map<String, BiConsumer<SqliteOptions, Object>> KEYS = CommonStoreOptions.with(
            Map.of("file", (options, value) -> options.file = (String) value), options -> options.common);

    private String file = "";
    private final CommonStoreOptions common;

    /** The defaults; the file must be set. */
    public SqliteOptions() {
        common = new CommonStoreOptions();
    }

    public SqliteOptions(SqliteOptions other) {
        file = other.file;
        common = new CommonStoreOptions(other.common);
    }

    /** @throws IllegalArgumentException for a key that is unknown, or has a value of the wrong type */
    public SqliteOptions(JsonObject json) {
        this();
        json.forEach(entry -> KeyedValues.read(KEYS, this, entry.getKey(), entry.getValue()));
    }

    public String getFile() {
        return file;
    }

    /**
     * The database file, on a local disk: network file systems do not lock reliably. It is made if it is missing; its
     * directory must exist. SQLite keeps two more files beside it, which belong to the database.
     */
    public SqliteOptions setFile(String file) {
        this.file = file;
        return this;
    }

    public long getStoreTimeoutMs() {
        return common.timeoutMs;
    }

    /** Sets the time within which a call to the store ends, in milliseconds. 100 to 600,000. */
    public SqliteOptions setStoreTimeoutMs(long storeTimeoutMs) {
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
    public SqliteOptions setStorePatienceMs(long storePatienceMs) {
        common.patienceMs = storePatienceMs;
        return this;
    }

    public int getCommitsInFlight() {
        return common.commitsInFlight;
    }

    /** Batches of commits that may be under way at once, for each lane of each type. 1 to 16. */
    public SqliteOptions setCommitsInFlight(int commitsInFlight) {
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
    public SqliteOptions setCommitQueueBytes(long commitQueueBytes) {
        common.commitQueueBytes = commitQueueBytes;
        return this;
    }

    public int getRecoveriesInFlight() {
        return common.recoveriesInFlight;
    }

    /** Reads, each of up to 64 entities, that may be under way at once, for each lane of each type. 1 to 64. */
    public SqliteOptions setRecoveriesInFlight(int recoveriesInFlight) {
        common.recoveriesInFlight = recoveriesInFlight;
        return this;
    }

    /** The limits that these options give the store. */
    public StoreLimits limits() {
        return common.limits();
    }

    /** @throws IllegalArgumentException naming key, value and range */
    public void validate() {
        if (file.isBlank() || file.indexOf('?') >= 0 || file.startsWith(":") || file.startsWith("file:")) {
            throw new IllegalArgumentException("file: '" + file + "' is not the path of a file");
        }
        common.validate();
    }

    public JsonObject toJson() {
        return common.write(new JsonObject().put("file", file));
    }

    @Override
    public String toString() {
        return toJson().encode();
    }
}
