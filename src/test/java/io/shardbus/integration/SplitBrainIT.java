package io.shardbus.integration;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.FailureCode;
import io.shardbus.ShardingException;
import io.shardbus.ShardingOptions;
import io.shardbus.spi.SplitBrainOptions;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
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

    private static ShardingOptions options(SplitBrainOptions split) {
        return TestCluster.options().setRebalanceIntervalMs(300).setSplitBrain(split);
    }

    @Test
    @Tag("long-fault")
    @DisplayName(
            "SPLIT-01 SPLIT-07 keep-oldest 1 | 1: the older goes on although it has no majority, the other is back after the heal")
    void theOldestGoesOn() {
        try (var split = new SplitCluster(2, options(new SplitBrainOptions().setStrategy("keep-oldest")))) {
            var oldest = split.node(0);
            var lost = split.node(1);
            split.cut(Set.of(1));
            split.untilStopped(lost);
            split.untilMembers(1, oldest);
            split.answersAll(oldest);
            assertTrue(oldest.sharding().isReady());
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @Tag("long-fault")
    @DisplayName(
            "SPLIT-01 SPLIT-02 keep-oldest 1 | 2, not down if alone: the majority of the caches stops, the oldest overrides it")
    void theOldestOverridesTheMajority() {
        var oldest = new SplitBrainOptions().setStrategy("keep-oldest").setDownIfAlone(false);
        try (var split = new SplitCluster(3, options(oldest))) {
            split.cut(Set.of(0));
            split.untilStopped(split.node(1));
            split.untilStopped(split.node(2));
            split.answersAll(split.node(0));
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-01 SPLIT-05 static-quorum 2 | 1: the quorum goes on")
    void theQuorumGoesOn() {
        var quorum = new SplitBrainOptions().setStrategy("static-quorum").setQuorumSize(2);
        try (var split = new SplitCluster(3, options(quorum))) {
            split.cut(Set.of(2));
            split.untilStopped(split.node(2));
            split.answersAll(split.node(0));
            split.answersAll(split.node(1));
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @Tag("long-fault")
    @DisplayName(
            "SPLIT-01 SPLIT-03 SPLIT-04 static-quorum 3 with 2 | 1: the majority of the caches is not enough, all stop")
    void tooFewForTheQuorum() {
        var quorum = new SplitBrainOptions().setStrategy("static-quorum").setQuorumSize(3);
        try (var split = new SplitCluster(3, options(quorum))) {
            split.cut(Set.of(2));
            split.nodes().forEach(split::untilStopped);
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @Tag("long-fault")
    @DisplayName("SPLIT-01 SPLIT-03 SPLIT-38 CONF-02 down-all, and a custom strategy named by its class, stop all")
    void allStop() {
        NobodyGoesOn.ASKED.clear();
        for (String strategy : List.of("down-all", NobodyGoesOn.class.getName())) {
            try (var split = new SplitCluster(2, options(new SplitBrainOptions().setStrategy(strategy)))) {
                split.cut(Set.of(1));
                split.nodes().forEach(split::untilStopped);
            }
        }
        assertEquals(2, NobodyGoesOn.ASKED.size());
        assertTrue(NobodyGoesOn.ASKED.stream()
                .allMatch(seen -> seen.members().size() == 2 && seen.lost().size() == 1));
    }

    @Tag("long-fault")
    @Test
    @DisplayName(
            "SPLIT-01 SPLIT-08 SPLIT-60 lease-majority 1 | 1: the arbiter lets one go on, the other stops; the lease is given back")
    void theArbiterDecides() {
        SharedArbiter.LOG.clear();
        var lease = new SplitBrainOptions()
                .setStrategy("lease-majority")
                .setArbiter(SharedArbiter.class.getName())
                .setMinorityDelayMs(500)
                .setReleaseAfterMs(4000);
        try (var split = new SplitCluster(2, options(lease))) {
            split.cut(Set.of(1));
            var byName = split.nodes().stream()
                    .sorted(Comparator.comparing(TestCluster.Node::id))
                    .toList();
            split.untilStopped(byName.get(1));
            split.answersAll(byName.get(0));
            String name = split.cluster.name() + "-shardbus-split-brain";
            String winner = name + " " + byName.get(0).id();
            until("the lease is given back", () -> SharedArbiter.LOG.contains("release " + winner));
            assertEquals(
                    List.of(
                            "acquire " + winner + " true",
                            "acquire " + name + " " + byName.get(1).id() + " false",
                            "release " + winner),
                    SharedArbiter.LOG);
            split.heal();
            split.untilWhole();
        }
    }

    @Test
    @DisplayName(
            "CONF-01 a node that decides splits in another way is refused when it joins, with both ways in the reason")
    void anotherStrategyIsRefused() {
        try (var cluster = new TestCluster().start(1, TestCluster.options())) {
            cluster.startType(Counter.definition());
            var other = cluster.startNode(options(new SplitBrainOptions().setStrategy("down-all")));
            Future<?> start = other.sharding().start(Counter.definition());
            var refused = assertThrows(ShardingException.class, () -> await(start));
            assertEquals(FailureCode.INCOMPATIBLE, refused.code());
            assertTrue(
                    refused.getMessage().contains("splitBrain is 'down-all' here and 'keep-majority' in the cluster"),
                    refused::getMessage);
        }
    }
}
