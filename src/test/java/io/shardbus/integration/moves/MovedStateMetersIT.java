package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.MovingCounter;
import io.shardbus.integration.TestCluster;
import io.shardbus.metrics.ShardbusMetrics;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Meters of states that move")
class MovedStateMetersIT {
    private static final int COUNTERS = 30;

    private final TestCluster cluster = new TestCluster();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void close() {
        cluster.close();
    }

    private double count(String name) {
        return registry.get(name).tag("outcome", "taken").functionCounter().count();
    }

    @Test
    @DisplayName("count the entities and the bytes that the next home has taken")
    void bytes() {
        var first = cluster.startNode(TestCluster.options());
        await(first.sharding().start(MovingCounter.forgotten()));
        for (int i = 0; i < COUNTERS; i++) {
            await(first.sharding().entityRef(MovingCounter.FORGOTTEN, "c" + i).ask(new AddAndGet(1)));
        }
        // else the second node may have got shards before its meters are looked at
        await(first.sharding().operations().setRebalancing("", false));
        var second = cluster.startNode(TestCluster.options());
        ShardbusMetrics.bind(second.sharding(), registry, Duration.ofMillis(20));
        await(second.sharding().start(MovingCounter.forgotten()));
        until(
                "the meters are there",
                () -> registry.find("shardbus.handover.bytes").functionCounter() != null);
        assertEquals(0, count("shardbus.handover.bytes"));
        await(first.sharding().region(MovingCounter.FORGOTTEN).orElseThrow().leave());
        until("all are taken", () -> count("shardbus.handover.entities") == COUNTERS);
        // each is one long
        until("their bytes are counted", () -> count("shardbus.handover.bytes") == COUNTERS * Long.BYTES);
    }
}
