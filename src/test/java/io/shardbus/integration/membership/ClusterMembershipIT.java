package io.shardbus.integration.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.integration.ClusterNode;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.Membership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.model.NodeId;
import io.shardbus.store.infinispan.TermCache;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.ext.cluster.infinispan.InfinispanClusterManager;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

public class ClusterMembershipIT {
    @Test
    void nodesSeeEachOtherComeAndLeave() {
        try (var cluster = new BareCluster(3)) {
            var first = cluster.startNode();
            assertEquals(List.of(new ClusterView(1, List.of(first.id()), false, true)), first.views);

            var second = cluster.startNode();
            assertEquals(List.of(new ClusterView(1, List.of(first.id(), second.id()), false, true)), second.views);
            var third = cluster.startNode();
            awaitMembers(List.of(first.id(), second.id(), third.id()), first, second, third);
            assertEquals(first.manager.getNodes(), ids(first.id(), second.id(), third.id()));

            first.close();
            awaitMembers(List.of(second.id(), third.id()), second, third);
            third.close();
            awaitMembers(List.of(second.id()), second);
            assertTrue(second.views.stream().allMatch(ClusterView::available), "a graceful leave never degrades");
            assertFalse(second.views.stream().anyMatch(ClusterView::merged));
            assertCounted(second.views);
        }
    }

    /** It may not carry the cluster on: where it is missing the caches do not ask for it. */
    @Test
    void aMemberCountsOnceItHasTheTermCache() {
        try (var cluster = new BareCluster(3)) {
            var first = cluster.startNode();
            assertEquals(List.of(Set.of(first.id())), first.counted);
            var second = cluster.startNode();
            awaitCounted(Set.of(first.id(), second.id()), first, second);

            var container = cluster.startContainer();
            var third = new NodeId(container.getAddress().toString());
            awaitMembers(List.of(first.id(), second.id(), third), first, second);
            awaitCounted(Set.of(first.id(), second.id()), first, second);

            TermCache.obtain(container, TermCache.DEFAULT_REMOTE_TIMEOUT);
            awaitCounted(Set.of(first.id(), second.id(), third), first, second);
            container.getCache(TermCache.NAME).stop();
            awaitCounted(Set.of(first.id(), second.id()), first, second);
            assertTrue(first.view().members().contains(third), "it is a member still");
        }
    }

    @Test
    void nodesKnowEachOthersAttributes() {
        try (var cluster = new BareCluster(2)) {
            var first = cluster.startNode();
            assertEquals(List.of(Map.of(first.id(), first.published("r1"))), first.attributes);
            var second = cluster.startNode();
            var both = Map.of(first.id(), first.published("r1"), second.id(), second.published("r2"));
            awaitAttributes(both, first, second);

            second.close();
            awaitAttributes(Map.of(first.id(), first.published("r1")), first);
            assertEquals(Map.of(), second.membership.attributes());
        }
    }

    /** A node that stops without a word leaves its attributes behind. */
    @Test
    void theFirstClearsUpAfterTheDead() {
        try (var cluster = new BareCluster(2)) {
            var first = cluster.startNode();
            var second = cluster.startNode();
            awaitAttributes(Map.of(first.id(), first.published("r1"), second.id(), second.published("r2")), first);
            second.manager.container().stop();
            awaitMembers(List.of(first.id()), first);
            awaitAttributes(Map.of(first.id(), first.published("r1")), first);
            var cache = first.manager.container().getCache("shardbus.nodes");
            Await.until(cache::keySet, () -> cache.size() == 1);
        }
    }

    @Test
    void messagesPassBetweenTheNodes() {
        try (var cluster = new BareCluster(2)) {
            var first = cluster.startNode();
            var second = cluster.startNode();
            assertEquals("127.0.0.1", first.manager.clusterHost());
            answer(second, "second");
            assertEquals("pong", ask(first, "second"));
            answer(first, "first");
            assertEquals("pong", ask(second, "first"));
        }
    }

