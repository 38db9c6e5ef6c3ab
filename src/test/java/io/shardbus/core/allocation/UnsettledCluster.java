package io.shardbus.core.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Checks that a rule leaves a cluster alone that is about to change, with anything in handoff. */
final class UnsettledCluster {
    private UnsettledCluster() {}

    /** Expects moves in the cluster as it is and none once it is unsettled. */
    static void assertLeftAlone(
            ShardAllocation rule, Supplier<TestCluster> cluster, UnaryOperator<TestCluster> unsettle) {
        assertEquals(false, rule.rebalance(cluster.get()).isEmpty(), "there must be something to move");
        assertEquals(Set.of(), rule.rebalance(unsettle.apply(cluster.get())));
        assertEquals(Set.of(), rule.rebalance(unsettle.apply(cluster.get()).inHandoff(1, 2)));
        assertEquals(Set.of(), rule.rebalance(unsettle.apply(cluster.get()).inHandoff(1, 2, 51, 52)));
    }
}
