package auction;

import io.shardbus.membership.ClusterOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where node N listens. On the default address the nodes differ by their ports; on another one each node has the
 * address for itself, and all use the same ports.
 *
 * @param peers where other nodes of the cluster may be; this node may be among them
 */
record Settings(int node, String host, int clusterPort, int busPort, int httpPort, List<String> peers) {
    private static final String DEFAULT_HOST = "127.0.0.1";
    private static final int CLUSTER_PORT = 7200;
    private static final int BUS_PORT = 7100;
    private static final int HTTP_PORT = 8280;
    private static final int FEWEST_PEERS = 9;
    private static final int MOST_NODES = 99;

    /** @throws IllegalArgumentException for a number that is none */
    static Settings of(String number, Map<String, String> environment) {
        if (!number.matches("[1-9][0-9]?")) {
            throw new IllegalArgumentException("'" + number + "' is not the number of a node: 1 to " + MOST_NODES);
        }
        int node = Integer.parseInt(number);
        var host = environment.getOrDefault("SHARDBUS_HOST", "").isBlank()
                ? DEFAULT_HOST
                : environment.get("SHARDBUS_HOST").trim();
        int offset = host.equals(DEFAULT_HOST) ? node : 0;
        return new Settings(
                node,
                host,
                CLUSTER_PORT + offset,
                BUS_PORT + offset,
                HTTP_PORT + node,
                peers(environment.getOrDefault("SHARDBUS_PEERS", ""), host, node));
    }

    private static List<String> peers(String text, String host, int node) {
        var named = Arrays.stream(text.split(","))
                .map(String::trim)
                .filter(peer -> !peer.isEmpty())
                .toList();
        return (named.isEmpty() ? List.of(host) : named)
                .stream().flatMap(peer -> ports(peer, node)).toList();
    }

    private static Stream<String> ports(String peer, int node) {
        return peer.equals(DEFAULT_HOST)
                ? IntStream.rangeClosed(1, Math.max(node, FEWEST_PEERS)).mapToObj(n -> peer + ":" + (CLUSTER_PORT + n))
                : Stream.of(peer.matches(".*:[0-9]+") ? peer : peer + ":" + CLUSTER_PORT);
    }

    ClusterOptions cluster() {
        return new ClusterOptions()
                .setClusterName("auction")
                .setNodeName("auction-" + node)
                .setBindAddress(host)
                .setBindPort(clusterPort)
                .setPeers(peers);
    }

    EventBusOptions eventBus() {
        return new EventBusOptions()
                .setHost(host)
                .setPort(busPort)
                .setClusterPublicHost(host)
                .setClusterPublicPort(busPort)
                .setConnectTimeout(2000)
                .setClusterPingInterval(3000)
                .setClusterPingReplyInterval(3000);
    }
}
