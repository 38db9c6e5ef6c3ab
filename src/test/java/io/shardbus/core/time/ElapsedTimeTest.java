package io.shardbus.core.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ElapsedTimeTest {
    private static final long NOON = 1_700_000_000_000L;
    private static final long HOUR = 3_600_000;

    private long awake = 500;
    private long wall = NOON;
    private long boot = 90_000;
    private boolean tellsBoot;
    private ElapsedTime time = ElapsedTime.from(reading());

    private ClockReading reading() {
        return new ClockReading(awake, wall, tellsBoot ? boot : ClockReading.NO_BOOT, awake);
    }

    private void withBoot() {
        tellsBoot = true;
        time = ElapsedTime.from(reading());
    }

    private void runs(long millis) {
        awake += millis;
        suspended(millis);
    }

    private void suspended(long millis) {
        wall += millis;
        boot += millis;
    }

    private long elapsed() {
        time = time.after(reading());
        return time.at(awake);
    }

    @Test
    void timeIsTheMonotonicClocksWhileTheMachineRuns() {
        runs(1_000);
        assertEquals(1_500, elapsed());
        assertEquals(0, time.missed());
    }

    @Test
    void aSuspendCounts() {
        runs(1_000);
        suspended(10_000);
        assertEquals(11_500, elapsed());
        runs(1_000);
        assertEquals(12_500, elapsed(), "once");
    }

    @Test
    void aWallClockThatIsSetBackTakesNothingAway() {
        suspended(10_000);
        assertEquals(10_500, elapsed());
        wall -= HOUR;
        assertEquals(10_500, elapsed());
    }

    @Test
    void aWallClockThatWasSetBackBeforeHidesNoSuspend() {
        wall -= HOUR;
        elapsed();
        suspended(10_000);
        assertEquals(10_500, elapsed());
    }

    @Test
    void aWallClockThatWasSetForwardAndBackBeforeHidesNoSuspend() {
        wall += HOUR;
        long before = elapsed();
        wall -= HOUR;
        elapsed();
        suspended(10_000);
        assertEquals(before + 10_000, elapsed());
    }

    @Test
    void aWallClockThatIsSetBackDuringASuspendDoesNotHideItFromTheClockThatCountsFromTheBoot() {
        withBoot();
        suspended(10_000);
        wall -= HOUR;
        assertEquals(10_500, elapsed());
        runs(1_000);
        assertEquals(11_500, elapsed());
    }

    @Test
    void whatTheWallClockAloneTellsIsDoubtful() {
        withBoot();
        suspended(10_000);
        elapsed();
        assertEquals(0, time.doubtful());
        wall += HOUR;
        elapsed();
        assertEquals(HOUR, time.doubtful());
        assertEquals(10_000 + HOUR, time.missed(), "but it may be true, and leases must not outlast it");
    }

    @Test
    void withoutAClockThatCountsFromTheBootEverySuspendIsDoubtful() {
        suspended(10_000);
        elapsed();
        assertEquals(10_000, time.doubtful());
    }

    @Test
    void aThreadThatIsPausedBetweenTwoClocksSeesNoSuspend() {
        ClockReading pausedBeforeTheWall = new ClockReading(awake, wall + 5_000, ClockReading.NO_BOOT, awake + 5_000);
        time = time.after(pausedBeforeTheWall);
        runs(5_000);
        assertEquals(5_500, elapsed());
        ClockReading pausedAfterTheWall = new ClockReading(awake, wall, ClockReading.NO_BOOT, awake + 5_000);
        time = time.after(pausedAfterTheWall);
        runs(5_000);
        assertEquals(10_500, elapsed());
        assertEquals(0, time.missed());
    }

    @Test
    void clocksThatJitterByTheirResolutionGainNothing() {
        withBoot();
        for (int i = 0; i < 1_000; i++) {
            runs(30);
            wall += i % 2 == 0 ? 1 : -1;
            boot += i % 2 == 0 ? 10 : -10;
            elapsed();
        }
        assertEquals(0, time.missed());
    }

    @Test
    void aWallClockThatGainsSlowlyIsFollowed() {
        for (int i = 0; i < 1_000; i++) {
            runs(1_000);
            wall += 1;
            elapsed();
        }
        assertTrue(time.missed() > 1_000 - 2 * ElapsedTime.RESOLUTION, "missed " + time.missed());
        assertTrue(time.missed() <= 1_000, "missed " + time.missed());
    }

    @Test
    void aReadingIsDueWhenTheLastIsOldOrTheWallClockIsOutOfStep() {
        assertTrue(time.isCurrent(awake + 10, wall + 10));
        assertTrue(time.isCurrent(awake + 10, wall + 10 + ElapsedTime.RESOLUTION));
        assertFalse(time.isCurrent(awake + 10, wall + 11 + ElapsedTime.RESOLUTION), "it gained");
        assertFalse(time.isCurrent(awake + 10, wall + 9), "it was set back, and may hide a suspend");
        assertFalse(time.isCurrent(awake + ElapsedTime.LONGEST_UNREAD, wall + ElapsedTime.LONGEST_UNREAD), "it is old");
    }
}
