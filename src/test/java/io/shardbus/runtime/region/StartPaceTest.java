package io.shardbus.runtime.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.options.EntityRecoveryOptions;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StartPaceTest {
    private final AtomicLong clock = new AtomicLong();

    private static int take(StartPace pace, int wanted) {
        int taken = 0;
        for (int i = 0; i < wanted; i++) {
            taken += pace.take() ? 1 : 0;
        }
        return taken;
    }

    @Test
    @DisplayName("REM-19, REM-20: two in two seconds, five wanted by the shards of a region: two at once, a"
            + " pause, two, a pause, one")
    void constantOverAllShardsOfARegion() {
        EntityRecoveryOptions options =
                new EntityRecoveryOptions().setStrategy("constant").setRate(2).setIntervalMs(2_000);
        StartPace pace = new StartPace(options, clock::get);
        assertEquals(2, take(pace, 5));
        clock.set(1_999);
        assertEquals(0, take(pace, 3));
        clock.set(2_000);
        assertEquals(2, take(pace, 3));
        clock.set(4_001);
        assertEquals(1, take(pace, 1));
    }

    @Test
    @DisplayName("REM-20: all at once, for all shards of a region")
    void allAtOnce() {
        assertEquals(1_000, take(new StartPace(new EntityRecoveryOptions(), clock::get), 1_000));
    }
}
