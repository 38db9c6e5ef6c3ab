package io.shardbus.options;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options by which a node finds and joins its cluster. Options that are not set are left to the JGroups stack. With the
 * built-in stack and without options the cluster is on this host only, on the first free port from 7800 to 7809,
 * without multicast.
 */
public final class ClusterOptions {
    public static final String DEFAULT_CLUSTER_NAME = "shardbus";

    /** The port of a peer that is given without a port, and the first port that the built-in stack tries. */
    public static final int DEFAULT_PORT = 7800;

    static final TreeSet<String> KEYS = new TreeSet<>(List.of(
            "clusterName",
            "nodeName",
            "bindAddress",
            "bindPort",
            "peers",
            "seats",
            "trustRefusedPorts",
            "infinispanConfig",
            "jgroupsConfig",
            "tls"));
    private static final Pattern NAME = Pattern.compile("[\\w.:-]{1,100}");

    private String clusterName = DEFAULT_CLUSTER_NAME;
    private @Nullable String nodeName;
    private @Nullable String bindAddress;
    private int bindPort;
    private List<String> peers = List.of();
    private List<String> seats = List.of();
    private boolean trustRefusedPorts;
    private @Nullable String infinispanConfig;
    private @Nullable String jgroupsConfig;
    private @Nullable TlsOptions tls;

    public ClusterOptions() {}

    public ClusterOptions(ClusterOptions other) {
        clusterName = other.clusterName;
        nodeName = other.nodeName;
        bindAddress = other.bindAddress;
        bindPort = other.bindPort;
        peers = other.peers;
        seats = other.seats;
        trustRefusedPorts = other.trustRefusedPorts;
        infinispanConfig = other.infinispanConfig;
        jgroupsConfig = other.jgroupsConfig;
        setTls(other.tls);
    }

