package io.shardbus.simulation.seeds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;

/** The runner of seeds fails when a seed fails in any way, and when one did not run. */
class SeedsTest {
    @Test
    void runsEachSeedOnce() {
        Set<Long> ran = new ConcurrentSkipListSet<>();
        new Seeds(Family.CRASHES, seed -> assertTrue(ran.add(seed))).mustHold(5, 24);
        assertEquals(20, ran.size());
    }

    @Test
    void failsWhenTheSimulatorItselfFails() {
        Seeds seeds = new Seeds(Family.CRASHES, seed -> {
            if (seed == 8) {
                throw new IllegalStateException("a worker died");
            }
        });
        AssertionError failure = assertThrows(AssertionError.class, () -> seeds.mustHold(5, 24));
        assertTrue(failure.getMessage().startsWith("[8] of crashes"), failure::getMessage);
        assertTrue(failure.getMessage().contains("a worker died"), failure::getMessage);
    }

    @Test
    void failsOnAnErrorOfTheMachine() {
        Seeds seeds = new Seeds(Family.CRASHES, seed -> {
            throw new StackOverflowError();
        });
        assertThrows(AssertionError.class, () -> seeds.mustHold(1, 1));
    }

    @Test
    void failsWhenNoSeedRan() {
        Seeds seeds = new Seeds(Family.CRASHES, seed -> {});
        AssertionError failure = assertThrows(AssertionError.class, () -> seeds.mustHold(5, 3));
        assertTrue(failure.getMessage().contains("0 of the seeds"), failure::getMessage);
    }
}
