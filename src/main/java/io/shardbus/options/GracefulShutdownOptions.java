package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/**
 * Options of a graceful shutdown, as the launcher and the examples run it. JSON keys are the names of the properties,
 * all milliseconds.
 */
public final class GracefulShutdownOptions {
    public static final long DEFAULT_DEADLINE_MS = 60_000;
    public static final long DEFAULT_LOAD_BALANCER_DELAY_MS = 0;
    public static final long DEFAULT_QUIET_MS = 300;
    public static final long DEFAULT_LONGEST_QUIET_WAIT_MS = 3000;
    public static final long DEFAULT_LONGEST_REQUEST_MS = 10_000;

    private static final long LONGEST = 3_600_000;
    private static final Map<String, ObjLongConsumer<GracefulShutdownOptions>> KEYS = new TreeMap<>(Map.of(
            "deadlineMs", GracefulShutdownOptions::setDeadlineMs,
            "loadBalancerDelayMs", GracefulShutdownOptions::setLoadBalancerDelayMs,
            "quietMs", GracefulShutdownOptions::setQuietMs,
            "longestQuietWaitMs", GracefulShutdownOptions::setLongestQuietWaitMs,
            "longestRequestMs", GracefulShutdownOptions::setLongestRequestMs));

    private long deadlineMs = DEFAULT_DEADLINE_MS;
    private long loadBalancerDelayMs = DEFAULT_LOAD_BALANCER_DELAY_MS;
    private long quietMs = DEFAULT_QUIET_MS;
    private long longestQuietWaitMs = DEFAULT_LONGEST_QUIET_WAIT_MS;
    private long longestRequestMs = DEFAULT_LONGEST_REQUEST_MS;

    public GracefulShutdownOptions() {}

    public GracefulShutdownOptions(GracefulShutdownOptions other) {
        deadlineMs = other.deadlineMs;
        loadBalancerDelayMs = other.loadBalancerDelayMs;
        quietMs = other.quietMs;
        longestQuietWaitMs = other.longestQuietWaitMs;
        longestRequestMs = other.longestRequestMs;
    }

    /** @throws IllegalArgumentException for an unknown key, a value of the wrong type or one out of range */
    public GracefulShutdownOptions(JsonObject json) {
        json.forEach(entry -> {
            ObjLongConsumer<GracefulShutdownOptions> setter = KEYS.get(entry.getKey());
            if (setter == null) {
                throw new IllegalArgumentException(entry.getKey() + ": no such key; there are " + KEYS.keySet());
            }
            if (!(entry.getValue() instanceof Integer || entry.getValue() instanceof Long)) {
                throw new IllegalArgumentException(
                        entry.getKey() + ": \"" + entry.getValue() + "\" is not allowed; allowed: a whole number");
            }
            setter.accept(this, ((Number) entry.getValue()).longValue());
        });
    }

    public JsonObject toJson() {
        return new JsonObject()
                .put("deadlineMs", deadlineMs)
                .put("loadBalancerDelayMs", loadBalancerDelayMs)
                .put("quietMs", quietMs)
                .put("longestQuietWaitMs", longestQuietWaitMs)
                .put("longestRequestMs", longestRequestMs);
    }

    public long getDeadlineMs() {
        return deadlineMs;
    }

    /**
     * Sets the time that the whole shutdown may take; after that the process ends with status 1. Milliseconds, 0 to
     * 3,600,000.
     */
    public GracefulShutdownOptions setDeadlineMs(long deadlineMs) {
        this.deadlineMs = inRange("deadlineMs", deadlineMs);
        return this;
    }

    public long getLoadBalancerDelayMs() {
        return loadBalancerDelayMs;
    }

    /**
     * Sets the time that load balancers take to see that this node is not ready, and to send requests elsewhere: shards
     * move after it. Milliseconds, 0 to 3,600,000.
     */
    public GracefulShutdownOptions setLoadBalancerDelayMs(long loadBalancerDelayMs) {
        this.loadBalancerDelayMs = inRange("loadBalancerDelayMs", loadBalancerDelayMs);
        return this;
    }

    public long getQuietMs() {
        return quietMs;
    }

    /** The servers close their ports when no request has come for this time. Milliseconds, 0 to 3,600,000. */
    public GracefulShutdownOptions setQuietMs(long quietMs) {
        this.quietMs = inRange("quietMs", quietMs);
        return this;
    }

    public long getLongestQuietWaitMs() {
        return longestQuietWaitMs;
    }

    /**
     * Sets the longest time that the servers wait for {@code quietMs} without a request, if requests keep coming.
     * Milliseconds, 0 to 3,600,000.
     */
    public GracefulShutdownOptions setLongestQuietWaitMs(long longestQuietWaitMs) {
        this.longestQuietWaitMs = inRange("longestQuietWaitMs", longestQuietWaitMs);
        return this;
    }

    public long getLongestRequestMs() {
        return longestRequestMs;
    }

    /** Sets the time that requests under way may take when the ports are closed. Milliseconds, 0 to 3,600,000. */
    public GracefulShutdownOptions setLongestRequestMs(long longestRequestMs) {
        this.longestRequestMs = inRange("longestRequestMs", longestRequestMs);
        return this;
    }

    private static long inRange(String key, long value) {
        if (value < 0 || value > LONGEST) {
            throw new IllegalArgumentException(key + ": \"" + value + "\" is not allowed; allowed: 0 to " + LONGEST);
        }
        return value;
    }
}
