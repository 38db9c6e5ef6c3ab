package io.shardbus.core.allocation;

import static io.shardbus.core.allocation.TestCluster.node;
import static io.shardbus.core.allocation.TestCluster.shards;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SuitabilityTest {
    private static final NodeId NEW_WITH_0 = node(0);
    private static final NodeId NEW_WITH_1 = node(1);
    private static final NodeId NEW_WITH_2 = node(2);
    private static final NodeId OLD_WITH_0 = node(3);
    private static final NodeId LEAVING_WITH_0 = node(4);
    private static final List<NodeId> IN_ORDER =
            List.of(NEW_WITH_0, NEW_WITH_1, NEW_WITH_2, OLD_WITH_0, LEAVING_WITH_0);

    @Test
    @DisplayName("ALLOC-10 the newest version by shards, then the older version, the leaving region last")
    void ordersRegions() {
        TestCluster cluster = candidates();
        List<NodeId> regions = new ArrayList<>(IN_ORDER);
        for (int seed = 0; seed < 20; seed++) {
            Collections.shuffle(regions, new Random(seed));
            assertEquals(
                    IN_ORDER,
                    regions.stream().sorted(Suitability.order(cluster)).toList());
        }
    }

    @Test
    @DisplayName("ALLOC-10 ALLOC-22 both rules place new shards in this order")
    void bothRulesFollowIt() {
        assertPlacedInOrder(new LeastShards(RoundLimit.NONE));
        assertPlacedInOrder(new LeastShardsThreshold(1, 3));
    }

    private static void assertPlacedInOrder(ShardAllocation rule) {
        TestCluster cluster = candidates();
        for (NodeId expected : IN_ORDER) {
            assertEquals(expected, rule.allocate(4, LEAVING_WITH_0, cluster).orElseThrow());
            cluster.remove(expected);
        }
    }

    private static TestCluster candidates() {
        return new TestCluster()
                .add(LEAVING_WITH_0, shards())
                .add(OLD_WITH_0, shards())
                .add(NEW_WITH_2, 2, 3)
                .add(NEW_WITH_1, 1)
                .add(NEW_WITH_0, shards())
                .version(OLD_WITH_0, "1.9")
                .version(NEW_WITH_0, "1.10")
                .version(NEW_WITH_1, "1.10")
                .version(NEW_WITH_2, "1.10")
                .version(LEAVING_WITH_0, "1.10")
                .leaving(LEAVING_WITH_0);
    }
}
