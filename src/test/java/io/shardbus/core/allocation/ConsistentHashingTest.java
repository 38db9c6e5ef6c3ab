package io.shardbus.core.allocation;

import static io.shardbus.core.allocation.TestCluster.A;
import static io.shardbus.core.allocation.TestCluster.B;
import static io.shardbus.core.allocation.TestCluster.C;
import static io.shardbus.core.allocation.TestCluster.D;
import static io.shardbus.core.allocation.TestCluster.shards;
import static io.shardbus.core.allocation.UnsettledCluster.assertLeftAlone;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConsistentHashingTest {
    private static final Set<Integer> NOTHING = Set.of();

    /** Who comes after whom on the ring, from the position of each shard. */
    private static final Map<Integer, List<NodeId>> ON_THE_RING =
            Map.of(0, List.of(D, C, A, B), 1, List.of(B, A, C, D));

    private final ConsistentHashing rule =
            new ConsistentHashing(ConsistentHashingTest::ring, ConsistentHashing.UNLIMITED);
    private final ConsistentHashing twoPerRound = new ConsistentHashing(ConsistentHashingTest::ring, 2);

    @Test
    @DisplayName("ALLOC-26 a shard goes to its owner for any asker")
    void placesShardOnOwner() {
        TestCluster cluster = TestCluster.ofEmpty(3);
        for (NodeId requester : List.of(A, B, C, D)) {
            List<NodeId> homes = List.of(0, 1, 2, 10).stream()
                    .map(shard -> rule.allocate(shard, requester, cluster).orElseThrow())
                    .toList();
            assertEquals(List.of(C, B, A, A), homes);
        }
    }

    @Test
    void placesNothingWithoutRegions() {
        assertEquals(Optional.empty(), rule.allocate(0, A, TestCluster.of()));
        assertEquals(NOTHING, rule.rebalance(TestCluster.of()));
    }

    @Test
    @DisplayName("ALLOC-27 a region that is gone loses only its own shards")
    void onlyShardsOfLostRegionMove() {
        assertEquals(
                Map.of(0, A, 1, B, 2, A, 3, A, 10, A, 14, A),
                homes(new TestCluster().add(A).add(B)));
    }

    @Test
    @DisplayName("ALLOC-27 an added region gets only the shards it owns")
    void onlyShardsOfNewRegionMove() {
        assertEquals(Map.of(0, C, 1, B, 2, A, 3, A, 10, A, 14, A), homes(TestCluster.ofEmpty(3)));
        assertEquals(Map.of(0, D, 1, B, 2, A, 3, A, 10, A, 14, A), homes(TestCluster.ofEmpty(4)));
    }

    @Test
    @DisplayName("ALLOC-28 nothing moves while every shard is with its owner")
    void nothingMovesFromOwners() {
        assertEquals(
                NOTHING,
                rule.rebalance(new TestCluster().add(A, 2, 3, 10, 14).add(B, 1).add(C, 0)));
    }

    @Test
    @DisplayName("ALLOC-28 only the shard of the added region moves, however the regions are listed")
    void orderOfRegionsDoesNotMatter() {
        assertEquals(
                shards(0),
                rule.rebalance(new TestCluster()
                        .add(A, 2, 3, 10, 14)
                        .add(B, 1)
                        .add(C, 0)
                        .add(D)));
        assertEquals(
                shards(0),
                rule.rebalance(new TestCluster().add(D).add(C, 0).add(B, 1).add(A, 2, 3, 10, 14)));
        assertEquals(
                shards(0),
                rule.rebalance(
                        new TestCluster().add(B, 1).add(D).add(A, 2, 3, 10, 14).add(C, 0)));
    }

    @Test
    @DisplayName("ALLOC-29 at most 2 shards per round")
    void keepsLimit() {
        TestCluster allOnOne =
                new TestCluster().add(A, 0, 1, 2, 3, 10, 14).add(B).add(C).add(D);
        assertEquals(shards(0, 1), twoPerRound.rebalance(allOnOne));
        TestCluster added =
                new TestCluster().add(A, 2, 3, 10, 14).add(B, 1).add(C, 0).add(D);
        assertEquals(shards(0), added.round(twoPerRound));
        assertEquals(shards(0), added.shardsOf(D));
        assertEquals(NOTHING, twoPerRound.rebalance(added));
    }

    @Test
    void takesLowestShardsFirst() {
        ConsistentHashing onePerRound = new ConsistentHashing(ConsistentHashingTest::ring, 1);
        TestCluster cluster = new TestCluster().add(C, 1).add(A, 0).add(B).add(D);
        assertEquals(shards(0), cluster.round(onePerRound));
        assertEquals(shards(1), cluster.round(onePerRound));
    }

    @Test
    @DisplayName("ALLOC-30 nothing more while the misplaced shards are in handoff")
    void waitsForHandoffs() {
        TestCluster cluster =
                new TestCluster().add(A, 0, 1, 2, 3, 10, 14).add(B).add(C).add(D);
        assertEquals(NOTHING, twoPerRound.rebalance(cluster.inHandoff(0, 1)));
        assertEquals(NOTHING, twoPerRound.rebalance(cluster.inHandoff(2, 3)));
    }

    @Test
    void takesTheNextInPlaceOfShardsThatRest() {
        TestCluster cluster = new TestCluster().add(B, 0, 2, 3, 10).add(A).add(C);
        assertEquals(shards(0, 2), twoPerRound.rebalance(cluster));
        assertEquals(shards(2, 10), twoPerRound.rebalance(cluster.resting(0, 3)));
        assertEquals(NOTHING, twoPerRound.rebalance(cluster.resting(2, 10)));
    }

    @Test
    @DisplayName("ALLOC-31 nothing moves while a member is unreachable or joining")
    void waitsForMembers() {
        assertLeftAlone(rule, ConsistentHashingTest::misplaced, TestCluster::unreachable);
        assertLeftAlone(rule, ConsistentHashingTest::misplaced, TestCluster::joining);
    }

    @Test
    @DisplayName("ROLL-03 nothing moves while members run mixed versions")
    void waitsForOneVersion() {
        assertLeftAlone(rule, ConsistentHashingTest::misplaced, cluster -> cluster.version(B, "0.9"));
    }

    @Test
    void leavingRegionOwnsNothing() {
        assertEquals(Optional.of(A), rule.allocate(0, A, TestCluster.ofEmpty(3).leaving(C)));
        assertEquals(
                NOTHING, rule.rebalance(new TestCluster().add(A, 2).add(C, 0).leaving(C)));
        TestCluster allLeave = TestCluster.ofEmpty(2).leaving(A).leaving(B);
        assertEquals(Optional.of(B), rule.allocate(1, A, allLeave));
        assertEquals(NOTHING, rule.rebalance(allLeave));
    }

    @Test
    void refusesRoundsWithoutShards() {
        assertThrows(IllegalArgumentException.class, () -> new ConsistentHashing(ConsistentHashingTest::ring, 0));
    }

    private static IntFunction<NodeId> ring(Set<NodeId> regions) {
        return shard -> ON_THE_RING.getOrDefault(shard, List.of(A, B, C, D)).stream()
                .filter(regions::contains)
                .findFirst()
                .orElseThrow();
    }

    private Map<Integer, NodeId> homes(TestCluster cluster) {
        return Map.of(
                0, cluster.allocate(rule, 0),
                1, cluster.allocate(rule, 1),
                2, cluster.allocate(rule, 2),
                3, cluster.allocate(rule, 3),
                10, cluster.allocate(rule, 10),
                14, cluster.allocate(rule, 14));
    }

    private static TestCluster misplaced() {
        return new TestCluster().add(A, 0, 1, 2, 3, 10, 14).add(B).add(C);
    }
}