    @Test
    void aRestartedNodeHasAnotherName() {
        try (var cluster = new BareCluster(1)) {
            var options = cluster.options();
            var before = cluster.startNode(options, NodeAttributes.DEFAULT);
            before.close();
            var after = cluster.startNode(options, NodeAttributes.DEFAULT);
            assertNotEquals(before.id(), after.id());
            assertTrue(after.id().value().startsWith("n1-"), after.id().value());
        }
    }

    @Test
    void aTakenPortFailsTheStart() throws IOException {
        try (var cluster = new BareCluster(1)) {
            var options = cluster.options();
            try (var taken = new ServerSocket(options.getBindPort(), 1, InetAddress.getLoopbackAddress())) {
                assertTrue(taken.isBound());
                var manager = ShardbusClusterManager.create(options);
                var failure = assertThrows(
                        AssertionError.class,
                        () -> Await.result(
                                Vertx.builder().withClusterManager(manager).buildClustered()));
                assertNotNull(failure.getCause());
                assertFalse(manager.container().getStatus().allowInvocations());
            }
        }
    }

    @Test
    void aLonelyVertxIsAClusterOfOne() {
        var vertx = Vertx.vertx();
        try {
            var own = ClusterNode.role("x");
            var membership = Membership.of(vertx, own);
            assertNotEquals(membership.self(), Membership.of(vertx, own).self());
            assertEquals(Map.of(), membership.attributes());
            Await.result(membership.start(new Membership.Listener() {
                @Override
                public void viewChanged(ClusterView view) {
                    assertEquals(new ClusterView(1, List.of(membership.self()), false, true), view);
                }

                @Override
                public void attributesChanged(Map<NodeId, NodeAttributes> attributes) {
                    assertEquals(Map.of(membership.self(), own), attributes);
                }
            }));
            assertEquals(Map.of(membership.self(), own), membership.attributes());
        } finally {
            Await.result(vertx.close());
        }
    }

    @Test
    void anotherClusterManagerIsRefusedWithAdvice() {
        try (var cluster = new BareCluster(1)) {
            // On Infinispan 15 the stock manager cannot tell the host.
            var host = new EventBusOptions().setHost("127.0.0.1").setClusterPublicHost("127.0.0.1");
            var vertx = Await.result(Vertx.builder()
                    .with(new VertxOptions().setEventBusOptions(host))
                    .withClusterManager(new InfinispanClusterManager(cluster.startContainer()))
                    .buildClustered());
            try {
                var failure =
                        assertThrows(IllegalStateException.class, () -> Membership.of(vertx, NodeAttributes.DEFAULT));
                assertTrue(failure.getMessage().contains("withClusterManager(ShardbusClusterManager.create("));
                assertTrue(failure.getMessage().contains(InfinispanClusterManager.class.getName()));
            } finally {
                Await.result(vertx.close());
            }
        }
    }

    public static void answer(ClusterNode node, String address) {
        Await.result(node.vertx
                .eventBus()
                .consumer(address, message -> message.reply("pong"))
                .completion());
    }

    public static Object ask(ClusterNode node, String address) {
        return Await.result(node.vertx.eventBus().request(address, "ping")).body();
    }

    public static void awaitMembers(List<NodeId> members, ClusterNode... nodes) {
        for (var node : nodes) {
            Await.until(() -> node, () -> node.view().members().equals(members));
        }
    }

    private static void awaitCounted(Set<NodeId> counted, ClusterNode... nodes) {
        for (var node : nodes) {
            Await.until(
                    () -> node, () -> node.counted.get(node.counted.size() - 1).equals(counted));
        }
    }

    static void awaitAttributes(Map<NodeId, NodeAttributes> attributes, ClusterNode... nodes) {
        for (var node : nodes) {
            Await.until(
                    () -> node,
                    () -> node.attributes.get(node.attributes.size() - 1).equals(attributes));
            assertEquals(attributes, node.membership.attributes());
        }
    }

    private static void assertCounted(List<ClusterView> views) {
        assertEquals(
                IntStream.rangeClosed(1, views.size()).asLongStream().boxed().toList(),
                views.stream().map(ClusterView::number).toList());
    }

    private static List<String> ids(NodeId... nodes) {
        return List.of(nodes).stream().map(NodeId::value).toList();
    }
}
