package io.shardbus.integration.split;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.ShardingException;
import io.shardbus.integration.SplitCluster;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.SplitBrainOptions;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The first node, which coordinates, has a strategy that overrides the majority; the four others have the default. */
@Tag("slow")
class OneOtherStrategyIT {
    @Test
    @DisplayName("SPLIT-01 SPLIT-02 a node with another strategy coordinates no more, is not ready,"
            + " and keeps no minority alive")
    void theMinorityOfTheOddNodeStops() {
        ShardingOptions options = TestCluster.options().setRebalanceIntervalMs(300);
        ShardingOptions other =
                new ShardingOptions(options).setSplitBrain(new SplitBrainOptions().setStrategy("keep-oldest"));
        try (var split = SplitCluster.withAnotherFirst(other, 4, options)) {
            var odd = split.node(0);
            var refused = assertThrows(
                    ShardingException.class, () -> await(odd.sharding().start(split.definition())));
            assertEquals(FailureCode.INCOMPATIBLE, refused.code());
            String difference = "splitBrain is 'keep-oldest' here and 'keep-majority' there";
            until(
                    "the odd node is told so, beside the type that was refused",
                    () -> odd.sharding().notReadyReasons().stream()
                            .limit(1)
                            .anyMatch(first -> first.contains(difference)));
            assertFalse(odd.sharding().isReady());
            for (var node : split.nodes().subList(1, 5)) {
                until(
                        "another one coordinates",
                        () -> !odd.id().equals(node.sharding().clusterState().coordinator())
                                && node.sharding().isReady()
                                && node.sharding().notReadyReasons().isEmpty());
            }
            assertNotEquals(odd.id(), split.cluster.coordinator());

            split.cut(Set.of(0, 1));
            split.untilMembers(2, split.node(1));
            split.untilStopped(split.node(1));
            split.answersAll(split.node(2));
            split.answersAll(split.node(4));
            until(
                    "the odd node has stopped, too",
                    () -> !odd.sharding().clusterState().available());
            assertFalse(split.node(1).sharding().clusterState().available());

            split.heal();
            split.cluster.untilMembers(5);
            split.nodes().subList(1, 5).forEach(split::answersAll);
            split.nodes().subList(1, 5).forEach(node -> until("it is ready", node.sharding()::isReady));
            assertFalse(odd.sharding().isReady());
        }
    }
}
