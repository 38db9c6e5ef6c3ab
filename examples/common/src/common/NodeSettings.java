package common;

import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.TlsOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where node N of an example listens, by its number and its environment. On the default address the nodes differ by
 * their ports; on another one each node has the address for itself, and all use the same ports.
 *
 * @param cluster its name; node N is named after it
 * @param peers where other nodes of the cluster may be; this node may be among them
 * @param minimumMembers how many nodes must have met before the first entity may live
 * @param tls of the connections between nodes
 */
public record NodeSettings(
        String cluster,
        int node,
        String host,
        Ports ports,
        List<String> peers,
        int minimumMembers,
        Optional<TlsOptions> tls) {
    private static final String DEFAULT_HOST = "127.0.0.1";
    private static final int FEWEST_PEERS = 9;
    private static final int MOST_NODES = 99;
    /** By how much the port of JGroups' failure detection is above that of the cluster. */
    private static final int DETECTION = 100;

    private static final String OWN_ADDRESS = "set it to an address of this machine that the other nodes reach";

    /**
     * Ports of a node. JGroups listens for failure detection, too, 100 above the port of the cluster.
     *
     * @param cluster of JGroups
     * @param bus of the event bus
     */
    public record Ports(int cluster, int bus, int http) {
        private Ports of(int node, boolean shareAddress) {
            int offset = shareAddress ? node : 0;
            return new Ports(cluster + offset, bus + offset, http + node);
        }
    }

    /**
     * @param first of a node 0
     * @throws IllegalArgumentException for a number that is none, and a variable that is wrong
     */
    public static NodeSettings of(String cluster, Ports first, String number, Map<String, String> environment) {
        if (!number.matches("[1-9][0-9]?")) {
            throw new IllegalArgumentException("'" + number + "' is not the number of a node: 1 to " + MOST_NODES);
        }
        int node = Integer.parseInt(number);
        var host = environment.getOrDefault("SHARDBUS_HOST", "").isBlank()
                ? DEFAULT_HOST
                : environment.get("SHARDBUS_HOST").trim();
        return new NodeSettings(
                cluster,
                node,
                host,
                first.of(node, host.equals(DEFAULT_HOST)),
                peers(environment.getOrDefault("SHARDBUS_PEERS", ""), host, first.cluster(), node),
                minimumMembers(environment.getOrDefault("SHARDBUS_MINIMUM_MEMBERS", "1")),
                Optional.of(environment.getOrDefault("SHARDBUS_TLS", ""))
                        .filter(directory -> !directory.isBlank())
                        .map(NodeSettings::tls));
    }

    private static TlsOptions tls(String directory) {
        return new TlsOptions()
                .setCertificate(directory + "/node.pem")
                .setKey(directory + "/key.pem")
                .setTrust(directory + "/ca.pem");
    }

    private static int minimumMembers(String text) {
        if (!text.matches("[1-9][0-9]?")) {
            throw new IllegalArgumentException(
                    "SHARDBUS_MINIMUM_MEMBERS '" + text + "' is not a number from 1 to " + MOST_NODES);
        }
        return Integer.parseInt(text);
    }

    private static List<String> peers(String text, String host, int port, int node) {
        var named = Arrays.stream(text.split(","))
                .map(String::trim)
                .filter(peer -> !peer.isEmpty())
                .toList();
        return (named.isEmpty() ? List.of(host) : named)
                .stream().flatMap(peer -> ports(peer, port, node)).toList();
    }

    private static Stream<String> ports(String peer, int port, int node) {
        return peer.equals(DEFAULT_HOST)
                ? IntStream.rangeClosed(1, Math.max(node, FEWEST_PEERS)).mapToObj(n -> peer + ":" + (port + n))
                : Stream.of(peer.matches(".*:[0-9]+") ? peer : peer + ":" + port);
    }

    public int httpPort() {
        return ports.http();
    }

    public ClusterOptions clusterOptions() {
        return new ClusterOptions()
                .setClusterName(cluster)
                .setNodeName(cluster + "-" + node)
                .setBindAddress(host)
                .setBindPort(ports.cluster())
                .setPeers(peers)
                .setTls(tls.orElse(null));
    }

    public EventBusOptions eventBus() {
        var bus = new EventBusOptions()
                .setHost(host)
                .setPort(ports.bus())
                .setClusterPublicHost(host)
                .setClusterPublicPort(ports.bus())
                .setConnectTimeout(2000)
                .setClusterPingInterval(3000)
                .setClusterPingReplyInterval(3000);
        return tls.map(files -> files.secure(bus)).orElse(bus);
    }

    /**
     * Starts the node's Vertx; the future fails, too, for a setting that is wrong, and for an address or a port that
     * the node cannot have, before anything of it listens.
     */
    public Future<Vertx> startVertx() {
        return Future.succeededFuture().compose(begun -> {
            requirePlace();
            return Vertx.builder()
                    .with(new VertxOptions().setEventBusOptions(eventBus()))
                    .withClusterManager(ShardbusClusterManager.create(clusterOptions()))
                    .buildClustered();
        });
    }

    /** One line that says what to change, in the place of the stacks of libraries that find out one after the other. */
    private void requirePlace() {
        InetAddress address;
        try {
            address = InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("SHARDBUS_HOST " + host + " cannot be resolved: " + OWN_ADDRESS, e);
        }
        if (address.isAnyLocalAddress()) {
            throw new IllegalArgumentException("SHARDBUS_HOST " + host + " stands for all addresses: " + OWN_ADDRESS);
        }
        if (!isFree(address, 0)) {
            throw new IllegalArgumentException("SHARDBUS_HOST " + host + " is not of this machine: " + OWN_ADDRESS);
        }
        requireFree(address, "the cluster", ports.cluster());
        requireFree(address, "the failure detection", ports.cluster() + DETECTION);
        requireFree(address, "the event bus", ports.bus());
        requireFree(address, "HTTP", ports.http());
    }

    private void requireFree(InetAddress address, String what, int port) {
        if (!isFree(address, port)) {
            throw new IllegalArgumentException(what + " cannot listen at " + host + ":" + port
                    + ": another process does; stop that one, or start a node with another number");
        }
    }

    private static boolean isFree(InetAddress address, int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The admin resources take actions where only this machine reaches them. */
    public AdminOptions admin() {
        boolean loopback = host.equals("localhost") || host.startsWith("127.");
        return new AdminOptions().setReadOnly(!loopback);
    }
}
