package io.shardbus.core.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Random starts. {@code -Dshardbus.allocation.seed=N} replays the run with that seed. */
class LeastShardsConvergenceTest {
    private static final Logger LOG = LoggerFactory.getLogger(LeastShardsConvergenceTest.class);
    private static final int ITERATIONS = 10;

    private final long seed = Long.getLong("shardbus.allocation.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @BeforeEach
    void logSeed(TestInfo test) {
        LOG.info("{}: -Dshardbus.allocation.seed={}", test.getDisplayName(), seed);
    }

    @ParameterizedTest(name = "ALLOC-23 up to {0} regions x {1} shards")
    @CsvSource({"5, 5", "5, 100", "20, 5", "20, 20"})
    @DisplayName("ALLOC-23 balanced in at most 2 rounds")
    void balancesInTwoRounds(int regions, int shards) {
        assertBalanced(regions, shards, 2, noLimits());
    }

    @ParameterizedTest(name = "ALLOC-24 up to {0} regions x {1} shards")
    @CsvSource({"20, 200", "100, 100", "100, 1000"})
    @DisplayName("ALLOC-24 large clusters are balanced in at most 5 rounds")
    void balancesLargeClusters(int regions, int shards) {
        assertBalanced(regions, shards, 5, noLimits());
    }

    @Test
    @DisplayName("ALLOC-25 with random limits balanced in at most 20 rounds")
    void balancesWithinLimits() {
        assertBalanced(20, 20, 20, dice -> new RoundLimit(dice.nextInt(6, 13), dice.nextDouble(0.05, 1.0)));
    }

    private static Function<Random, RoundLimit> noLimits() {
        return dice -> RoundLimit.NONE;
    }

    private void assertBalanced(int regions, int shards, int mostRounds, Function<Random, RoundLimit> limits) {
        for (int i = 0; i < ITERATIONS; i++) {
            int[] counts = IntStream.range(0, random.nextInt(1, regions + 1))
                    .map(region -> random.nextInt(shards + 1))
                    .toArray();
            TestCluster cluster = TestCluster.of(counts);
            int total = cluster.total();
            RoundLimit limit = limits.apply(random);
            int rounds = cluster.roundsUntilQuiet(new LeastShards(limit));
            String story = "seed " + seed + ", " + limit + ", " + rounds + " rounds to " + cluster.counts();
            assertTrue(rounds <= mostRounds, story);
            assertTrue(cluster.most() - cluster.fewest() <= 1, story);
            assertEquals(total, cluster.total(), story);
        }
    }
}
