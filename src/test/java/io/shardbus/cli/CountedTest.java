package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CountedTest {
    @Test
    void oneOfAKindHasNoPlural() {
        assertEquals("0 shards", Counted.of(0, "shard"));
        assertEquals("1 shard", Counted.of(1, "shard"));
        assertEquals("2 shards", Counted.of(2, "shard"));
    }

    @Test
    void secondsHaveATenth() {
        assertEquals("0.0 s", Counted.seconds(12));
        assertEquals("12.3 s", Counted.seconds(12_349));
    }

    @Test
    void millisecondsHaveThreeDecimals() {
        assertEquals("0.003", Counted.millis(3));
        assertEquals("12345.600", Counted.millis(12_345_600));
    }
}
