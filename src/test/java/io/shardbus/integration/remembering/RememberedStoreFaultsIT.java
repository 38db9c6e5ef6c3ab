package io.shardbus.integration.remembering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.integration.ClusterNode;
import io.shardbus.integration.Counter;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.infinispan.InfinispanRememberedEntities;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Remembered entities on nodes that fall silent, are cut off, leave, or are set up in another way. */
class RememberedStoreFaultsIT {
    private static final String TYPE = "counter";

    @TempDir
    private Path parent;

    @Test
    void everyOperationEndsThoughOthersAreSilent() {
        try (var cluster = new BareCluster(3)) {
            var first = cluster.startNode();
            var others = List.of(cluster.startNode(), cluster.startNode());
            var store = store(first, Duration.ofMillis(1500));
            others.forEach(other -> store(other, Duration.ofMillis(1500)));
            others.forEach(ClusterNode::cutOff);
            var operations = new ArrayList<CompletableFuture<?>>();
            long begun = System.nanoTime();
            operations.add(ended(store.open(TYPE, 1, token(1))));
            operations.add(ended(store.update(TYPE, 2, token(1), Set.of("a", "b", "c"), Set.of("d"))));
            operations.add(ended(store.shards(TYPE)));
            operations.add(ended(store.removeType(TYPE)));
            CompletableFuture.allOf(operations.toArray(CompletableFuture[]::new))
                    .orTimeout(6, TimeUnit.SECONDS)
                    .join();
            long tookMs = (System.nanoTime() - begun) / 1_000_000;
            assertTrue(tookMs >= 1_500, "no operation waited for a silent member: " + tookMs + " ms");
            others.forEach(ClusterNode::heal);
        }
    }

    @Tag("long-fault")
    @Test
    void aMinorityCanNeitherReadNorWrite() {
        try (var cluster = new BareCluster(3)) {
            var nodes = List.of(cluster.startNode(), cluster.startNode(), cluster.startNode());
            var stores = nodes.stream()
                    .map(node -> store(node, InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT))
                    .toList();
            var cut = stores.get(2);
            Await.result(cut.open(TYPE, 1, token(1)));
            Await.result(cut.update(TYPE, 1, token(1), Set.of("a", "b"), Set.of()));
            nodes.get(2).cutOff();
            Await.until(
                    () -> nodes,
                    () -> !available(nodes.get(2))
                            && nodes.get(0).manager.getNodes().size() == 2);
            for (var refused : List.of(
                    cut.open(TYPE, 1, token(9)),
                    cut.update(TYPE, 1, token(1), Set.of("lost"), Set.of()),
                    cut.shards(TYPE),
                    cut.removeType(TYPE))) {
                assertTrue(fails(refused));
            }
            Await.until(() -> nodes, () -> opens(stores.get(0), 2));
            Await.result(stores.get(0).update(TYPE, 1, token(2), Set.of("c"), Set.of("a")));
            nodes.get(2).heal();
            Await.until(
                    () -> nodes,
                    () -> available(nodes.get(2))
                            && nodes.get(2).manager.getNodes().size() == 3);
            var late = cut.update(TYPE, 1, token(1), Set.of("late"), Set.of());
            assertTrue(fails(late));
            Await.until(() -> nodes, () -> opens(cut, 3));
            assertEquals(Set.of("b", "c"), Await.result(cut.open(TYPE, 1, token(3))));
        }
    }

    @Test
    void theRestGoesOnWhenNodesLeaveInGoodOrder() {
        try (var cluster = new BareCluster(3)) {
            var first = cluster.startNode();
            var second = cluster.startNode();
            var third = cluster.startNode();
            List.of(first, second, third)
                    .forEach(node -> store(node, InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT));
            var left = store(third, InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT);
            Await.result(left.open(TYPE, 1, token(1)));
            Await.result(left.update(TYPE, 1, token(1), Set.of("a"), Set.of()));
            for (var leaver : List.of(first, second)) {
                leaver.close();
                assertTrue(available(third), () -> third.toString());
                Await.result(left.update(TYPE, 1, token(1), Set.of(leaver.id().value()), Set.of()));
            }
            assertEquals(
                    Set.of("a", first.id().value(), second.id().value()), Await.result(left.open(TYPE, 1, token(2))));
        }
    }

    @Test
    @DisplayName(
            "CONF-01 a node with another mode of the store is refused when it joins, with both modes in the reason")
    void anotherModeIsRefused() {
        try (var cluster = new TestCluster().start(1, TestCluster.options())) {
            cluster.startType(Counter.definition());
            var other = cluster.startNode(TestCluster.options()
                    .setStateStoreMode("durable")
                    .setStateStoreDirectory(parent.resolve("data").toString()));
            Future<?> start = other.sharding().start(Counter.definition());
            var refused = assertThrows(ShardingException.class, () -> TestCluster.await(start));
            assertEquals(FailureCode.INCOMPATIBLE, refused.code());
            assertTrue(
                    refused.getMessage().contains("stateStoreMode is 'durable' here and 'replicated' in the cluster"),
                    refused::getMessage);
        }
    }

    private static boolean opens(RememberedEntitiesStore store, long sequence) {
        return !fails(store.open(TYPE, 1, token(sequence)));
    }

    private static boolean fails(Future<?> operation) {
        Future<Boolean> failed = operation.transform(done -> Future.succeededFuture(done.failed()));
        return Await.result(failed);
    }

    private static boolean available(ClusterNode node) {
        return node.manager
                        .container()
                        .getCache("shardbus.remembered")
                        .getAdvancedCache()
                        .getAvailability()
                == AvailabilityMode.AVAILABLE;
    }

    private static RememberedEntitiesStore store(ClusterNode node, Duration timeout) {
        var store = InfinispanRememberedEntities.replicated(node.manager.container(), timeout);
        Await.result(store.start());
        return store;
    }

    private static FencingToken token(long sequence) {
        return new FencingToken(1, 1, sequence);
    }

    private static CompletableFuture<?> ended(Future<?> future) {
        return future.transform(any -> Future.succeededFuture())
                .toCompletionStage()
                .toCompletableFuture();
    }
}
