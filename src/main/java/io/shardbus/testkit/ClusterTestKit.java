package io.shardbus.testkit;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.membership.CutLinks;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.model.NodeId;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.TlsOptions;
import io.shardbus.transport.SilentBus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Several nodes in this process: clustered Vertx instances on free ports of the loopback, under a cluster name of their
 * own. Their links can be cut, and nodes can be killed. A method that waits throws an {@link AssertionError} after a
 * minute. Use the kit on one thread, and close it.
 *
 * <pre>
 * try (var cluster = ClusterTestKit.start(3).startType(definition)) {
 *     cluster.cut(Set.of(0));
 *     cluster.untilMembers(2, cluster.node(1));
 *     cluster.heal();
 * }
 * </pre>
 */
public final class ClusterTestKit implements AutoCloseable {
    /** Event loops of a node whose options name none: as in a small container, also on a machine with many cores. */
    public static final int EVENT_LOOPS = 4;

    private static final long DEADLINE_SECONDS = 60;
    private static final long PAUSE_MS = 5;
    private static final AtomicInteger CLUSTERS = new AtomicInteger();

    private final String name;
    private final List<String> peers;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Future<Void>> killed = new ArrayList<>();
    private @Nullable TlsOptions tls;

    private ClusterTestKit(String name, List<String> peers) {
        this.name = name;
        this.peers = new ArrayList<>(peers);
    }

    /** A kit without nodes. */
    public static ClusterTestKit create() {
        return of("test-" + ProcessHandle.current().pid() + "-" + CLUSTERS.incrementAndGet(), List.of());
    }

    /**
     * A kit whose nodes join the cluster of this name, which may have nodes of other processes at these addresses.
     */
    public static ClusterTestKit of(String name, List<String> peers) {
        return new ClusterTestKit(name, peers);
    }

    /** Starts this many nodes with the {@link #options} for tests, and waits until all know each other. */
    public static ClusterTestKit start(int nodes) {
        var cluster = create();
        try {
            for (int i = 0; i < nodes; i++) {
                cluster.startNode(options());
            }
            cluster.untilMembers(nodes);
            return cluster;
        } catch (Throwable e) {
            // also checked ones, which a future throws unchecked
            cluster.close();
            throw e;
        }
    }

    /**
     * Options for tests: the nodes do not wait for leases of an earlier cluster, as there was none, and messages within
     * a node are encoded and limited in size as those between nodes are.
     */
    public static ShardingOptions options() {
        return new ShardingOptions()
                .setAwaitPredecessorLeases(false)
                .setLanes(2)
                .setSerializeLocal(true);
    }

    /**
     * One node.
     *
     * @param port the port of its cluster traffic
     */
    public record Node(Vertx vertx, ClusterSharding sharding, int port) {
        public NodeId id() {
            return sharding.self();
        }
    }

    public Node startNode(ShardingOptions options) {
        return startNode(options, freePort(), new VertxOptions().setEventLoopPoolSize(EVENT_LOOPS));
    }

