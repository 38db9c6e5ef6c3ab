package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RunningCodeTest {
    private static final int DEEP = 100;

    private final RunningCode running = new RunningCode();

    @Test
    void whatRanBeforeHasTheThreadAgain() {
        assertFalse(running.isOf(0));
        for (int shard = 0; shard < DEEP; shard++) {
            running.changes(shard);
        }
        for (int shard = DEEP - 1; shard >= 0; shard--) {
            assertTrue(running.isAny());
            assertTrue(running.isOf(shard));
            assertFalse(running.isOf(shard + 1));
            running.changes(-1);
        }
        assertFalse(running.isAny());
        assertFalse(running.isOf(0));
    }
}
