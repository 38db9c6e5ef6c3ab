package io.shardbus.integration;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.FailureCode;
import io.shardbus.ShardingException;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Clusters in one JVM are cut in two and healed. The registry of SPLIT-01 looks on in every case. */
class SplitBrainIT {
    @Test
    @DisplayName(
            "SPLIT-01 SPLIT-03 keep-majority 2 | 1: the one refuses at once, is not ready, and takes part again by itself")
    void theMajorityGoesOn() {
        try (var split = new SplitCluster(3, TestCluster.options().setRebalanceIntervalMs(300))) {
            var lost = split.node(2);
            split.cut(Set.of(2));
            split.untilMembers(1, lost);
            List<Future<String>> waiting = split.askAll(lost);
            split.untilStopped(lost);
            for (Future<String> ask : waiting) {
                assertTrue(ask.isComplete(), "nothing waits on a side that has stopped");
                if (ask.failed()) {
                    var code = assertThrows(ShardingException.class, () -> await(ask))
                            .code();
                    assertEquals(FailureCode.NOT_IN_MAJORITY, code);
                }
            }
            split.answersAll(split.node(0));
            split.answersAll(split.node(1));
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @DisplayName("SPLIT-01 SPLIT-03 keep-majority 1 | 1: both stop, and both are back when they meet again")
    void nobodyHasTheMajorityOfTwo() {
        try (var split = new SplitCluster(2, TestCluster.options().setRebalanceIntervalMs(300))) {
            split.cut(Set.of(0));
            split.nodes().forEach(split::untilStopped);
            split.heal();
            split.untilWhole();
        }
    }
}
