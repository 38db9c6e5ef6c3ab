package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnsettledCachesTest {
    private static final UnsettledCaches.Topology A3 = new UnsettledCaches.Topology("a", 3);
    private static final UnsettledCaches.Topology A4 = new UnsettledCaches.Topology("a", 4);
    private static final UnsettledCaches.Topology B3 = new UnsettledCaches.Topology("b", 3);

    private final UnsettledCaches caches = new UnsettledCaches();

    private void quietly(int looks, UnsettledCaches.Topology... unsettled) {
        for (int i = 0; i < looks; i++) {
            assertEquals(Optional.empty(), caches.look(List.of(unsettled)));
        }
    }

    @Test
    void oneThatStaysInItsTopologyIsStuckAndIsCountedAnew() {
        quietly(UnsettledCaches.LOOKS_BEFORE_RECOVERY, A3);
        assertEquals(Optional.of(A3), caches.look(List.of(A3)));
        quietly(UnsettledCaches.LOOKS_BEFORE_RECOVERY, A3);
        assertEquals(Optional.of(A3), caches.look(List.of(A3)));
    }

    @Test
    void oneThatGoesOnIsNotStuck() {
        quietly(UnsettledCaches.LOOKS_BEFORE_RECOVERY, A3);
        quietly(UnsettledCaches.LOOKS_BEFORE_RECOVERY, A4);
        quietly(1);
        quietly(UnsettledCaches.LOOKS_BEFORE_RECOVERY, A4);
    }

    @Test
    void eachIsCountedByItself() {
        quietly(5, A3);
        quietly(5, A3, B3);
        assertEquals(Optional.of(A3), caches.look(List.of(A3, B3)));
    }
}
