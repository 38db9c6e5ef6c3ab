package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** A store in one file of this machine. JSON keys are the names of the properties. */
public final class SqliteOptions {
    public static final long DEFAULT_STORE_TIMEOUT_MS = 5000;
    public static final long DEFAULT_STORE_PATIENCE_MS = 10_000;

    private static final Map<String, BiConsumer<SqliteOptions, Object>> KEYS = new TreeMap<>(Map.of(
            "file", (options, value) -> options.file = (String) value,
            "storeTimeoutMs", (options, value) -> options.storeTimeoutMs = ((Number) value).longValue(),
            "storePatienceMs", (options, value) -> options.storePatienceMs = ((Number) value).longValue()));

    private String file = "";
    private long storeTimeoutMs = DEFAULT_STORE_TIMEOUT_MS;
    private long storePatienceMs = DEFAULT_STORE_PATIENCE_MS;

    /** The defaults; the file must be set. */
    public SqliteOptions() {}

    public SqliteOptions(SqliteOptions other) {
        file = other.file;
        storeTimeoutMs = other.storeTimeoutMs;
        storePatienceMs = other.storePatienceMs;
    }

    /** @throws IllegalArgumentException for a key that is unknown, or has a value of the wrong type */
    public SqliteOptions(JsonObject json) {
        json.forEach(entry -> KeyedValues.read(KEYS, this, entry.getKey(), entry.getValue()));
    }

    public String getFile() {
        return file;
    }

    /**
     * The database file, on a disk of this machine: file systems of a network do not lock reliably. It is made if it is
     * missing; its directory must be there. Two files that SQLite keeps beside it belong to it.
     */
    public SqliteOptions setFile(String file) {
        this.file = file;
        return this;
    }

    public long getStoreTimeoutMs() {
        return storeTimeoutMs;
    }

    /** Within how long a call to the store ends, in milliseconds. 100 to 600,000. */
    public SqliteOptions setStoreTimeoutMs(long storeTimeoutMs) {
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
    public SqliteOptions setStorePatienceMs(long storePatienceMs) {
        this.storePatienceMs = storePatienceMs;
        return this;
    }

    /** @throws IllegalArgumentException naming key, value and range */
    public void validate() {
        if (file.isBlank() || file.indexOf('?') >= 0 || file.startsWith(":") || file.startsWith("file:")) {
            throw new IllegalArgumentException("file: '" + file + "' is not the path of a file");
        }
        KeyedValues.requireIn("storeTimeoutMs", storeTimeoutMs, 100, 600_000);
        KeyedValues.requireIn("storePatienceMs", storePatienceMs, 100, 600_000);
    }

    public JsonObject toJson() {
        return new JsonObject()
                .put("file", file)
                .put("storeTimeoutMs", storeTimeoutMs)
                .put("storePatienceMs", storePatienceMs);
    }

    @Override
    public String toString() {
        return toJson().encode();
    }
}
