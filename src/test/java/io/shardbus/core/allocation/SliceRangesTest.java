package io.shardbus.core.allocation;

import static io.shardbus.core.allocation.SliceRanges.SLICES;
import static io.shardbus.core.allocation.TestCluster.A;
import static io.shardbus.core.allocation.TestCluster.B;
import static io.shardbus.core.allocation.TestCluster.C;
import static io.shardbus.core.allocation.TestCluster.D;
import static io.shardbus.core.allocation.TestCluster.node;
import static io.shardbus.core.allocation.TestCluster.range;
import static io.shardbus.core.allocation.TestCluster.shards;
import static io.shardbus.core.allocation.UnsettledCluster.assertLeftAlone;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import io.shardbus.spi.SliceMessageExtractor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SliceRangesTest {
    private static final Set<Integer> NOTHING = Set.of();

    private final SliceRanges rule = new SliceRanges(RoundLimit.NONE);

    @Test
    @DisplayName("ALLOC-32 three regions get contiguous ranges of 343, 342 and 339")
    void threeRanges() {
        TestCluster cluster = filled(3);
        assertEquals(List.of(343, 342, 339), cluster.counts());
        assertContiguous(cluster);
        assertEquals(NOTHING, rule.rebalance(cluster));
    }

    @Test
    @DisplayName("ALLOC-32 64 regions get at most 17 each, contiguous")
    void sixtyFourRanges() {
        TestCluster cluster = filled(64);
        assertTrue(cluster.most() <= 17, () -> cluster.counts().toString());
        assertContiguous(cluster);
        assertEquals(NOTHING, rule.rebalance(cluster));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @DisplayName("ALLOC-33 the slices of a removed region are split evenly over the other two")
    void splitsSlicesOfRemovedRegion(int removed) {
        TestCluster cluster = filled(3);
        cluster.allocateAll(rule, cluster.remove(node(removed)));
        assertEquals(SLICES, cluster.total());
        assertWithin(511, 513, cluster);
        assertEquals(NOTHING, rule.rebalance(cluster));
    }

    @Test
    @DisplayName("ALLOC-33 nothing changed, nothing moves")
    void nothingMovesWithoutChange() {
        for (int regions = 1; regions <= 100; regions++) {
            assertEquals(NOTHING, rule.rebalance(filled(regions)), regions + " regions");
        }
    }

    @Test
    @DisplayName("ALLOC-34 an added region receives slices; all end with 253 to 257")
    void addedRegionReceivesSlices() {
        TestCluster cluster = filled(3).add(D);
        assertEquals(1, cluster.roundsUntilQuiet(rule));
        assertWithin(253, 257, cluster);
        assertEquals(SLICES, cluster.total());
    }

    @Test
    @DisplayName("ALLOC-34 the limit per round is kept until all have 253 to 257")
    void keepsLimit() {
        SliceRanges limited = new SliceRanges(new RoundLimit(20, 0.5));
        TestCluster cluster = filled(3).add(D);
        Set<Integer> moved;
        do {
            moved = cluster.round(limited);
            assertTrue(moved.size() <= 20, moved::toString);
        } while (!moved.isEmpty());
        assertWithin(253, 257, cluster);
    }

    /** A has 300 slices, and D has the fewest. */
    private static TestCluster fullest300() {
        return new TestCluster()
                .add(A, range(0, 300))
                .add(B, range(300, 556))
                .add(C, range(556, 812))
                .add(D, range(812, 1024));
    }

    @Test
    @DisplayName("ALLOC-34 slices are taken from the edges of a range")
    void takesEdges() {
        SliceRanges twoPerRound = new SliceRanges(new RoundLimit(2, 1.0));
        TestCluster cluster = fullest300();
        assertEquals(shards(0, 299), cluster.round(twoPerRound));
        assertEquals(shards(1, 298), cluster.round(twoPerRound));
        assertEquals(range(2, 298), cluster.shardsOf(A));
    }

    @Test
    @DisplayName("a slice that rests stays, and its range gives no slices around it")
    void passesOverSlicesThatRest() {
        SliceRanges twoPerRound = new SliceRanges(new RoundLimit(2, 1.0));
        TestCluster cluster = fullest300();
        assertEquals(shards(0, 299), twoPerRound.rebalance(cluster.resting(100)));
        assertEquals(shards(1, 299), twoPerRound.rebalance(cluster.resting(0)));
    }

    @Test
    @DisplayName("where all slices of the overfull region rest, the next one gives what is missed elsewhere")
    void theNextRegionGivesWhereTheFullestCannot() {
        TestCluster cluster = new TestCluster()
                .add(A, range(0, 400))
                .add(B, range(400, 800))
                .add(C, range(800, 1024))
                .resting(range(0, 400).stream().mapToInt(i -> i).toArray());
        assertEquals(400 - 343, cluster.round(rule).size());
        assertEquals(List.of(400, 343, 281), cluster.counts());
    }

    @Test
    void givesShortRangesFirst() {
        TestCluster cluster = new TestCluster().add(A, range(0, 600)).add(B, range(602, 1000));
        cluster.shardsOf(A).addAll(range(1000, 1003));
        SliceRanges fourPerRound = new SliceRanges(new RoundLimit(4, 1.0));
        assertEquals(shards(0, 1000, 1001, 1002), fourPerRound.rebalance(cluster));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 10, 63, 100, 340, 1023})
    @DisplayName("ALLOC-34 an added region receives slices even if no other has too many")
    void addedRegionIsNeverLeftShort(int regions) {
        TestCluster cluster = filled(regions).add(new NodeId("added"));
        int rounds = cluster.roundsUntilQuiet(rule);
        assertTrue(rounds <= 2, () -> rounds + " rounds");
        assertWellFilled(cluster);
    }

    @Test
    @DisplayName("ALLOC-35 nothing moves while a slice is in handoff")
    void waitsForHandoffs() {
        assertEquals(NOTHING, rule.rebalance(filled(3).add(D).inHandoff(500)));
    }

    @Test
    @DisplayName("ALLOC-35 nothing moves while a member is unreachable or joining")
    void waitsForMembers() {
        assertLeftAlone(rule, () -> filled(3).add(D), TestCluster::unreachable);
        assertLeftAlone(rule, () -> filled(3).add(D), TestCluster::joining);
    }

    @Test
    @DisplayName("ROLL-03 nothing moves while members run mixed versions")
    void waitsForOneVersion() {
        assertLeftAlone(rule, () -> filled(3).add(D), cluster -> cluster.version(B, "2"));
    }

    @Test
    @DisplayName("ALLOC-35 a persistence id always maps to its slice")
    void persistenceIdKeepsItsSlice() {
        assertEquals(0, SliceMessageExtractor.sliceOf(""));
        assertEquals(97, SliceMessageExtractor.sliceOf("a"));
        assertEquals(831, SliceMessageExtractor.sliceOf("cart|4711"));
        assertEquals(254, SliceMessageExtractor.sliceOf("order|0"), "of a negative hash code");
        for (int i = 0; i < 10_000; i++) {
            int slice = SliceMessageExtractor.sliceOf("cart|" + i);
            assertTrue(slice >= 0 && slice < SLICES, "slice " + slice);
            assertEquals(slice, SliceMessageExtractor.sliceOf("cart|" + i));
        }
    }

    @Test
    void slicesInAnyOrderFillRegionsWell() {
        List<Integer> slices = new ArrayList<>(range(0, SLICES));
        for (int seed = 0; seed < 50; seed++) {
            Collections.shuffle(slices, new Random(seed));
            TestCluster cluster = TestCluster.ofEmpty(1 + seed);
            cluster.allocateAll(rule, slices);
            assertWellFilled(cluster);
            assertEquals(NOTHING, rule.rebalance(cluster), "seed " + seed);
        }
    }

    @Test
    void anyStartEndsWellFilledInTwoRounds() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            TestCluster cluster = TestCluster.ofEmpty(1 + random.nextInt(80));
            List<NodeId> regions = List.copyOf(cluster.regions());
            range(0, SLICES)
                    .forEach(slice -> cluster.shardsOf(regions.get(random.nextInt(1 + random.nextInt(regions.size()))))
                            .add(slice));
            int rounds = cluster.roundsUntilQuiet(rule);
            assertTrue(rounds <= 2, "seed " + seed + ": " + rounds + " rounds");
            assertWellFilled(cluster);
        }
    }

    @Test
    void slicesWithoutHomeCountForTheEmptyRegion() {
        assertEquals(
                NOTHING, rule.rebalance(new TestCluster().add(A, range(0, 500)).add(B)));
    }

    @Test
    void newVersionGetsSlicesDuringRollingUpdate() {
        TestCluster cluster = new TestCluster().add(A, range(0, 300)).add(B).version(B, "1.1");
        assertEquals(Optional.of(B), rule.allocate(300, A, cluster));
    }

    @Test
    void leavingRegionGetsSlicesOnlyWhenAllLeave() {
        TestCluster cluster = new TestCluster().add(A, range(0, 300)).add(B).leaving(A);
        assertEquals(Optional.of(B), rule.allocate(300, A, cluster));
        assertEquals(Optional.of(A), rule.allocate(300, A, cluster.leaving(B)));
        assertEquals(NOTHING, rule.rebalance(cluster));
        assertEquals(Optional.empty(), rule.allocate(300, A, TestCluster.of()));
    }

    @Test
    void refusesWhatIsNoSlice() {
        assertThrows(IndexOutOfBoundsException.class, () -> rule.allocate(SLICES, A, TestCluster.ofEmpty(1)));
        assertThrows(IndexOutOfBoundsException.class, () -> rule.allocate(-1, A, TestCluster.ofEmpty(1)));
    }

    private TestCluster filled(int regions) {
        TestCluster cluster = TestCluster.ofEmpty(regions);
        cluster.allocateAll(rule, range(0, SLICES));
        return cluster;
    }

    private static void assertContiguous(TestCluster cluster) {
        cluster.regions()
                .forEach(region -> assertEquals(
                        1,
                        SliceRun.runsOf(cluster.shardsOf(region)).size(),
                        () -> region + ": " + cluster.shardsOf(region)));
    }

    private static void assertWellFilled(TestCluster cluster) {
        int optimum =
                (SLICES + cluster.regions().size() - 1) / cluster.regions().size();
        assertWithin(optimum - 3, optimum + 1, cluster);
    }

    private static void assertWithin(int fewest, int most, TestCluster cluster) {
        assertTrue(
                cluster.fewest() >= fewest && cluster.most() <= most,
                () -> cluster.counts().toString());
    }
}
