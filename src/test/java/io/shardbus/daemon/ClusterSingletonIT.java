package io.shardbus.daemon;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.ShardingException;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.options.SingletonOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A verticle that lives on exactly one node of a real cluster. */
class ClusterSingletonIT {
    private final TestCluster cluster = new TestCluster();
    private final RollCall calls = new RollCall();

    @AfterEach
    void close() {
        cluster.close();
        assertEquals(List.of(), calls.doubles(), "it lived twice at a time");
        assertEquals(Set.of(), calls.running(), "it outlived its node");
    }

    /** Answers with its node and how many messages it has had. */
    private final class Sequence extends SingletonVerticle<String> {
        private final NodeId node;
        private int handled;

        Sequence(NodeId node) {
            this.node = node;
        }

        @Override
        public Future<?> start() {
            calls.entered(new RollCall.Entry("one", node, context.deploymentID(), this, System.nanoTime()));
            return Future.succeededFuture();
        }

        @Override
        protected Future<?> receive(String message) {
            handled++;
            return Future.succeededFuture(node + " " + handled);
        }

        @Override
        public Future<?> stop() {
            calls.left("one");
            return Future.succeededFuture();
        }
    }

    private ClusterSingleton<String> start(TestCluster.Node node, String role) {
        return await(ClusterSingleton.start(
                node.vertx(),
                node.sharding(),
                new SingletonOptions().setName("ids").setRole(role).setKeepAliveIntervalMs(100),
                String.class,
                () -> new Sequence(node.id())));
    }

    private static String ask(ClusterSingleton<String> singleton) {
        return await(singleton.proxy().request("next", String.class, Duration.ofSeconds(20)));
    }

    @Test
    @DisplayName(
            "DAEM-05 a singleton lives without being asked on one node of its role, answers on all, and is handed over")
    void livesOnOneNode() {
        List<ClusterSingleton<String>> singletons = new ArrayList<>();
        for (List<String> roles : List.of(List.of("main"), List.of("main"), List.<String>of())) {
            TestCluster.Node node = cluster.startNode(TestCluster.options().setRoles(roles));
            singletons.add(start(node, "main"));
        }
        until("it runs though no message came", () -> calls.running().equals(Set.of("one")));
        NodeId home = calls.entry("one").node();
        assertFalse(home.equals(cluster.node(2).id()), "a node without the role");
        for (int i = 0; i < 3; i++) {
            assertEquals(home + " " + (i + 1), ask(singletons.get(i)));
        }
        assertEquals(Optional.of(home), await(singletons.get(2).home()));

        int old = home.equals(cluster.node(0).id()) ? 0 : 1;
        NodeId next = cluster.node(1 - old).id();
        calls.clear();
        cluster.leave(cluster.node(old));
        until("it runs on the other node", () -> calls.running().equals(Set.of("one")));
        assertEquals(next, calls.entry("one").node());
        assertEquals(List.of("one"), calls.stops());
        assertEquals(1, calls.starts().size());
        assertEquals(next + " 1", ask(singletons.get(2)));
    }

    @Test
    @DisplayName(
            "DAEM-05 a singleton that takes no messages refuses them, and one that has ended starts with the next one")
    void refusesAndStartsAgain() {
        TestCluster.Node node = cluster.startNode(TestCluster.options());
        ClusterSingleton<String> silent = await(ClusterSingleton.start(
                node.vertx(),
                node.sharding(),
                new SingletonOptions().setName("silent"),
                String.class,
                () -> new VerticleBase() {}));
        var refused = assertThrows(ShardingException.class, () -> ask(silent));
        assertEquals(FailureCode.ENTITY_FAILED, refused.code());

        ClusterSingleton<String> singleton = start(node, "");
        assertEquals(node.id() + " 1", ask(singleton));
        assertEquals(node.id() + " 2", ask(singleton));
        await(node.vertx().undeploy(calls.entry("one").deployment()));
        assertEquals(node.id() + " 1", ask(singleton));

        calls.clear();
        await(node.vertx().undeploy(calls.entry("one").deployment()));
        until("it runs again though no message came", () -> calls.running().equals(Set.of("one")));
        assertEquals(1, calls.starts().size());
        assertEquals(
                Set.of("silent", "ids"),
                ClusterSingleton.startedOn(node.vertx()).keySet());
        await(singleton.stop());
        assertEquals(Set.of("silent"), ClusterSingleton.startedOn(node.vertx()).keySet());
    }
}
