package io.shardbus.transport.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReplayWindowTest {
    private final ReplayWindow window = new ReplayWindow();

    @Test
    void eachNumberIsTakenOnceInAnyOrder() {
        assertTrue(window.takes(2));
        assertTrue(window.takes(1));
        assertFalse(window.takes(2));
        assertFalse(window.takes(1));
        assertTrue(window.takes(3));
    }

    @Test
    void whatIsFarTooLateIsNotTaken() {
        assertTrue(window.takes(ReplayWindow.SIZE + 1));
        assertFalse(window.takes(1), "it may have come");
        assertTrue(window.takes(2));
        assertTrue(window.takes(1_000_000));
        assertFalse(window.takes(ReplayWindow.SIZE + 1));
        assertFalse(window.takes(ReplayWindow.SIZE + 2));
    }

    @Test
    void numbersThatNoSenderGivesAreNotTaken() {
        assertFalse(window.takes(0));
        assertFalse(window.takes(-1));
        assertFalse(window.takes(Long.MIN_VALUE));
        assertTrue(window.takes(Long.MAX_VALUE));
        assertFalse(window.takes(Long.MAX_VALUE));
    }

    @Test
    void agreesWithASetOfAllThatHasCome() {
        SplittableRandom dice = new SplittableRandom(7);
        Set<Long> taken = new HashSet<>();
        long highest = 0;
        for (int i = 0; i < 20_000; i++) {
            long number = Math.max(1, highest - 1_200 + dice.nextInt(1_230));
            boolean expected = number > highest - ReplayWindow.SIZE && taken.add(number);
            assertEquals(expected, window.takes(number), "number " + number + " after " + highest);
            highest = expected ? Math.max(highest, number) : highest;
        }
    }
}
