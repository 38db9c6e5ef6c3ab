package io.shardbus.integration;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.NodeId;
import io.shardbus.ShardingOptions;
import io.shardbus.membership.ClusterOptions;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.spi.DirectOptions;
import io.shardbus.spi.TlsOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Several clustered Vertx in this JVM, on free loopback ports, under a cluster name of their own. Close it. */
public final class TestCluster implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 60;

    private final String name;
    private final List<String> peers;
    private final List<Node> nodes = new ArrayList<>();
    private @Nullable TlsOptions tls;

    public TestCluster() {
        this("test-" + UUID.randomUUID(), List.of());
    }

    /** Nodes of this JVM in a cluster of this name, which may have others at these addresses. */
    public TestCluster(String name, List<String> peers) {
        this.name = name;
        this.peers = new ArrayList<>(peers);
    }

    /** One node; the port is that of its cluster traffic. */
    public record Node(Vertx vertx, ClusterSharding sharding, int port) {
        public NodeId id() {
            return sharding.self();
        }

        public EntityRef<CounterMessage> counter(String id) {
            return sharding.entityRef(CounterMessage.COUNTER, id);
        }
    }

    /** Options for tests: nothing waits for leases of an earlier cluster. With -Dshardbus.direct=true lanes are linked in all of them. */
    public static ShardingOptions options() {
        return new ShardingOptions()
                .setAwaitPredecessorLeases(false)
                .setLanes(2)
                .setDirect(new DirectOptions().setEnabled(Boolean.getBoolean("shardbus.direct")));
    }

    /** Nodes that start from now on have this TLS, or none. */
    public TestCluster secure(@Nullable TlsOptions nextNodes) {
        tls = nextNodes;
        return this;
    }

    /** Starts nodes one after the other; each knows the ports of those before it. */
    public TestCluster start(int count, ShardingOptions options) {
        for (int i = 0; i < count; i++) {
            startNode(options);
        }
        return this;
    }

    public Node startNode(ShardingOptions options) {
        return startNode(options, freePort());
    }

    public Node startNode(ShardingOptions options, int port) {
        return startNode(options, port, new VertxOptions());
    }

    /** @param host what else its Vertx is to know of the host */
    Node startNode(ShardingOptions options, int port, VertxOptions host) {
        peers.add("127.0.0.1:" + port);
        ClusterOptions cluster = new ClusterOptions()
                .setClusterName(name)
                .setBindAddress("127.0.0.1")
                .setBindPort(port)
                .setPeers(List.copyOf(peers))
                .setTls(tls);
        EventBusOptions bus =
                new EventBusOptions().setHost("127.0.0.1").setPort(0).setConnectTimeout(2000);
        if (tls != null) {
            tls.secure(bus);
        }
        Vertx vertx = await(Vertx.builder()
                .with(host.setEventBusOptions(bus).setEventLoopPoolSize(4))
                .withClusterManager(ShardbusClusterManager.create(cluster))
                .buildClustered());
        Node node = new Node(vertx, ClusterSharding.create(vertx, options), port);
        nodes.add(node);
        return node;
    }

    /** Starts a type on all nodes. */
    public TestCluster startType(EntityDefinition<?> definition) {
        nodes.forEach(node -> await(node.sharding().start(definition)));
        return this;
    }

    public Node node(int index) {
        return nodes.get(index);
    }

    public List<Node> nodes() {
        return nodes;
    }

    /** Takes a node out in good order. */
    public void leave(Node node) {
        await(leaving(node));
    }

    /** Begins to take a node out in good order. */
    public Future<Void> leaving(Node node) {
        nodes.remove(node);
        return node.vertx().close();
    }

    /** The name by which further JVMs join. */
    public String name() {
        return name;
    }

    /** The addresses at which further JVMs find this one. */
    public List<String> peers() {
        return List.copyOf(peers);
    }

    /** Waits until all nodes of this JVM know the same coordinator; it may be in another JVM. */
    public NodeId coordinator() {
        until("all nodes know one coordinator, a member", () -> agreedCoordinator() != null);
        return Objects.requireNonNull(agreedCoordinator(), "agreed");
    }

    /** The coordinator that all nodes of this JVM know and that is a member in their eyes, or null. */
    public @Nullable NodeId agreedCoordinator() {
        NodeId first = nodes.get(0).sharding().clusterState().coordinator();
        boolean agreed = nodes.stream()
                .map(node -> node.sharding().clusterState())
                .allMatch(state -> state.coordinator() != null
                        && state.coordinator().equals(first)
                        && state.nodes().stream().anyMatch(member -> member.id().equals(first)));
        return agreed ? first : null;
    }

    /** Waits until every node of this JVM lists so many members. */
    public void untilMembers(int count) {
        until(
                count + " members on every node",
                () -> nodes.stream()
                        .allMatch(node -> node.sharding().clusterState().nodes().size() == count));
    }

    /** A port that was free a moment ago, as was the one on which the failure detection of a node there listens. */
    public static int freePort() {
        return Ports.free(1).get(0);
    }

    /** Waits for a future; fails loudly when it takes too long. */
    public static <T> T await(Future<T> future) {
        try {
            return future.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("not done in " + DEADLINE_SECONDS + " s", e);
        }
    }

    /** Waits until a condition holds; fails loudly when it takes too long. */
    public static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not in " + DEADLINE_SECONDS + " s: " + what);
            }
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
    }

    @Override
    public void close() {
        for (Node node : List.copyOf(nodes)) {
            leave(node);
        }
    }
}
