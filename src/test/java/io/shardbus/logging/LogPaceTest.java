package io.shardbus.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogPaceTest {
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final LogPace pace = new LogPace(clock::get);

    private int admitted(int wanted) {
        int admitted = 0;
        for (int i = 0; i < wanted; i++) {
            admitted += pace.admits() ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void tenInAMinute() {
        assertEquals(10, admitted(50));
        clock.addAndGet(LogPace.MINUTE - 1);
        assertFalse(pace.admits());
        clock.addAndGet(1);
        assertEquals(10, admitted(50));
    }

    @Test
    void whatWasLeftOutIsToldOnce() {
        assertTrue(pace.admits());
        assertEquals("", pace.note());
        admitted(9);
        assertEquals(" (no more of these in this minute)", pace.note());
        admitted(7);
        clock.addAndGet(LogPace.MINUTE);
        assertTrue(pace.admits());
        assertEquals(" (7 before it not logged)", pace.note());
        assertTrue(pace.admits());
        assertEquals("", pace.note());
    }

    @Test
    void aLongSilenceSavesNothingUp() {
        clock.addAndGet(30 * 24 * 60 * LogPace.MINUTE);
        assertEquals(10, admitted(50));
    }
}
