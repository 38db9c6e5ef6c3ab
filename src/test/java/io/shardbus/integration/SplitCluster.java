package io.shardbus.integration;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/**
 * A cluster whose links are cut and healed, with entities that tell a registry outside where they live. Closing it
 * fails when one lived twice, or when a coordinator began before the last one had ended.
 */
public final class SplitCluster implements AutoCloseable {
    private static final List<String> IDS =
            IntStream.range(0, 10).mapToObj(i -> "e" + i).toList();

    public final TestCluster cluster = new TestCluster();
    public final ReignLog reigns = new ReignLog();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final EntityType<String> type = LoneNode.newType();
    private final Map<String, NodeId> homes = new ConcurrentHashMap<>();

    public SplitCluster(int nodes, ShardingOptions options) {
        cluster.start(nodes, options);
        cluster.startType(definition());
        cluster.untilMembers(nodes);
        nodes().forEach(this::answersAll);
    }

    private SplitCluster(ShardingOptions first, int others, ShardingOptions options) {
        cluster.startNode(first);
        cluster.start(others, options);
        cluster.untilMembers(1 + others);
        nodes().stream().skip(1).forEach(node -> await(node.sharding().start(definition())));
        nodes().stream().skip(1).forEach(this::answersAll);
    }

    /** A first node with options of its own, on which the type is not started, and others. */
    public static SplitCluster withAnotherFirst(ShardingOptions first, int others, ShardingOptions options) {
        return new SplitCluster(first, others, options);
    }

    public EntityDefinition<String> definition() {
        return EntityDefinition.of(type, id -> new PassivationNode());
    }

    public List<TestCluster.Node> nodes() {
        return cluster.nodes();
    }

    public TestCluster.Node node(int index) {
        return cluster.node(index);
    }

    /** Cuts the nodes into two sides: these, and all others. The event bus goes on, as its connections are others. */
    public void cut(Set<Integer> side) {
        cluster.cut(side);
    }

    public void heal() {
        cluster.heal();
    }

    public Future<String> ask(TestCluster.Node from, String id, Duration timeout) {
        return from.sharding().entityRef(type, id).request("where", String.class, timeout);
    }

    /** Waits until the node gets an answer from each entity. */
    public void answersAll(TestCluster.Node node) {
        Set<String> missing = new LinkedHashSet<>(IDS);
        until("answers from " + missing, () -> {
            for (String id : List.copyOf(missing)) {
                if (await(ask(node, id, Duration.ofSeconds(2)).map(true).otherwise(false))) {
                    missing.remove(id);
                }
            }
            return missing.isEmpty();
        });
    }

    /** Asks that begin now, one of each entity, with a deadline that is far away. */
    public List<Future<String>> askAll(TestCluster.Node node) {
        List<Future<String>> asks = new ArrayList<>();
        IDS.forEach(id -> asks.add(ask(node, id, Duration.ofMinutes(5))));
        return asks;
    }

    /** Waits until the node refuses every ask, and checks that it does so at once, holds no entity and is not ready. */
    public void untilStopped(TestCluster.Node node) {
        until(node.id() + " refuses", () -> failure(node, "e0", Duration.ofMillis(300)) == FailureCode.NOT_IN_MAJORITY);
        for (String id : IDS) {
            long start = System.nanoTime();
            assertEquals(FailureCode.NOT_IN_MAJORITY, failure(node, id, Duration.ofMinutes(5)));
            long millis = (System.nanoTime() - start) / 1_000_000;
            if (millis > 1000) {
                throw new AssertionError("refused after " + millis + " ms");
            }
        }
        until(node.id() + " has no entities", () -> !homes.containsValue(node.id()));
        assertEquals(false, node.sharding().isReady());
        var region = node.sharding().region(type.name()).orElseThrow();
        assertTrue(await(region.state()).counters().getOrDefault("leases_lost", 0L) > 0);
        assertEquals(false, node.sharding().clusterState().available());
    }

    private FailureCode failure(TestCluster.Node node, String id, Duration timeout) {
        var ask = ask(node, id, timeout);
        try {
            await(ask);
            return null;
        } catch (ShardingException e) {
            return e.code();
        }
    }

    public void untilMembers(int count, TestCluster.Node node) {
        until(
                node.id() + " sees " + count,
                () -> node.sharding().clusterState().nodes().size() == count);
    }

    public void untilWhole() {
        cluster.untilMembers(nodes().size());
        nodes().forEach(node -> until(node.id() + " is ready", node.sharding()::isReady));
        nodes().forEach(this::answersAll);
    }

    @Override
    public void close() {
        try (reigns) {
            cluster.close();
            assertEquals(List.of(), violations);
            assertTrue(reigns.hasOpenings());
            assertEquals(List.of(), reigns.openedTooEarly());
        }
    }

    private final class PassivationNode implements Entity<String> {
        private String id = "";
        private NodeId home = new NodeId("nowhere");

        @Override
        public Future<?> started(EntityContext<String> context) {
            id = context.id();
            home = context.node();
            NodeId other = homes.put(id, home);
            if (other != null) {
                violations.add(id + " is live on " + other + " and on " + home);
            }
            return done();
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(home.value());
        }

        @Override
        public Future<?> stopping(StopReason reason) {
            homes.remove(id, home);
            return done();
        }
    }
}
