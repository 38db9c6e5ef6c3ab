package io.shardbus.core.allocation;

import static io.shardbus.core.allocation.TestCluster.A;
import static io.shardbus.core.allocation.TestCluster.B;
import static io.shardbus.core.allocation.TestCluster.C;
import static io.shardbus.core.allocation.TestCluster.shards;
import static io.shardbus.core.allocation.UnsettledCluster.assertLeftAlone;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeastShardsThresholdTest {
    private static final Set<Integer> NOTHING = Set.of();

    private final LeastShardsThreshold one = new LeastShardsThreshold(1, 10);
    private final LeastShardsThreshold two = new LeastShardsThreshold(2, 10);

    @Test
    @DisplayName("ALLOC-13 a new shard goes to the region with fewest shards")
    void placesNewShardOnEmptiestRegion() {
        assertEquals(Optional.of(C), one.allocate(3, A, TestCluster.of(1, 1, 0)));
        assertEquals(Optional.empty(), one.allocate(3, A, TestCluster.of()));
    }

    @Test
    @DisplayName("ALLOC-14 threshold 1: the difference must exceed the threshold")
    void differenceMustExceedThreshold() {
        assertRounds(one, TestCluster.of(1, 1, 0), NOTHING);
        assertRounds(one, TestCluster.of(2, 0, 0), shards(1), NOTHING);
        assertRounds(one, TestCluster.of(1, 2, 0), shards(2), NOTHING);
    }

    @Test
    @DisplayName("ALLOC-15 threshold 1: one shard a round")
    void movesOneShardARound() {
        assertRounds(one, TestCluster.of(3, 0, 0), shards(1), shards(2));
        assertRounds(one, TestCluster.of(4, 4, 0), shards(1), shards(5));
        assertRounds(one, TestCluster.of(4, 4, 2), shards(1), shards(5));
    }

    @Test
    @DisplayName("ALLOC-16 threshold 2: small differences stay")
    void toleratesTwo() {
        assertRounds(two, TestCluster.of(1, 2, 0), NOTHING);
        assertRounds(two, TestCluster.of(1, 3, 0), shards(2), NOTHING);
        assertRounds(two, TestCluster.of(2, 2, 0), NOTHING);
    }

    @Test
    @DisplayName("ALLOC-17 threshold 2: from one region, then from the other")
    void takesFromRegionsInTurn() {
        assertRounds(two, TestCluster.of(3, 3, 0), shards(1), shards(4), NOTHING);
        assertRounds(two, TestCluster.of(4, 4, 0), shards(1, 2), shards(5, 6), NOTHING);
    }

    @Test
    @DisplayName("ALLOC-18 threshold 2: more than optimal if earlier handoffs are slow")
    void mayHandOffMoreThanOptimal() {
        assertRounds(two, TestCluster.of(5, 5, 0), shards(1, 2), shards(6, 7), shards(3));
    }

    @Test
    @DisplayName("ALLOC-19 threshold 2, at most 100 at once: the threshold bounds a round")
    void thresholdBoundsRound() {
        LeastShardsThreshold manyAtOnce = new LeastShardsThreshold(2, 100);
        assertRounds(manyAtOnce, TestCluster.of(50, 0, 50), shards(1, 2), shards(51, 52), shards(3, 4));
    }

    @Test
    @DisplayName("ALLOC-20 threshold 3, at most 2 at once")
    void boundsHandoffsAtOnce() {
        assertRounds(new LeastShardsThreshold(3, 2), TestCluster.of(1, 10, 0), shards(2, 3), NOTHING);
    }

    @Test
    @DisplayName("ALLOC-21 threshold 3, at most 4 at once: never picks a shard in handoff")
    void neverPicksShardInHandoff() {
        assertRounds(new LeastShardsThreshold(3, 4), TestCluster.of(10, 0, 0).inHandoff(2, 3), shards(1, 4));
    }

    @Test
    @DisplayName("ALLOC-22 nothing moves while a member is unreachable or joining")
    void waitsForMembers() {
        assertLeftAlone(two, () -> TestCluster.of(5, 5, 0), TestCluster::unreachable);
        assertLeftAlone(two, () -> TestCluster.of(5, 5, 0), TestCluster::joining);
    }

    @Test
    @DisplayName("ROLL-02 nothing moves while members run mixed versions")
    void waitsForOneVersion() {
        assertLeftAlone(two, () -> TestCluster.of(5, 5, 0), cluster -> cluster.version(B, "1.1"));
    }

    @Test
    void leavesLeavingRegionsAlone() {
        assertRounds(two, TestCluster.of(5, 5, 0).leaving(C), NOTHING);
        assertRounds(two, TestCluster.of(9, 5, 0).leaving(A), shards(10, 11));
        assertRounds(two, TestCluster.of(9).leaving(A), NOTHING);
    }

    @Test
    void passesOverShardsThatRest() {
        assertRounds(two, TestCluster.of(5, 5, 0).resting(1, 3), shards(2, 4), shards(6, 7));
    }

    @Test
    @DisplayName("where all shards of the fullest region rest or are in handoff, the next one gives")
    void theNextRegionGivesWhereTheFullestCannot() {
        assertRounds(two, TestCluster.of(5, 4, 0).resting(1, 2, 3, 4, 5), shards(6, 7), NOTHING);
        assertRounds(two, TestCluster.of(5, 4, 0).resting(1, 2, 3, 4).inHandoff(5), shards(6, 7), NOTHING);
        assertRounds(two, TestCluster.of(5, 2, 0).resting(1, 2, 3, 4, 5), NOTHING);
    }

    @Test
    void refusesSettingsBelowOne() {
        assertThrows(IllegalArgumentException.class, () -> new LeastShardsThreshold(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new LeastShardsThreshold(1, 0));
    }

    /** Each round starts while the earlier ones are still in handoff. */
    @SafeVarargs
    private static void assertRounds(ShardAllocation rule, TestCluster cluster, Set<Integer>... rounds) {
        for (Set<Integer> expected : rounds) {
            assertEquals(expected, cluster.startRound(rule));
        }
    }
}
