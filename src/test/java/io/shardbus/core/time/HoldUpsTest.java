package io.shardbus.core.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HoldUpsTest {
    private static final long MILLI = 1_000;
    private static final long SECOND = 1_000 * MILLI;

    private final HoldUps holdUps = new HoldUps();

    @Test
    void quickCallsAlwaysBelongOnTheLoop() {
        for (int i = 0; i < 100_000; i++) {
            holdUps.took(19 * MILLI, i);
        }
        assertTrue(holdUps.admits(100_000));
    }

    @Test
    void aFirstSlowCallIsLetPass() {
        holdUps.took(100 * MILLI, 0);
        assertTrue(holdUps.admits(0));
    }

    @Test
    void slowCallsTakeAFiftiethOfTheTimeInTheLongRun() {
        long taken = 0;
        long hour = 3_600_000;
        for (long now = 0; now < hour; now += 10) {
            if (holdUps.admits(now)) {
                holdUps.took(300 * MILLI, now);
                taken += 300;
            }
        }
        assertTrue(taken <= hour / 50 + 400, taken + " ms of " + hour);
        assertTrue(taken >= hour / 50 - 400, taken + " ms of " + hour);
    }

    @Test
    void manyThatAreAlmostQuickDoNotBelongThereEither() {
        int admitted = 0;
        for (int i = 0; i < 1_000; i++) {
            if (holdUps.admits(0)) {
                holdUps.took(21 * MILLI, 0);
                admitted++;
            }
        }
        assertEquals(5, admitted);
    }

    @Test
    void thePauseIsToldAndEnds() {
        holdUps.took(SECOND, 1_000);
        assertFalse(holdUps.admits(1_000));
        assertEquals(45_000, holdUps.pause(1_000));
        assertFalse(holdUps.admits(45_999));
        assertTrue(holdUps.admits(46_000));
        assertEquals(0, holdUps.pause(46_000));
    }

    @Test
    void aCallThroughWhichTheMachineSleptCountsForTenMinutesAtMost() {
        holdUps.took(3_600 * SECOND, 5);
        assertEquals(600_000, holdUps.pause(5));
    }

    @Test
    void whatWasMadeUpForIsNoCredit() {
        holdUps.took(90 * MILLI, 0);
        holdUps.took(102 * MILLI, 1_000_000);
        assertEquals(100, holdUps.pause(1_000_000));
    }
}
