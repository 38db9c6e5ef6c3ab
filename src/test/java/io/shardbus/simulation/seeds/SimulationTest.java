package io.shardbus.simulation.seeds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many runs from many seeds; see docs/internals/simulation.md for the properties that choose them. */
class SimulationTest {
    @ParameterizedTest
    @EnumSource(Family.class)
    void noSeedBreaksAPromise(Family family) {
        assumeTrue(Seeds.areWanted(family), "another family was asked for");
        new Seeds(family).mustAllHold();
    }

    @Test
    void oneSeedIsOneRun() {
        for (Family family : Family.values()) {
            assertEquals(digest(family, 7), digest(family, 7));
        }
    }

    @Test
    void anotherSeedIsAnotherRun() {
        assertNotEquals(digest(Family.EVERYTHING, 7), digest(Family.EVERYTHING, 8));
    }

    private static long digest(Family family, long seed) {
        return family.run(seed, true);
    }
}
