package io.shardbus.integration.start;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.TestCluster;
import io.shardbus.options.ShardingOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The first start of a cluster on the loopback, with options as users have them. */
class FirstStartIT {
    /** Longer than any wait of these tests: who waits for a lease fails. */
    private static final long LEASE = 120_000;

    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private ShardRegion<CounterMessage> start() {
        assumeTrue(Files.isReadable(Path.of("/proc/self/net/udp")), "the kernel lists no sockets here");
        ShardingOptions options = new ShardingOptions().setLanes(2).setLeaseDurationMs(LEASE);
        EntityDefinition<CounterMessage> definition =
                EntityDefinition.of(CounterMessage.COUNTER, id -> new Counter()).withNumberOfShards(10);
        return await(cluster.startNode(options).sharding().start(definition));
    }

    @Test
    @DisplayName("It waits for no lease, as the kernel shows that no earlier process of the cluster lives; nor does the"
            + " next start after all nodes have left")
    void needsNoLeaseOfAnEarlierLife() {
        for (int life = 1; life <= 2; life++) {
            try (LogLines lines = new LogLines("io.shardbus.runtime.control.ElectionRunner")) {
                ShardRegion<CounterMessage> region = start();
                await(region.ready());
                assertEquals(1L, await(region.entityRef("a").ask(new AddAndGet(1))));
                assertTrue(lines.with(": coordinating").stream().noneMatch(line -> line.contains("wait")));
            }
            cluster.close();
        }
    }
}
