package io.shardbus.integration;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.model.NodeId;
import io.shardbus.options.DirectOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.TlsOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A {@link ClusterTestKit} with the counters of the tests here. Close it. */
public final class TestCluster implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 60;

    private final ClusterTestKit kit;
    private final List<Node> nodes = new ArrayList<>();

    public TestCluster() {
        this.kit = ClusterTestKit.create();
    }

    /** Nodes of this JVM in a cluster of this name, which may have others at these addresses. */
    public TestCluster(String name, List<String> peers) {
        this.kit = ClusterTestKit.of(name, peers);
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

    /**
     * Options for tests: nothing waits for leases of an earlier cluster, and messages within a node are passed as they
     * are, as in production. With -Dshardbus.direct=true lanes are linked in all of them.
     */
    public static ShardingOptions options() {
        return ClusterTestKit.options()
                .setSerializeLocal(false)
                .setDirect(new DirectOptions().setEnabled(Boolean.getBoolean("shardbus.direct")));
    }

    /** Nodes that start from now on have this TLS, or none. */
    public TestCluster secure(@Nullable TlsOptions nextNodes) {
        kit.secure(nextNodes);
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
        return startNode(options, port, new VertxOptions().setEventLoopPoolSize(ClusterTestKit.EVENT_LOOPS));
    }

    /** @param host what else its Vertx is to know of the host */
    public Node startNode(ShardingOptions options, int port, VertxOptions host) {
        ClusterTestKit.Node started = kit.startNode(options, port, host);
        Node node = new Node(started.vertx(), started.sharding(), port);
        nodes.add(node);
        return node;
    }

    /** Starts a type on all nodes. */
    public TestCluster startType(EntityDefinition<?> definition) {
        kit.startType(definition);
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
        return kit.leaving(kit.nodes().stream()
                .filter(known -> known.vertx() == node.vertx())
                .findFirst()
                .orElseThrow());
    }

    /** Kills a node, as the others see it. */
    public void kill(Node node) {
        nodes.remove(node);
        kit.kill(kit.nodes().stream()
                .filter(known -> known.vertx() == node.vertx())
                .findFirst()
                .orElseThrow());
    }

    /** Cuts the cluster traffic between these nodes, by index, and all others. */
    void cut(Set<Integer> side) {
        kit.cut(side);
    }

    void heal() {
        kit.heal();
    }

    /** The name by which further JVMs join. */
    public String name() {
        return kit.name();
    }

    /** The addresses at which further JVMs find this one. */
    public List<String> peers() {
        return kit.peers();
    }

    /** Waits until all nodes of this JVM know the same coordinator; it may be in another JVM. */
    public NodeId coordinator() {
        return kit.coordinator();
    }

    /** The coordinator that all nodes of this JVM know and that is a member in their eyes, or null. */
    public @Nullable NodeId agreedCoordinator() {
        return kit.agreedCoordinator();
    }

    /** Waits until every node of this JVM lists so many members. */
    public void untilMembers(int count) {
        kit.untilMembers(count);
    }

    /** A port that was free a moment ago, as was the one on which the failure detection of a node there listens. */
    public static int freePort() {
        return ClusterTestKit.freePort();
    }

    /** Waits for a future; fails loudly when it takes too long. */
    public static <T> T await(Future<T> future) {
        return ClusterTestKit.await(future);
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
