package io.shardbus.integration.membership;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Place;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.control.CoordinatorVerticle;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A region dies unannounced; the coordinator finds out by comparing. */
class SilentRegionIT {
    private static final ShardingOptions OPTIONS =
            TestCluster.options().setLeaseDurationMs(2000).setRebalanceIntervalMs(0);

    private final TestCluster cluster = new TestCluster();
    private final Census census = new Census();

    @AfterEach
    void close() {
        cluster.close();
    }

    private TypeState state() {
        return await(cluster.node(0).sharding().typeState("counter"));
    }

    private Map<Integer, NodeId> homes() {
        Map<Integer, NodeId> homes = new HashMap<>();
        state().shards().forEach(shard -> homes.put(shard.shard(), shard.home()));
        return homes;
    }

    /** The node stays a member, but its control plane falls silent without a word. */
    private static void silence(TestCluster.Node node) {
        VertxInternal vertx = (VertxInternal) node.vertx();
        List<Future<Void>> ended = vertx.deploymentIDs().stream()
                .filter(id -> vertx.deploymentManager()
                                .deployment(id)
                                .deployment()
                                .instances()
                                .iterator()
                                .next()
                        instanceof CoordinatorVerticle)
                .map(vertx::undeploy)
                .toList();
        assertEquals(1, ended.size());
        ended.forEach(TestCluster::await);
    }

    @Test
    @DisplayName("COORD-25 COORD-26 FAIL-03 live regions are left alone; one falls silent while its node"
            + " stays: its death is found, its"
            + " shards go to another region")
    void findsTheSilent() {
        cluster.start(2, OPTIONS).startType(census.definition().withNumberOfShards(3));
        TestCluster.Node alive = cluster.node(0);
        for (String id : Traffic.hundred("e")) {
            await(alive.counter(id).ask(new Where()));
        }
        Map<Integer, NodeId> before = homes();
        assertEquals(3, before.size());
        long quiet = System.nanoTime();
        until("three seconds have passed", () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - quiet) > 3000);
        assertEquals(before, homes(), "nothing happens to live regions");
        assertEquals(100, census.live().size());

        TestCluster.Node silent = cluster.node(1);
        long start = System.nanoTime();
        silence(silent);
        until("all three shards are at the living region", () -> {
            for (int i = 0; i < 10; i++) {
                alive.counter("e" + i).tell(new CounterMessage.Add(1));
            }
            Map<Integer, NodeId> now = homes();
            return now.size() == 3 && now.values().stream().allMatch(alive.id()::equals);
        });
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        System.out.println("a silent region's death was found after " + took + " ms, lease 2000 ms");
        assertTrue(took < 5000, () -> "took " + took + " ms");
        for (String id : Traffic.hundred("e")) {
            Place place = await(alive.counter(id).ask(new Where(), Duration.ofSeconds(20)));
            assertEquals(alive.id().value(), place.node());
        }
        cluster.nodes().remove(silent);
        silent.vertx().close();
    }
}
