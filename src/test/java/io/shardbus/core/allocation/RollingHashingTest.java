package io.shardbus.core.allocation;

import static io.shardbus.core.allocation.TestCluster.A;
import static io.shardbus.core.allocation.TestCluster.C;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Consistent hashing while a new version of the application is rolled out. */
class RollingHashingTest {
    private final ConsistentHashing rule = new ConsistentHashing(new VirtualNodeRing(), ConsistentHashing.UNLIMITED);

    @Test
    @DisplayName("ROLL-03 a shard that needs a home goes to a node of the newest version")
    void placesOnTheNewestVersion() {
        TestCluster cluster = TestCluster.ofEmpty(3).version(C, "9.0.0");
        for (int shard = 0; shard < 100; shard++) {
            assertEquals(Optional.of(C), rule.allocate(shard, A, cluster));
        }
    }
}
