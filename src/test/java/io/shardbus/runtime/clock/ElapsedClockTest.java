package io.shardbus.runtime.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.time.ClockReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ElapsedClockTest {
    private static final long NANOS = 1_000_000;

    private long awake = 7_000;
    private long wall = 1_700_000_000_000L;
    private long boot = 50_000;
    private final ElapsedClock clock = new ElapsedClock(() -> awake * NANOS, () -> wall, () -> boot);

    private void suspended(long millis) {
        wall += millis;
        boot += millis;
    }

    @Test
    void itBeginsAtZeroAndFollowsTheMonotonicClock() {
        assertEquals(0, clock.now());
        awake += 10;
        suspended(10);
        assertEquals(10, clock.now());
        assertEquals(10, clock.awake());
    }

    @Test
    void aSuspendIsSeenByTheNextLook() {
        suspended(12_000);
        assertEquals(12_000, clock.now());
        assertEquals(0, clock.awake());
    }

    @Test
    void aSuspendIsSeenByTheNextLookAlsoIfTheWallClockWasSetBackMeanwhile() {
        suspended(12_000);
        wall -= 3_600_000;
        assertEquals(12_000, clock.now());
    }

    @Test
    void aSuspendThatTheWallClockHidesExactlyIsSeenWhenTheReadingIsOld() {
        suspended(12_000);
        wall -= 12_000;
        assertEquals(0, clock.now());
        awake += 25;
        wall += 25;
        boot += 25;
        assertEquals(12_025, clock.now());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void linuxTellsTheTimeSinceTheBoot() {
        BootClock uptime = new BootClock();
        long first = uptime.millis();
        assertTrue(first > 0, "told " + first);
        assertTrue(uptime.millis() >= first);
    }

    @Test
    void aPlatformThatDoesNotTellTheTimeSinceTheBootIsNotAskedAgain(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("uptime");
        BootClock uptime = new BootClock(file.toString());
        assertEquals(ClockReading.NO_BOOT, uptime.millis());
        Files.writeString(file, "1.50 0.00\n");
        assertEquals(ClockReading.NO_BOOT, uptime.millis());
        assertEquals(1_500, new BootClock(file.toString()).millis());
    }
}
