package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.integration.Census;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.NodeId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A region leaves, and is started again on the same node: its peers knew the one before. */
@Timeout(120)
class RegionRestartIT {
    private static final Duration SOON = Duration.ofSeconds(3);
    private static final int IDS = 50;

    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private long shardsOn(NodeId node) {
        return await(cluster.node(0).sharding().typeState("counter")).shards().stream()
                .filter(shard -> node.equals(shard.home()))
                .count();
    }

    private long add(int from, int id) {
        return await(cluster.node(from).counter("from-" + from + "-" + id).ask(new CounterMessage.AddAndGet(1), SOON));
    }

    @Test
    void aNodeThatHasSaidGoodbyeShardsNoMore() {
        cluster.start(1, TestCluster.options()).startType(Counter.definition());
        TestCluster.Node node = cluster.node(0);
        await(node.sharding().close());
        var refused = assertThrows(
                IllegalStateException.class, () -> ClusterSharding.create(node.vertx(), TestCluster.options()));
        assertTrue(refused.getMessage().contains("build another Vertx"), refused.getMessage());
    }

    @Test
    void messagesToItAndFromItGoOn() {
        cluster.start(2, TestCluster.options().setRebalanceIntervalMs(200)).startType(Counter.definition());
        TestCluster.Node other = cluster.node(1);
        for (int round = 1; round <= 4; round++) {
            for (int id = 0; id < IDS; id++) {
                assertTrue(add(0, id) <= round);
                assertTrue(add(1, id) <= round);
            }
            until("it has shards", () -> shardsOn(other.id()) > 10);
            for (int id = IDS; id < 2 * IDS; id++) {
                add(0, id);
                add(1, id);
            }
            await(other.sharding().region("counter").orElseThrow().leave());
            await(other.sharding().start(Counter.definition()));
        }
    }

    @Test
    void underLoadNothingFailsAndNoEntityIsLiveTwice() {
        Census census = new Census();
        cluster.start(3, TestCluster.options().setRebalanceIntervalMs(200)).startType(census.definition());
        Traffic traffic = Traffic.start(cluster.node(2), CounterMessage.COUNTER, Traffic.hundred("busy"));
        assertEquals(cluster.node(0).id(), cluster.coordinator());
        for (int round = 0; round < 6; round++) {
            TestCluster.Node node = cluster.node(round % 2);
            until("it has entities", () -> census.liveOn(node.id().value()) > 10);
            await(node.sharding().region("counter").orElseThrow().leave());
            assertEquals(0, census.liveOn(node.id().value()));
            await(node.sharding().start(census.definition()));
        }
        Traffic.Report report = traffic.stop();
        assertEquals(List.of(), report.faults());
        assertEquals(List.of(), census.faults());
        assertTrue(report.stories().stream().anyMatch(Traffic.Story::moved));
    }
}
