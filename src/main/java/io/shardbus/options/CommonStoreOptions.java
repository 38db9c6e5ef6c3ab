package io.shardbus.options;

import io.shardbus.persistence.spi.StoreLimits;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The options that all stores have. */
final class CommonStoreOptions {
    static final long DEFAULT_TIMEOUT_MS = 5000;

    private static final Map<String, BiConsumer<CommonStoreOptions, Object>> KEYS = Map.of(
            "storeTimeoutMs", (options, value) -> options.timeoutMs = KeyedValues.whole(value),
            "storePatienceMs", (options, value) -> options.patienceMs = KeyedValues.whole(value),
            "commitsInFlight", (options, value) -> options.commitsInFlight = KeyedValues.count(value),
            "commitQueueBytes", (options, value) -> options.commitQueueBytes = KeyedValues.whole(value),
            "recoveriesInFlight", (options, value) -> options.recoveriesInFlight = KeyedValues.count(value));

    long timeoutMs = DEFAULT_TIMEOUT_MS;
    long patienceMs = StoreLimits.DEFAULT.patienceMs();
    int commitsInFlight = StoreLimits.DEFAULT.commitsInFlight();
    long commitQueueBytes = StoreLimits.DEFAULT.commitQueueBytes();
    int recoveriesInFlight = StoreLimits.DEFAULT.recoveriesInFlight();

    CommonStoreOptions() {}

    CommonStoreOptions(CommonStoreOptions other) {
        timeoutMs = other.timeoutMs;
        patienceMs = other.patienceMs;
        commitsInFlight = other.commitsInFlight;
        commitQueueBytes = other.commitQueueBytes;
        recoveriesInFlight = other.recoveriesInFlight;
    }

    /** The keys of a store's options: its own, and these. */
    static <O> Map<String, BiConsumer<O, Object>> with(
            Map<String, BiConsumer<O, Object>> own, Function<O, CommonStoreOptions> common) {
        Map<String, BiConsumer<O, Object>> keys = new TreeMap<>(own);
        KEYS.forEach((key, set) -> keys.put(key, (options, value) -> set.accept(common.apply(options), value)));
        return keys;
    }

    /** @throws IllegalArgumentException naming key, value and range */
    void validate() {
        KeyedValues.requireIn("storeTimeoutMs", timeoutMs, 100, 600_000);
        KeyedValues.requireIn("storePatienceMs", patienceMs, 100, 600_000);
        KeyedValues.requireIn("commitsInFlight", commitsInFlight, 1, StoreLimits.MOST_COMMITS);
        KeyedValues.requireIn(
                "commitQueueBytes", commitQueueBytes, StoreLimits.LEAST_QUEUE_BYTES, StoreLimits.MOST_QUEUE_BYTES);
        KeyedValues.requireIn("recoveriesInFlight", recoveriesInFlight, 1, StoreLimits.MOST_RECOVERIES);
    }

    StoreLimits limits() {
        return new StoreLimits(patienceMs, commitsInFlight, commitQueueBytes, recoveriesInFlight);
    }

    JsonObject write(JsonObject json) {
        return json.put("storeTimeoutMs", timeoutMs)
                .put("storePatienceMs", patienceMs)
                .put("commitsInFlight", commitsInFlight)
                .put("commitQueueBytes", commitQueueBytes)
                .put("recoveriesInFlight", recoveriesInFlight);
    }
}
