package io.shardbus.integration.membership;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.freePort;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.Ports;
import io.shardbus.integration.TestAuthority;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.TlsProbe;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.DirectOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.TlsOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clusters whose nodes know each other by certificates. */
@Timeout(180)
@Tag("slow")
class TlsClusterIT {
    private static final int DETECTION = 100;
    private static final int LANES = 2;
    private static final int COUNTERS = 50;

    private final TestAuthority authority = new TestAuthority("first");
    private final TestAuthority other = new TestAuthority("second");

    @TempDir
    private Path directory;

    /** A node and the first of the ports at which its lanes listen. */
    private record Secured(TestCluster.Node node, int lanes) {
        /** Every port that the node has open for others. */
        List<Integer> ports() {
            var bus = ShardbusClusterManager.of(node.vertx()).getNodeInfo().port();
            return Stream.concat(
                            Stream.of(node.port(), node.port() + DETECTION, bus),
                            IntStream.range(lanes, lanes + LANES).boxed())
                    .toList();
        }
    }

    private TlsOptions files(String node) {
        return authority.node(directory, node).setReloadIntervalMs(100);
    }

    private static Secured start(TestCluster cluster, @Nullable TlsOptions tls) {
        Secured started = join(cluster, tls);
        await(started.node.sharding().start(new Census().definition()));
        return started;
    }

    private static Secured join(TestCluster cluster, @Nullable TlsOptions tls) {
        int lanes = Objects.requireNonNull(Ports.free(LANES + 1).get(0));
        ShardingOptions options = TestCluster.options()
                .setLanes(LANES)
                .setDirect(new DirectOptions().setEnabled(true).setPorts(lanes + "-" + (lanes + LANES - 1)));
        TestCluster.Node node = cluster.secure(tls).startNode(options);
        return new Secured(node, lanes);
    }

    private static boolean knows(TestCluster.Node node, TestCluster.Node other) {
        return node.sharding().clusterState().nodes().stream()
                .anyMatch(member -> member.id().equals(other.id()));
    }

    private static void exchange(List<Secured> nodes) {
        for (Secured from : nodes) {
            for (int i = 0; i < COUNTERS; i++) {
                await(from.node.counter("c" + i).ask(new CounterMessage.AddAndGet(1)));
            }
        }
    }

    @Test
    @DisplayName(
            "nodes with certificates of one authority form a cluster; all ports of theirs take such a certificate only")
    void strangersGetNowhere() {
        try (TestCluster cluster = new TestCluster()) {
            List<Secured> nodes = List.of(start(cluster, files("one")), start(cluster, files("two")));
            cluster.untilMembers(2);
            exchange(nodes);
            TlsOptions member = files("three");
            TlsOptions stranger = other.node(directory, "stranger");
            TestAuthority.trust(stranger, authority, other);
            for (Secured node : nodes) {
                for (int port : node.ports()) {
                    assertTrue(TlsProbe.isTaken(port, member), () -> "a member at " + port);
                    assertEquals(List.of(), TlsProbe.taken(port, stranger), () -> "strangers at " + port);
                }
            }
            exchange(nodes);
        }
    }

    @Test
    @DisplayName("a node without TLS, and one with a certificate of another authority, does not join and runs nothing")
    void strangeNodesDoNotJoin() {
        try (TestCluster cluster = new TestCluster()) {
            List<Secured> nodes = List.of(start(cluster, files("one")), start(cluster, files("two")));
            cluster.untilMembers(2);
            List<TlsOptions> strange = Arrays.asList(null, other.node(directory, "x"));
            for (TlsOptions tls : strange) {
                try (TestCluster outside = new TestCluster(cluster.name(), cluster.peers())) {
                    TestCluster.Node stranger = join(outside, tls).node;
                    Future<?> region = stranger.sharding().start(new Census().definition());
                    exchange(nodes);
                    assertFalse(knows(stranger, nodes.get(0).node), "it sees the cluster");
                    assertFalse(knows(nodes.get(0).node, stranger), "the cluster sees it");
                    assertFalse(region.succeeded(), "it hosts shards");
                }
                cluster.untilMembers(2);
                exchange(nodes);
            }
        }
    }

    @Test
    @DisplayName("the ports of nodes without TLS are taken by all: what the other tests ask for can fail")
    void withoutTls() {
        try (TestCluster cluster = new TestCluster()) {
            Secured node = start(cluster, null);
            for (int port : node.ports().subList(0, 3)) {
                assertEquals(
                        List.of("without TLS"), TlsProbe.taken(port, other.node(directory, "x")), () -> "at " + port);
            }
        }
    }

    @Test
    @DisplayName("files are replaced while nodes run: nodes that know only the new authority join,"
            + " without a restart of the others")
    void rotation() {
        try (TestCluster cluster = new TestCluster()) {
            TlsOptions one = files("one");
            TlsOptions two = files("two");
            List<Secured> nodes = List.of(start(cluster, one), start(cluster, two));
            cluster.untilMembers(2);
            exchange(nodes);
            List.of(one, two).forEach(files -> TestAuthority.trust(files, authority, other));
            TlsOptions newcomer = other.node(directory, "new");
            untilTaken(nodes, newcomer, List.of(authority));
            List.of(one, two).forEach(files -> other.issue(files, "renewed"));
            untilTaken(nodes, newcomer, List.of(other));
            List.of(one, two).forEach(files -> TestAuthority.trust(files, other));
            TlsOptions former = files("former");
            TestAuthority.trust(former, authority, other);
            until(
                    "the former authority counts no more",
                    () -> nodes.stream()
                            .flatMap(node -> node.ports().stream())
                            .allMatch(port -> !TlsProbe.isTaken(port, former)));

            Secured third = start(cluster, newcomer);
            cluster.untilMembers(3);
            exchange(List.of(nodes.get(0), nodes.get(1), third));
            cluster.leave(nodes.get(0).node);
            cluster.untilMembers(2);
            exchange(List.of(nodes.get(1), third));
        }
    }

    /** Each port takes the certificate, and shows one of these authorities. */
    private static void untilTaken(List<Secured> nodes, TlsOptions own, List<TestAuthority> shown) {
        TestAuthority.trust(own, shown.toArray(TestAuthority[]::new));
        for (Secured node : nodes) {
            for (int port : node.ports()) {
                until("a member of the new authority at " + port, () -> TlsProbe.isTaken(port, own));
            }
        }
    }

    @Test
    @DisplayName("a node whose event bus is not encrypted does not start beside a cluster that is")
    void busWithoutTls() {
        ClusterOptions cluster = new ClusterOptions()
                .setClusterName("bus-without-tls")
                .setBindPort(freePort())
                .setTls(files("one"));
        Exception refusal = assertThrows(
                Exception.class,
                () -> Vertx.builder()
                        .withClusterManager(ShardbusClusterManager.create(cluster))
                        .buildClustered()
                        .await());
        assertTrue(
                String.valueOf(refusal.getMessage()).contains("tlsOptions.secure(new EventBusOptions())"),
                refusal::toString);
    }
}
