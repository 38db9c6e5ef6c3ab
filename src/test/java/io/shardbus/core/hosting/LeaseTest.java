package io.shardbus.core.hosting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LeaseTest {
    private final Lease granted = Lease.NONE.extended(100, 0);

    @Test
    void isHeldUntilItsEnd() {
        assertFalse(Lease.NONE.isHeld(0, 0));
        assertTrue(granted.isHeld(0, 99));
        assertFalse(granted.isHeld(0, 100));
    }

    @Test
    void isExtendedWhileItHoldsAndNeverShortened() {
        assertTrue(granted.extended(200, 99).isHeld(0, 199));
        assertEquals(granted, granted.extended(50, 10));
    }

    @Test
    void doesNotComeBackOnceItHasEnded() {
        assertEquals(granted, granted.extended(200, 100));
    }

    @Test
    void theNextOneIsNotForWhatWasHostedBeforeALapse() {
        Lease next = granted.lapsed().extended(200, 100);
        assertFalse(granted.lapsed().isHeld(1, 0), "not before it is granted");
        assertTrue(next.isHeld(1, 150));
        assertFalse(next.isHeld(0, 150));
    }
}