    /** @throws IllegalArgumentException for a key that does not exist and for a value of the wrong kind */
    public ClusterOptions(JsonObject json) {
        for (var key : json.fieldNames()) {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException(key + ": no such key; there are " + KEYS);
            }
        }
        clusterName = Objects.requireNonNullElse(text(json, "clusterName"), DEFAULT_CLUSTER_NAME);
        nodeName = text(json, "nodeName");
        bindAddress = text(json, "bindAddress");
        bindPort = number(json, "bindPort");
        peers = texts(json, "peers");
        seats = texts(json, "seats");
        trustRefusedPorts = flag(json, "trustRefusedPorts");
        infinispanConfig = text(json, "infinispanConfig");
        jgroupsConfig = text(json, "jgroupsConfig");
        tls = tls(json);
    }

    public JsonObject toJson() {
        var json = new JsonObject().put("clusterName", clusterName).put("bindPort", bindPort);
        putIfSet(json, "nodeName", nodeName);
        putIfSet(json, "bindAddress", bindAddress);
        putIfSet(json, "infinispanConfig", infinispanConfig);
        putIfSet(json, "jgroupsConfig", jgroupsConfig);
        if (tls != null) {
            json.put("tls", tls.toJson());
        }
        return json.put("peers", new JsonArray(new ArrayList<>(peers)))
                .put("seats", new JsonArray(new ArrayList<>(seats)))
                .put("trustRefusedPorts", trustRefusedPorts);
    }

    public String getClusterName() {
        return clusterName;
    }

    /**
     * The name of the cluster: nodes with the same name join each other, nodes with different names ignore each other.
     */
    public ClusterOptions setClusterName(String clusterName) {
        this.clusterName = Objects.requireNonNull(clusterName, "clusterName");
        return this;
    }

    public @Nullable String getNodeName() {
        return nodeName;
    }

    /**
     * Sets the first part of this node's name, for people to read; the host's name if not set. It need not be unique.
     */
    public ClusterOptions setNodeName(@Nullable String nodeName) {
        this.nodeName = nodeName;
        return this;
    }

    public @Nullable String getBindAddress() {
        return bindAddress;
    }

    /**
     * The address that the cluster's traffic uses on this host: an address, a host name, or a word of JGroups such as
     * {@code SITE_LOCAL} or {@code match-interface:eth0}.
     */
    public ClusterOptions setBindAddress(@Nullable String bindAddress) {
        this.bindAddress = bindAddress;
        return this;
    }

    public int getBindPort() {
        return bindPort;
    }

    /** The port of JGroups, 1 to 65,535; no other port is tried. 0, the default: the stack chooses the port. */
    public ClusterOptions setBindPort(int bindPort) {
        this.bindPort = bindPort;
        return this;
    }

    public List<String> getPeers() {
        return peers;
    }

    /**
     * Sets the addresses of other nodes, each as {@code host} or {@code host:port}; not all of them need to run, and
     * this node may be among them. With a stack that uses DNS: the names to look up.
     */
    public ClusterOptions setPeers(List<String> peers) {
        this.peers = List.copyOf(peers);
        return this;
    }

    public List<String> getSeats() {
        return seats;
    }

    /**
     * The seats: the addresses of the processes that may found and coordinate the cluster, each as {@code host} or
     * {@code host:port} of its cluster traffic; the same list on all nodes. When the cluster is founded, each seat must
     * be held by a process or be proven vacant; afterwards one seat is enough. Other nodes join and host shards. If not
     * set, the seats are the peers, and this node if they do not include it; on an address of the loopback all nodes of
     * this host.
     */
    public ClusterOptions setSeats(List<String> seats) {
        this.seats = List.copyOf(seats);
        return this;
    }

    public boolean isTrustRefusedPorts() {
        return trustRefusedPorts;
    }

    /**
     * Sets whether a seat on another host counts as vacant when its port refuses connections. Do not set it where a
     * firewall may refuse connections. On this host's own addresses such a seat always counts as vacant.
     */
    public ClusterOptions setTrustRefusedPorts(boolean trustRefusedPorts) {
        this.trustRefusedPorts = trustRefusedPorts;
        return this;
    }

    public @Nullable String getInfinispanConfig() {
        return infinispanConfig;
    }

    /** The Infinispan configuration: the path of a file, or the name of a resource on the class path. */
    public ClusterOptions setInfinispanConfig(@Nullable String infinispanConfig) {
        this.infinispanConfig = infinispanConfig;
        return this;
    }

    public @Nullable String getJgroupsConfig() {
        return jgroupsConfig;
    }

    /**
     * The JGroups stack: the path of a file, or the name of a resource on the class path. It replaces a stack that the
     * Infinispan configuration names.
     */
    public ClusterOptions setJgroupsConfig(@Nullable String jgroupsConfig) {
        this.jgroupsConfig = jgroupsConfig;
        return this;
    }

    public @Nullable TlsOptions getTls() {
        return tls;
    }

    /**
     * Mutual TLS on all connections between nodes; null, the default: none. Secure the event bus by {@link
     * TlsOptions#secure}: without that the node does not start.
     */
    public ClusterOptions setTls(@Nullable TlsOptions tls) {
        this.tls = tls == null ? null : new TlsOptions(tls);
        return this;
    }

    /** @throws IllegalArgumentException naming key, value and allowed range */
    public void validate() {
        require(
                NAME.matcher(clusterName).matches(),
                "clusterName",
                clusterName,
                "1 to 100 of letters, digits, . _ : -");
        require(
                nodeName == null || NAME.matcher(nodeName).matches(),
                "nodeName",
                nodeName,
                "1 to 100 of letters, digits, . _ : -");
        require(bindPort >= 0 && bindPort <= 65_535, "bindPort", bindPort, "0 (left to the stack) to 65535");
        requireNotBlank("bindAddress", bindAddress);
        requireNotBlank("infinispanConfig", infinispanConfig);
        requireNotBlank("jgroupsConfig", jgroupsConfig);
        var isLocal =
                bindAddress == null ? jgroupsConfig == null && infinispanConfig == null : Peer.isLoopback(bindAddress);
        for (var peer : peers) {
            require(
                    !isLocal || Peer.isLoopback(Peer.parse(peer).host()),
                    "peers",
                    peer,
                    "hosts that can reach bindAddress, which is " + (bindAddress == null ? "not set" : bindAddress)
                            + ": only this host can");
        }
        if (tls != null) {
            tls.validate();
        }
        for (var seat : seats) {
            require(Peer.isValid(seat), "seats", seat, "host or host:port, an IPv6 address as [::1]:7800");
        }
    }

    private static void requireNotBlank(String key, @Nullable String value) {
        require(value == null || !value.isBlank(), key, value, "anything but blank");
    }

    private static void require(boolean holds, String key, @Nullable Object value, String allowed) {
        if (!holds) {
            throw new IllegalArgumentException(key + ": \"" + value + "\" is not allowed; allowed: " + allowed);
        }
    }

    private static void putIfSet(JsonObject json, String key, @Nullable String value) {
        if (value != null) {
            json.put(key, value);
        }
    }

    private static @Nullable String text(JsonObject json, String key) {
        var value = json.getValue(key);
        require(value == null || value instanceof String, key, value, "a string");
        return (String) value;
    }

    private static int number(JsonObject json, String key) {
        var value = json.getValue(key, 0);
        require(value instanceof Integer, key, value, "a whole number");
        return (Integer) value;
    }

    private static boolean flag(JsonObject json, String key) {
        var value = json.getValue(key, false);
        require(value instanceof Boolean, key, value, "true or false");
        return (Boolean) value;
    }

    private static @Nullable TlsOptions tls(JsonObject json) {
        var value = json.getValue("tls");
        require(value == null || value instanceof JsonObject, "tls", value, "an object");
        return value == null ? null : new TlsOptions((JsonObject) value);
    }

    private static List<String> texts(JsonObject json, String key) {
        var value = json.getValue(key, new JsonArray());
        require(value instanceof JsonArray, key, value, "an array of strings");
        var texts = new ArrayList<String>();
        for (var element : (JsonArray) value) {
            require(element instanceof String, key, element, "an array of strings");
            texts.add((String) element);
        }
        return List.copyOf(texts);
    }
}
