package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.CounterMessage.Get;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.HandsOver;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Entities that know more than may travel, on a node that leaves. */
class LostStateIT {
    private static final int LARGE = 70_000;

    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    /** What it knows has so many bytes. */
    private static final class Hoarder implements Entity<CounterMessage>, HandsOver {
        private long value;

        @Override
        public Future<?> receive(CounterMessage message, EntityContext<CounterMessage> context) {
            if (message instanceof AddAndGet add) {
                value += add.amount();
            }
            return reply(value);
        }

        @Override
        public Future<State> handOver() {
            return Future.succeededFuture(new State(1, Buffer.buffer(new byte[(int) value])));
        }

        @Override
        public Future<?> takeOver(State state) {
            value = state.bytes().length();
            return done();
        }
    }

    private static final EntityDefinition<CounterMessage> HOARDERS =
            EntityDefinition.of(CounterMessage.COUNTER, id -> new Hoarder()).withNumberOfShards(20);

    private static ShardingOptions options() {
        return TestCluster.options().setMaxPayloadBytes(LARGE - 1);
    }

    private TypeState state(TestCluster.Node node) {
        return await(node.sharding().typeState(CounterMessage.COUNTER.name()));
    }

    @Test
    @DisplayName("A planned stop in which states are too large says of each which one and why,"
            + " and the count is there when the node is gone, and its coordinator after it")
    void whatIsLostIsSaidAndCounted() {
        TestCluster.Node coordinator = cluster.startNode(options());
        await(coordinator.sharding().startProxy(HOARDERS));
        TestCluster.Node node = cluster.startNode(options());
        await(node.sharding().start(HOARDERS));
        for (int i = 0; i < 3; i++) {
            await(coordinator.counter("large" + i).ask(new AddAndGet(LARGE)));
            await(coordinator.counter("small" + i).ask(new AddAndGet(10)));
        }
        TestCluster.Node next = cluster.startNode(options());
        await(next.sharding().start(HOARDERS));
        try (LogLines lines = new LogLines("io.shardbus.runtime.region.RegionCounters")) {
            cluster.leave(node);
            losesOnlyTheLarge(coordinator, lines);
        }
        assertEquals(3, state(next).statesLost());
        assertEquals(3, state(coordinator).statesLost());
        cluster.leave(coordinator);
        assertEquals(3, state(next).statesLost());
    }

    @Test
    @DisplayName("With handoverRequired a drain leaves such an entity where it is, with all it knows, says"
            + " which, and moves the rest")
    void itStaysWhereStatesAreRequired() {
        ShardingOptions required = options().setHandoverRequired(true).setRetryIntervalMs(100);
        TestCluster.Node node = cluster.startNode(required);
        await(node.sharding().start(HOARDERS));
        await(node.counter("large").ask(new AddAndGet(LARGE)));
        for (int i = 0; i < 40; i++) {
            await(node.counter("small" + i).ask(new AddAndGet(10)));
        }
        TestCluster.Node next = cluster.startNode(required);
        await(next.sharding().start(HOARDERS));
        try (LogLines lines = new LogLines("io.shardbus.runtime.region.RegionCounters")) {
            await(node.sharding().drain(node.id()));
            TestCluster.until("all other shards have moved", () -> shards(next, node.id()) == 1);
            String line = "stays here, as entity counter/large cannot take its state of " + LARGE + " bytes along";
            TestCluster.until("it is said", () -> lines.with(line).stream().anyMatch(said -> said.startsWith("WARN")));
        }
        assertEquals(LARGE, await(next.counter("large").ask(new Get())));
        assertEquals(10, await(node.counter("small7").ask(new Get())));
        assertEquals(1, shards(node, node.id()), "it is still there");
        assertEquals(0, state(node).statesLost());
        assertTrue(counted(node, "moves_declined") > 0);
    }

    /** Takes over what the one before has handed over, unless it hangs, and counts how often that happens. */
    private static final class Slow implements Entity<CounterMessage>, HandsOver {
        private final AtomicBoolean hangs;
        private final AtomicInteger hanging;
        private long value;

        Slow(AtomicBoolean hangs, AtomicInteger hanging) {
            this.hangs = hangs;
            this.hanging = hanging;
        }

        @Override
        public Future<?> receive(CounterMessage message, EntityContext<CounterMessage> context) {
            if (message instanceof AddAndGet add) {
                value += add.amount();
            }
            return reply(value);
        }

        @Override
        public Future<State> handOver() {
            return Future.succeededFuture(new State(1, Buffer.buffer().appendLong(value)));
        }

        @Override
        public Future<?> takeOver(State state) {
            if (hangs.get()) {
                hanging.incrementAndGet();
                return Promise.promise().future();
            }
            value = state.bytes().getLong(0);
            return done();
        }
    }

    @Test
    @DisplayName("A state that an instance has not taken over when its shard moves again moves on with the shard")
    void whatWasNotTakenOverMovesOn() {
        AtomicBoolean hangs = new AtomicBoolean();
        AtomicInteger hanging = new AtomicInteger();
        EntityDefinition<CounterMessage> slow = EntityDefinition.of(
                        CounterMessage.COUNTER, id -> new Slow(hangs, hanging))
                .withNumberOfShards(1)
                .withStopTimeout(Duration.ofMillis(500));
        TestCluster.Node first = cluster.startNode(TestCluster.options());
        await(first.sharding().start(slow));
        await(first.counter("c").ask(new AddAndGet(5)));
        TestCluster.Node second = cluster.startNode(TestCluster.options());
        await(second.sharding().start(slow));
        hangs.set(true);
        cluster.leave(first);
        TestCluster.until("an instance is to take it over", () -> hanging.get() == 1);
        TestCluster.Node third = cluster.startNode(TestCluster.options());
        await(third.sharding().start(slow));
        hangs.set(false);
        cluster.leave(second);
        assertEquals(5, await(third.counter("c").ask(new Get())));
        assertEquals(0, state(third).statesLost());
    }

    private int shards(TestCluster.Node asked, NodeId of) {
        return state(asked).regions().stream()
                .filter(region -> region.node().equals(of))
                .mapToInt(TypeState.Region::shards)
                .sum();
    }

    private static long counted(TestCluster.Node node, String name) {
        return await(node.sharding()
                        .region(CounterMessage.COUNTER.name())
                        .orElseThrow()
                        .state())
                .counters()
                .getOrDefault(name, 0L);
    }

    private static void losesOnlyTheLarge(TestCluster.Node coordinator, LogLines lines) {
        for (int i = 0; i < 3; i++) {
            assertEquals(0, await(coordinator.counter("large" + i).ask(new Get())));
            assertEquals(10, await(coordinator.counter("small" + i).ask(new Get())));
            String id = "entity counter/large" + i + " loses its state (version 1, " + LARGE + " bytes) in a move";
            List<String> said = lines.with(id);
            assertEquals(1, said.size(), () -> "of " + id + ": " + lines.with("state"));
            assertEquals(
                    1, said.stream().filter(line -> line.startsWith("WARN")).count());
            assertEquals(
                    1,
                    said.stream()
                            .filter(line -> line.contains("maxPayloadBytes, 69999"))
                            .count(),
                    said::toString);
        }
    }
}
