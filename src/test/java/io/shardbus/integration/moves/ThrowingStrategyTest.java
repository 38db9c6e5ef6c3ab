package io.shardbus.integration.moves;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import io.shardbus.spi.AllocationStrategy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A user's strategy that breaks down costs a try, and nothing else. */
class ThrowingStrategyTest {
    private final LoneNode node =
            new LoneNode(TestCluster.options().setRetryIntervalMs(100).setRebalanceIntervalMs(100));
    private final Breaking strategy = new Breaking();

    private static final class Breaking implements AllocationStrategy {
        /** What happens instead of answers, one after the other. */
        final Queue<Supplier<Future<NodeId>>> homes = new ConcurrentLinkedQueue<>();

        final Queue<Supplier<Future<Set<Integer>>>> moves = new ConcurrentLinkedQueue<>();
        final List<AllocationSnapshot> rounds = new CopyOnWriteArrayList<>();

        @Override
        public Future<NodeId> allocateShard(int shard, NodeId requester, AllocationSnapshot snapshot) {
            Supplier<Future<NodeId>> next = homes.poll();
            return next == null ? Future.succeededFuture(requester) : next.get();
        }

        @Override
        public Future<Set<Integer>> rebalance(AllocationSnapshot snapshot) {
            rounds.add(snapshot);
            Supplier<Future<Set<Integer>>> next = moves.poll();
            return next == null ? Future.succeededFuture(Set.of()) : next.get();
        }
    }

    @AfterEach
    void close() {
        node.close();
    }

    private EntityDefinition<String> placed() {
        return LoneNode.texts(id -> new Entity<>() {
                    @Override
                    public Future<?> receive(String message, EntityContext<String> context) {
                        return Future.succeededFuture(message);
                    }
                })
                .withAllocationStrategy(strategy);
    }

    private static <T> Supplier<Future<T>> thrown(Error failure) {
        return () -> {
            throw failure;
        };
    }

    @Test
    @DisplayName("a shard for which the strategy throws gets a home at a later try")
    void homes() {
        strategy.homes.add(thrown(new AssertionError("no weights")));
        strategy.homes.add(thrown(new NoClassDefFoundError("com/example/Weights")));
        strategy.homes.add(() -> null);
        assertEquals("hello", await(ask(node.startOne(placed()), "hello")));
    }

    @Test
    @DisplayName("rounds go on after one in which the strategy throws; none begins while one is under way")
    void rounds() {
        Promise<Set<Integer>> pending = Promise.promise();
        strategy.moves.add(thrown(new AssertionError("no weights")));
        strategy.moves.add(() -> null);
        strategy.moves.add(pending::future);
        var one = node.startOne(placed());
        until("three rounds", () -> strategy.rounds.size() >= 3);
        for (int i = 0; i < 30; i++) {
            assertEquals("hello", await(ask(one, "hello")));
            await(node.vertx().timer(10));
        }
        assertEquals(3, strategy.rounds.size());
        pending.complete(Set.of());
        until("the next round", () -> strategy.rounds.size() > 3);
    }
}
