package io.shardbus.runtime.control;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LivenessTest {
    private long now;
    private final Liveness liveness = new Liveness(8_000, () -> now);

    @Test
    void aControlPlaneThatDoesNotRunForTenLeasesIsBlocked() {
        now = 500_000;
        assertNull(liveness.blocked(), "it has not begun");
        liveness.ticked();
        now += 79_999;
        assertNull(liveness.blocked());
        now++;
        assertTrue(String.valueOf(liveness.blocked()).contains("blocked for 80 s"));
        liveness.ticked();
        assertNull(liveness.blocked());
        now += 80_000;
        liveness.ended();
        assertNull(liveness.blocked(), "it need not run");
    }
}
