package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityType;
import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Place;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Shards leave their home on request, and regions end. */
class HandoffIT {
    private static final EntityType<CounterMessage> STUBBORN = EntityType.of("stubborn", CounterMessage.class);
    private static final EntityType<CounterMessage> EMPTY = EntityType.of("empty", CounterMessage.class);

    private final TestCluster cluster = new TestCluster();
    private final Census census = new Census();

    @BeforeEach
    void start() {
        cluster.start(2, TestCluster.options().setRebalanceIntervalMs(0));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private long liveOn(TestCluster.Node node) {
        return census.liveOn(node.id().value());
    }

    private List<TypeState.Shard> shardsOf(EntityType<?> type, NodeId home) {
        return await(cluster.node(0).sharding().typeState(type.name())).shards().stream()
                .filter(shard -> shard.home().equals(home))
                .toList();
    }

    @Test
    @DisplayName("HAND-04 the shards of a region are stopped through the other node: each is acknowledged, all its"
            + " entities end, nothing"
            + " is lost")
    void drainsThroughTheOtherNode() {
        cluster.startType(census.definition());
        TestCluster.Node emptied = cluster.node(0);
        TestCluster.Node other = cluster.node(1);
        for (String id : Traffic.hundred("e")) {
            await(other.counter(id).ask(new Where()));
        }
        int shards = shardsOf(CounterMessage.COUNTER, emptied.id()).size();
        assertTrue(shards >= 10, () -> "ten shards or more: " + shards);
        Traffic traffic = Traffic.start(other, CounterMessage.COUNTER, Traffic.hundred("e"));
        assertEquals(shards, await(other.sharding().drain(emptied.id())));
        assertEquals(Set.of(emptied.id()), leavingRegions(other));
        until("all its entities have ended", () -> liveOn(emptied) == 0);
        until(
                "each stop was acknowledged",
                () -> shardsOf(CounterMessage.COUNTER, emptied.id()).isEmpty());
        Traffic.Report report = traffic.stop();
        System.out.println("drained: " + report);
        assertEquals(List.of(), report.faults());
        assertEquals(100, liveOn(other));
        assertEquals(List.of(), census.faults());
        var region = emptied.sharding().region(CounterMessage.COUNTER.name()).orElseThrow();
        assertEquals(shards, await(region.state()).counters().get("shards_handed_off"));
    }

    @Test
    void aDrainThatANewReignHearsFirstIsCountedAndCarriedOut() {
        cluster.startType(census.definition());
        TestCluster.Node third = cluster.startNode(TestCluster.options());
        await(third.sharding().start(census.definition()));
        TestCluster.Node emptied = cluster.node(1);
        for (String id : Traffic.hundred("e")) {
            await(third.counter(id).ask(new Where()));
        }
        until("it has entities", () -> liveOn(emptied) > 0);
        assertEquals(cluster.node(0).id(), cluster.coordinator());
        cluster.leave(cluster.node(0));
        assertTrue(await(third.sharding().drain(emptied.id())) > 0);
        until("all its entities have ended", () -> liveOn(emptied) == 0);
        until(
                "no shard is there any more",
                () -> shardsOf(CounterMessage.COUNTER, emptied.id()).isEmpty());
        assertEquals(List.of(), census.faults());
    }

    private static Set<NodeId> leavingRegions(TestCluster.Node asked) {
        return await(asked.sharding().typeState(CounterMessage.COUNTER.name())).regions().stream()
                .filter(TypeState.Region::leaving)
                .map(TypeState.Region::node)
                .collect(Collectors.toSet());
    }

    /** The last word of a region that has ended may still be on its way to the coordinator. */
    private static void untilHosts(EntityType<?> type, TestCluster.Node only) {
        until(
                "only " + only.id() + " hosts " + type.name(),
                () -> await(only.sharding().regions(type.name())).equals(Set.of(only.id())));
    }

    @Test
    @DisplayName("HAND-01 an entity ignores its stop, the limit is 10 ms: it is stopped by force, its shard is"
            + " reported stopped, nothing"
            + " lingers")
    void stopsTheStubbornByForce() {
        cluster.nodes()
                .forEach(node -> await(node.sharding()
                        .start(census.definition(
                                        STUBBORN, context -> Promise.promise().future())
                                .withStopTimeout(Duration.ofMillis(10))
                                .withNumberOfShards(4))));
        TestCluster.Node home = cluster.node(0);
        Set<String> ids = new TreeSet<>();
        for (int i = 0; ids.size() < 3; i++) {
            String id = "s" + i;
            Place place = await(home.sharding().entityRef(STUBBORN, id).ask(new Where()));
            if (place.node().equals(home.id().value())) {
                ids.add(id);
            }
        }
        long start = System.nanoTime();
        assertTrue(await(home.sharding().drain(home.id())) > 0);
        until(
                "its shards were reported stopped",
                () -> shardsOf(STUBBORN, home.id()).isEmpty());
        for (String id : ids) {
            Place place = await(home.sharding().entityRef(STUBBORN, id).ask(new Where()));
            assertEquals(cluster.node(1).id().value(), place.node());
        }
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(took < 5000, () -> "took " + took + " ms");
        await(home.sharding().region(STUBBORN.name()).orElseThrow().leave());
        untilHosts(STUBBORN, cluster.node(1));
    }

    @Test
    @DisplayName(
            "HAND-05 a region without shards is told to stop: it has ended within five seconds, and can start again")
    void endsWithoutShards() {
        cluster.nodes().forEach(node -> await(node.sharding().start(census.definition(EMPTY))));
        TestCluster.Node node = cluster.node(1);
        long start = System.nanoTime();
        Future<Void> ended = node.sharding().region(EMPTY.name()).orElseThrow().leave();
        await(ended);
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(took < 5000, () -> "took " + took + " ms");
        assertFalse(node.sharding().startedTypes().contains(EMPTY.name()));
        untilHosts(EMPTY, cluster.node(0));
        await(node.sharding().start(census.definition(EMPTY)));
        assertEquals(2, await(node.sharding().regions(EMPTY.name())).size());
    }
}
