package io.shardbus.core.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RoundLimitTest {
    @Test
    void lowerLimitCounts() {
        assertEquals(3, new RoundLimit(3, 1.0).of(10));
        assertEquals(2, new RoundLimit(3, 0.25).of(10));
        assertEquals(10_000, RoundLimit.NONE.of(10_000));
    }

    @Test
    void oneShardMayAlwaysMove() {
        assertEquals(1, new RoundLimit(100, 0.01).of(10));
        assertEquals(1, RoundLimit.NONE.of(0));
    }

    @Test
    void refusesLimitsOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> new RoundLimit(0, 0.1));
        assertThrows(IllegalArgumentException.class, () -> new RoundLimit(1, 0));
        assertThrows(IllegalArgumentException.class, () -> new RoundLimit(1, 1.1));
        assertThrows(IllegalArgumentException.class, () -> new RoundLimit(1, Double.NaN));
    }
}
