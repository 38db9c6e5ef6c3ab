package io.shardbus.core.allocation;

import static io.shardbus.core.allocation.TestCluster.A;
import static io.shardbus.core.allocation.TestCluster.B;
import static io.shardbus.core.allocation.TestCluster.C;
import static io.shardbus.core.allocation.TestCluster.range;
import static io.shardbus.core.allocation.TestCluster.shards;
import static io.shardbus.core.allocation.UnsettledCluster.assertLeftAlone;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeastShardsTest {
    private final LeastShards rule = new LeastShards(RoundLimit.NONE);

    @Test
    @DisplayName("ALLOC-01 a new shard goes to the region with fewest shards")
    void placesNewShardOnEmptiestRegion() {
        assertEquals(Optional.of(C), rule.allocate(3, A, TestCluster.of(1, 1, 0)));
    }

    @Test
    void placesNothingWithoutRegions() {
        assertEquals(Optional.empty(), rule.allocate(1, A, TestCluster.of()));
        assertEquals(Set.of(), rule.rebalance(TestCluster.of()));
    }

    @Test
    @DisplayName("ALLOC-02 moves one shard where one is too many")
    void movesSingleShard() {
        assertRound(TestCluster.of(1, 2, 0), shards(2), List.of(1, 1, 1));
        assertRound(TestCluster.of(2, 0, 0), shards(1), List.of(1, 1, 0));
        assertRound(TestCluster.of(1, 1, 0), Set.of(), List.of(1, 1, 0));
    }

    @Test
    @DisplayName("ALLOC-03 moves the excess of every region in one round")
    void movesExcessOfEveryRegion() {
        assertRound(TestCluster.of(3, 0, 0), shards(1, 2), List.of(1, 1, 1));
        assertRound(TestCluster.of(4, 4, 0), shards(1, 5), List.of(3, 3, 2));
    }

    @Test
    void passesOverShardsThatRest() {
        assertRound(TestCluster.of(4, 4, 0).resting(1, 5), shards(2, 6), List.of(3, 3, 2));
        assertRound(TestCluster.of(4, 4, 2).resting(1, 2, 3, 4), shards(5), List.of(4, 3, 3));
    }

    @Test
    @DisplayName("ALLOC-04 the second phase closes a gap that no region's excess closes")
    void secondPhaseClosesGap() {
        assertRound(TestCluster.of(4, 4, 2), shards(1), List.of(3, 4, 3));
    }

    @Test
    @DisplayName("ALLOC-05 the second phase follows in the next round")
    void secondPhaseFollowsFirst() {
        TestCluster cluster = TestCluster.of(5, 5, 0);
        assertRound(cluster, shards(1, 6), List.of(4, 4, 2));
        assertRound(cluster, shards(2), List.of(3, 4, 3));
        assertRound(cluster, Set.of(), List.of(3, 4, 3));
    }

    @Test
    @DisplayName("ALLOC-06 fills an empty region between two full ones")
    void fillsEmptyRegion() {
        TestCluster cluster = TestCluster.of(50, 0, 50);
        Set<Integer> first = new TreeSet<>(range(1, 17));
        first.addAll(range(51, 67));
        assertEquals(first, cluster.round(rule));
        assertEquals(List.of(34, 34, 32), List.of(cluster.count(A), cluster.count(C), cluster.count(B)));
        assertEquals(shards(17), cluster.round(rule));
        assertEquals(List.of(33, 34, 33), List.of(cluster.count(A), cluster.count(C), cluster.count(B)));
    }

    @Test
    @DisplayName("ALLOC-07 a round keeps the absolute limit")
    void keepsAbsoluteLimit() {
        LeastShards limited = new LeastShards(new RoundLimit(3, 1.0));
        TestCluster cluster = TestCluster.of(1, 9, 0);
        assertEquals(shards(2, 3, 4), cluster.round(limited));
        assertEquals(List.of(2, 6, 2), cluster.counts());
    }

    @Test
    @DisplayName("ALLOC-08 a round keeps the relative limit")
    void keepsRelativeLimit() {
        LeastShards limited = new LeastShards(new RoundLimit(5, 0.3));
        TestCluster cluster = TestCluster.of(1, 9, 0);
        assertEquals(shards(2, 3, 4), cluster.round(limited));
        assertEquals(List.of(2, 6, 2), cluster.counts());
    }

    @Test
    void limitsSecondPhaseToo() {
        LeastShards limited = new LeastShards(new RoundLimit(1, 1.0));
        assertEquals(shards(1), limited.rebalance(TestCluster.of(5, 5, 5, 5, 5, 2)));
        assertEquals(shards(1, 6), rule.rebalance(TestCluster.of(5, 5, 5, 5, 5, 2)));
    }

    @Test
    @DisplayName("ALLOC-09 one round at a time")
    void waitsForHandoffs() {
        assertEquals(Set.of(), rule.rebalance(TestCluster.of(10, 0, 0).inHandoff(2, 3)));
    }

    @Test
    void balancesOnlyBetweenRegionsThatStay() {
        TestCluster cluster = TestCluster.of(4, 4, 0).leaving(C);
        assertEquals(Set.of(), rule.rebalance(cluster));
        assertEquals(Set.of(), rule.rebalance(TestCluster.of(4, 4).leaving(A).leaving(B)));
    }

    @Test
    @DisplayName("ALLOC-11 nothing moves while a member is unreachable")
    void waitsForUnreachableMember() {
        assertLeftAlone(rule, () -> TestCluster.of(5, 5, 0), TestCluster::unreachable);
    }

    @Test
    @DisplayName("ALLOC-12 nothing moves while a member is joining")
    void waitsForJoiningMember() {
        assertLeftAlone(rule, () -> TestCluster.of(5, 5, 0), TestCluster::joining);
    }

    @Test
    @DisplayName("ROLL-01 nothing moves while members run mixed versions")
    void waitsForOneVersion() {
        assertLeftAlone(rule, () -> TestCluster.of(5, 5, 0), cluster -> cluster.version(B, "1.1"));
    }

    @Test
    @DisplayName("ROLL-01 versions that compare as equal are not mixed")
    void knowsEqualVersions() {
        assertEquals(shards(1, 6), rule.rebalance(TestCluster.of(5, 5, 0).version(B, "1.0.0")));
    }

    private void assertRound(TestCluster cluster, Set<Integer> moved, List<Integer> counts) {
        assertEquals(moved, cluster.round(rule));
        assertEquals(counts, cluster.counts());
    }
}