    /**
     * Starts one more node, which knows the ports of the earlier ones.
     *
     * @param host options of its Vertx, except those of the event bus
     */
    public Node startNode(ShardingOptions options, int port, VertxOptions host) {
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
                .with(host.setEventBusOptions(bus))
                .withClusterManager(ShardbusClusterManager.create(cluster))
                .buildClustered());
        try {
            Node node = new Node(vertx, ClusterSharding.create(vertx, options), port);
            nodes.add(node);
            return node;
        } catch (Throwable e) {
            vertx.close();
            throw e;
        }
    }

    /** Nodes that start from now on use this TLS; null: none. */
    public ClusterTestKit secure(@Nullable TlsOptions nextNodes) {
        tls = nextNodes;
        return this;
    }

    /** Starts a type on all nodes. */
    public ClusterTestKit startType(EntityDefinition<?> definition) {
        nodes.forEach(node -> await(node.sharding().start(definition)));
        return this;
    }

    /** The nodes that were neither killed nor have left, in the order of their starts. */
    public List<Node> nodes() {
        return List.copyOf(nodes);
    }

    public Node node(int index) {
        return nodes.get(index);
    }

    /** Takes a node out in good order: its shards move. */
    public void leave(Node node) {
        await(leaving(node));
    }

    /** Begins to take a node out in good order. */
    public Future<Void> leaving(Node node) {
        nodes.remove(node);
        return node.vertx().close();
    }

    /**
     * Kills a node, as far as the other nodes can see: from now on it neither sends nor receives messages. The others
     * consider it lost after some seconds, and host its shards when its lease must have expired. Code of its entities
     * may run until then.
     */
    public void kill(Node node) {
        nodes.remove(node);
        SilentBus.silence(node.vertx());
        CutLinks.cutOff(node.vertx());
        killed.add(node.vertx().close());
    }

    /**
     * Cuts the cluster traffic between these nodes, by their index in {@link #nodes}, and all other nodes, until {@link
     * #heal}; the event bus between them goes on.
     */
    public void cut(Set<Integer> side) {
        for (int i = 0; i < nodes.size(); i++) {
            boolean here = side.contains(i);
            List<Vertx> others = new ArrayList<>();
            for (int j = 0; j < nodes.size(); j++) {
                if (here != side.contains(j)) {
                    others.add(node(j).vertx());
                }
            }
            CutLinks.cut(node(i).vertx(), others);
        }
    }

    /** Ends the cut. */
    public void heal() {
        nodes.forEach(node -> CutLinks.heal(node.vertx()));
    }

    /** The name by which further processes join. */
    public String name() {
        return name;
    }

    /** The addresses at which further processes find this one. */
    public List<String> peers() {
        return List.copyOf(peers);
    }

    /** Waits until all nodes of this process know the same coordinator; it may be in another process. */
    public NodeId coordinator() {
        until("all nodes know one coordinator, a member", () -> agreedCoordinator() != null);
        return Objects.requireNonNull(agreedCoordinator(), "agreed");
    }

    /**
     * The coordinator that all nodes of this process know and list as a member; null if there is none.
     */
    public @Nullable NodeId agreedCoordinator() {
        NodeId first = nodes.get(0).sharding().clusterState().coordinator();
        boolean agreed = nodes.stream()
                .map(node -> node.sharding().clusterState())
                .allMatch(state -> state.coordinator() != null
                        && state.coordinator().equals(first)
                        && state.nodes().stream().anyMatch(member -> member.id().equals(first)));
        return agreed ? first : null;
    }

    /** Waits until every node of this process lists this many members. */
    public void untilMembers(int count) {
        nodes.forEach(node -> untilMembers(count, node));
    }

    /** Waits until the node lists this many members. */
    public void untilMembers(int count, Node node) {
        until(
                node.id() + " lists " + count + " members",
                () -> node.sharding().clusterState().nodes().size() == count);
    }

    /** Waits until a condition holds. */
    public void until(String what, BooleanSupplier condition) {
        Vertx clock = nodes.get(0).vertx();
        Future<?> end = clock.timer(DEADLINE_SECONDS, TimeUnit.SECONDS);
        while (!condition.getAsBoolean()) {
            if (end.isComplete()) {
                throw new AssertionError("not in " + DEADLINE_SECONDS + " s: " + what);
            }
            await(clock.timer(PAUSE_MS, TimeUnit.MILLISECONDS));
        }
    }

    /**
     * A port that was free a moment ago. The port 100 above it, on which the failure detection of a node with this port
     * listens, was free, too.
     */
    public static int freePort() {
        return FreePorts.next();
    }

    /** Waits for a future, and throws its failure. */
    public static <T> T await(Future<T> future) {
        try {
            return future.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("not done in " + DEADLINE_SECONDS + " s", e);
        }
    }

    /** Takes all nodes out in good order. */
    @Override
    public void close() {
        List<Throwable> failures = new ArrayList<>();
        nodes().forEach(node -> attempt(() -> leave(node), failures));
        killed.forEach(end -> attempt(() -> await(end), failures));
        if (!failures.isEmpty()) {
            AssertionError failure = new AssertionError("a node did not end in good order", failures.get(0));
            failures.stream().skip(1).forEach(failure::addSuppressed);
            throw failure;
        }
    }

    /** A node that does not end must not keep the others from ending. */
    private static void attempt(Runnable end, List<Throwable> failures) {
        try {
            end.run();
        } catch (Throwable e) {
            failures.add(e);
        }
    }
}
