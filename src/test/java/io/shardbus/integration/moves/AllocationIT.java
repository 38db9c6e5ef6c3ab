package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.shardbus.ShardRegion;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Place;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.PlacedBy;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import io.shardbus.spi.AllocationStrategy;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Users' strategies and extractors decide where entities live. */
class AllocationIT {
    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    /** One shard for each entity: the number in its id. */
    private static final class OneShardEach implements MessageExtractor<CounterMessage> {
        @Override
        public String entityId(CounterMessage message) {
            throw new IllegalArgumentException("messages come in envelopes");
        }

        @Override
        public int shard(String entityId, int numberOfShards) {
            return Integer.parseInt(entityId.substring(1));
        }

        @Override
        public String version() {
            return "one-shard-each";
        }
    }

    /** Answers with the chosen node, later, or when the test says so. */
    private static final class Chosen implements AllocationStrategy {
        private final AtomicReference<NodeId> choice = new AtomicReference<>();
        private final Map<Integer, Promise<NodeId>> held = new ConcurrentHashMap<>();

        @Override
        public Future<NodeId> allocateShard(int shard, NodeId requester, AllocationSnapshot snapshot) {
            Promise<NodeId> later = held.get(shard);
            if (later != null) {
                return later.future();
            }
            NodeId home = choice.get();
            return Future.future(answer -> new Thread(() -> answer.complete(home)).start());
        }

        @Override
        public Future<Set<Integer>> rebalance(AllocationSnapshot snapshot) {
            return Future.succeededFuture(Set.of());
        }
    }

    @Test
    @DisplayName("COORD-03 five nodes, one shard per entity, each first addressed from its own"
            + " node: each node hosts its own")
    void eachNodeHostsItsOwn() {
        cluster.start(5, TestCluster.options());
        Queue<PlacedBy.Question> questions = PlacedBy.questions();
        cluster.nodes()
                .forEach(node -> await(node.sharding()
                        .start(Counter.definition()
                                .withNumberOfShards(5)
                                .withMessageExtractor(new OneShardEach())
                                .withAllocationStrategy(new PlacedBy(node.id(), questions)))));
        for (int i = 0; i < 5; i++) {
            TestCluster.Node own = cluster.node(i);
            assertEquals(
                    own.id().value(),
                    await(own.counter("e" + i).ask(new Where())).node());
        }
        for (int i = 0; i < 5; i++) {
            Place place = await(cluster.node((i + 1) % 5).counter("e" + i).ask(new Where()));
            assertEquals(cluster.node(i).id().value(), place.node());
        }
    }

    @Test
    @DisplayName(
            "the coordinator's node starts the type after another node: from then on its definition's strategy places")
    void strategyComesLater() {
        cluster.start(2, TestCluster.options());
        TestCluster.Node first = cluster.node(0);
        TestCluster.Node second = cluster.node(1);
        assertEquals(first.id(), cluster.coordinator());
        Chosen chosen = new Chosen();
        chosen.choice.set(second.id());
        var definition = Counter.definition()
                .withNumberOfShards(10)
                .withMessageExtractor(new OneShardEach())
                .withAllocationStrategy(chosen);
        await(second.sharding().start(definition).compose(ShardRegion::ready));
        await(second.counter("e1").ask(new Where()));
        await(first.sharding().start(definition).compose(ShardRegion::ready));
        // the strategy of the options would choose the first node, which has no shard
        assertEquals(
                second.id().value(), await(first.counter("e2").ask(new Where())).node());
        chosen.choice.set(first.id());
        assertEquals(
                first.id().value(), await(second.counter("e3").ask(new Where())).node());
    }

    @Test
    @DisplayName("ALLOC-36 COORD-04 COORD-05 COORD-06 a strategy answers later and names the home for any asker; what"
            + " waits for it waits,"
            + " neither answered nor lost, while known shards answer")
    void strategyAnswersLater() {
        cluster.start(3, TestCluster.options());
        Chosen chosen = new Chosen();
        Promise<NodeId> pending = Promise.promise();
        chosen.held.put(9, pending);
        cluster.nodes()
                .forEach(node -> await(node.sharding()
                        .start(Counter.definition()
                                .withNumberOfShards(10)
                                .withMessageExtractor(new OneShardEach())
                                .withAllocationStrategy(chosen))));
        String first = cluster.node(0).id().value();
        String second = cluster.node(1).id().value();
        chosen.choice.set(cluster.node(0).id());
        assertEquals(
                first, await(cluster.node(1).counter("e1").ask(new Where())).node());
        chosen.choice.set(cluster.node(1).id());
        assertEquals(
                second, await(cluster.node(0).counter("e2").ask(new Where())).node());

        Future<Place> waiting = cluster.node(0).counter("e9").ask(new Where());
        assertEquals(
                second, await(cluster.node(0).counter("e2").ask(new Where())).node(), "a home that it knows");
        assertEquals(
                first, await(cluster.node(2).counter("e1").ask(new Where())).node(), "a home that it must ask for");
        assertEquals(
                second, await(cluster.node(2).counter("e3").ask(new Where())).node(), "another new shard");
        assertFalse(waiting.isComplete());
        pending.complete(cluster.node(2).id());
        assertEquals(cluster.node(2).id().value(), await(waiting).node());
    }
}
