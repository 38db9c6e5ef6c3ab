package io.shardbus.options;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The data center of this node's cluster, and the addresses of others, see docs/guides/data-centers.md. JSON keys are
 * the names of the properties. The setters check nothing: {@link #validate()} is called once, at start.
 */
public final class DataCenterOptions {
    public static final String DEFAULT_HOST = "127.0.0.1";
    public static final int DEFAULT_PORT = 0;
    public static final long DEFAULT_HEARTBEAT_INTERVAL_MS = 1000;
    public static final long DEFAULT_UNREACHABLE_AFTER_MS = 5000;
    public static final int DEFAULT_MAX_PENDING = 10_000;

    private static final int MOST_OTHERS = 100;
    private static final int MOST_ADDRESSES = 1000;

    static final Map<String, BiConsumer<DataCenterOptions, Object>> KEYS = new TreeMap<>(Map.of(
            "name", (options, value) -> options.name = (String) value,
            "host", (options, value) -> options.host = (String) value,
            "port", (options, value) -> options.port = (Integer) value,
            "others", (options, value) -> options.others = addresses((JsonObject) value),
            "tls", (options, value) -> options.tls = new TlsOptions((JsonObject) value),
            "heartbeatIntervalMs", (options, value) -> options.heartbeatIntervalMs = KeyedValues.whole(value),
            "unreachableAfterMs", (options, value) -> options.unreachableAfterMs = KeyedValues.whole(value),
            "maxPending", (options, value) -> options.maxPending = (Integer) value));

    private String name = "";
    private String host = DEFAULT_HOST;
    private int port = DEFAULT_PORT;
    private Map<String, List<String>> others = Map.of();
    private @Nullable TlsOptions tls;
    private long heartbeatIntervalMs = DEFAULT_HEARTBEAT_INTERVAL_MS;
    private long unreachableAfterMs = DEFAULT_UNREACHABLE_AFTER_MS;
    private int maxPending = DEFAULT_MAX_PENDING;

    /** The defaults; the name must be set. */
    public DataCenterOptions() {}

    public DataCenterOptions(DataCenterOptions other) {
        this(other.toJson());
    }

    /** @throws IllegalArgumentException for a key that is unknown, or has a value of the wrong type */
    public DataCenterOptions(JsonObject json) {
        json.forEach(entry -> KeyedValues.read(KEYS, this, entry.getKey(), entry.getValue()));
    }

    private static Map<String, List<String>> addresses(JsonObject json) {
        var found = new TreeMap<String, List<String>>();
        for (Map.Entry<String, Object> entry : json) {
            if (!(entry.getValue() instanceof JsonArray list) || !list.stream().allMatch(String.class::isInstance)) {
                throw new ClassCastException(entry.getKey() + " has no list of addresses");
            }
            found.put(entry.getKey(), list.stream().map(String.class::cast).toList());
        }
        return found;
    }

    public String getName() {
        return name;
    }

    /** The data center of this node: 1 to 50 letters, digits, '-', '_' or '.'; the same on all nodes of its cluster. */
    public DataCenterOptions setName(String name) {
        this.name = name;
        return this;
    }

    public String getHost() {
        return host;
    }

    /** Sets the host at which this node listens for other data centers. Off the loopback {@link #setTls} is needed. */
    public DataCenterOptions setHost(String host) {
        this.host = host;
        return this;
    }

    public int getPort() {
        return port;
    }

    /** The port to listen on; 0: a free one, for tests. */
    public DataCenterOptions setPort(int port) {
        this.port = port;
        return this;
    }

    public Map<String, List<String>> getOthers() {
        return others;
    }

    /**
     * Other data centers by name, each with addresses of its nodes, as {@code host:port}; not all nodes need to be
     * listed.
     */
    public DataCenterOptions setOthers(Map<String, List<String>> others) {
        this.others = others.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> List.copyOf(entry.getValue())));
        return this;
    }

    public Optional<TlsOptions> getTls() {
        return Optional.ofNullable(tls);
    }

    /**
     * Mutual TLS between data centers; null: none. Files are read at start only. A holder of a certificate of these
     * authorities counts as a node of another data center, and may send to all shared types.
     */
    public DataCenterOptions setTls(@Nullable TlsOptions tls) {
        this.tls = tls;
        return this;
    }

    public long getHeartbeatIntervalMs() {
        return heartbeatIntervalMs;
    }

    /** Pause between two heartbeats on a link, and between two attempts to connect, in milliseconds. 10 to 60,000. */
    public DataCenterOptions setHeartbeatIntervalMs(long heartbeatIntervalMs) {
        this.heartbeatIntervalMs = heartbeatIntervalMs;
        return this;
    }

    public long getUnreachableAfterMs() {
        return unreachableAfterMs;
    }

    /**
     * Time without a heartbeat after which another data center is unreachable, in milliseconds: at least two
     * heartbeats, at most 600,000.
     */
    public DataCenterOptions setUnreachableAfterMs(long unreachableAfterMs) {
        this.unreachableAfterMs = unreachableAfterMs;
        return this;
    }

    public int getMaxPending() {
        return maxPending;
    }

    /**
     * Sets how many messages to one other data center may wait for a connection or an answer on this node, and how many
     * asks of one of its nodes are served at a time. 1 to 1,000,000.
     */
    public DataCenterOptions setMaxPending(int maxPending) {
        this.maxPending = maxPending;
        return this;
    }

    /** @throws IllegalArgumentException naming key, value and range */
    public void validate() {
        KeyedValues.requireName("name", name, DaemonOptions.NAME);
        KeyedValues.requireIn("port", port, 0, 65_535);
        KeyedValues.requireIn("heartbeatIntervalMs", heartbeatIntervalMs, 10, 60_000);
        KeyedValues.requireIn("unreachableAfterMs", unreachableAfterMs, 2 * heartbeatIntervalMs, 600_000);
        KeyedValues.requireIn("maxPending", maxPending, 1, 1_000_000);
        KeyedValues.requireIn("others", others.size(), 0, MOST_OTHERS);
        others.forEach(this::requireAddresses);
        if (tls != null) {
            tls.validate();
        } else {
            requireLoopback(host);
        }
    }

    private void requireAddresses(String other, List<String> addresses) {
        KeyedValues.requireName("others", other, DaemonOptions.NAME);
        KeyedValues.requireIn("others." + other, addresses.size(), 1, MOST_ADDRESSES);
        if (other.equals(name)) {
            throw new IllegalArgumentException("option 'others': names this node's own data center \"" + name + "\"");
        }
        for (String address : addresses) {
            if (!Peer.isValid(address) || Peer.parse(address).port().isEmpty()) {
                throw new IllegalArgumentException(
                        "option 'others." + other + "' = \"" + address + "\": must be host:port");
            }
            if (tls == null) {
                requireLoopback(Peer.parse(address).host());
            }
        }
    }

    private static void requireLoopback(String host) {
        if (!Peer.isLoopback(host)) {
            throw new IllegalArgumentException("option 'tls' is not set, and \"" + host
                    + "\" is not on the loopback: links between data centers need TLS there");
        }
    }

    public JsonObject toJson() {
        var all = new JsonObject();
        new TreeMap<>(others).forEach((other, addresses) -> all.put(other, new JsonArray(addresses)));
        var json = new JsonObject()
                .put("name", name)
                .put("host", host)
                .put("port", port)
                .put("others", all)
                .put("heartbeatIntervalMs", heartbeatIntervalMs)
                .put("unreachableAfterMs", unreachableAfterMs)
                .put("maxPending", maxPending);
        return tls == null ? json : json.put("tls", tls.toJson());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DataCenterOptions that && toJson().equals(that.toJson());
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
