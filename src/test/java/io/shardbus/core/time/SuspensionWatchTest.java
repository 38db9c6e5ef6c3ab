package io.shardbus.core.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SuspensionWatchTest {
    private static final long LEASE = 8_000;
    private static final long TOLERATED = 200;

    private final SuspensionWatch watch = new SuspensionWatch(LEASE, TOLERATED, doubtful(0), 0);

    private static ElapsedTime doubtful(long millis) {
        return new ElapsedTime(millis, millis, 0, 0, 0);
    }

    @Test
    void aLongGainIsToldOnce() {
        assertEquals(10_000, watch.doubtfulGain(doubtful(10_000), 11_000));
        assertEquals(0, watch.doubtfulGain(doubtful(10_000), 11_025));
    }

    @Test
    void driftIsNoGain() {
        for (long now = 0; now < 10 * LEASE; now += 25) {
            assertEquals(0, watch.doubtfulGain(doubtful(now / 100), now));
        }
    }

    @Test
    void shortGainsAreAddedUp() {
        assertEquals(0, watch.doubtfulGain(doubtful(150), 1_000));
        assertEquals(300, watch.doubtfulGain(doubtful(300), 2_000));
    }

    @Test
    void whatIsNotDoubtfulIsNotCounted() {
        assertEquals(0, watch.doubtfulGain(new ElapsedTime(10_000, 0, 0, 0, 0), 11_000));
    }
}
