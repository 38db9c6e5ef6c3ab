package io.shardbus.core.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The room of a delivery queue's partition")
class QueueRoomTest {
    private final QueueRoom room = new QueueRoom();

    @Test
    @DisplayName("is not known before the store was asked, and admits nothing until then")
    void unknown() {
        assertTrue(room.isLookDue(0, 1, 0));
        assertFalse(room.admits(0, 1));
        room.failed(0);
        assertTrue(room.isLookDue(0, 1, 0), "a failed look is tried again while nothing is known");
    }

    @Test
    @DisplayName("shrinks with each command behind the last look, and ends at the limit")
    void shrinks() {
        room.looked(100, 1_000, 0, 0);
        assertEquals(150, room.unconfirmed(1_050));
        assertTrue(room.admits(1_050, QueueRoom.MOST - 150));
        assertFalse(room.admits(1_050, QueueRoom.MOST - 149));
    }

    @Test
    @DisplayName("is exact only after a look during which no command was on its way to the store")
    void exact() {
        assertFalse(room.isExact());
        room.looked(100, 1_000, 0, 0);
        assertTrue(room.isExact());
        room.looked(100, 1_000, 1, 0);
        assertFalse(room.isExact());
    }

    @Test
    @DisplayName("is looked at again from half the limit on, at most every 50 ms, also when a look failed")
    void looks() {
        room.looked(0, 0, 0, 0);
        assertFalse(room.isLookDue(4_000, 999, 60_000));
        assertTrue(room.isLookDue(4_000, 1_000, QueueRoom.LOOK_PAUSE_MS));
        assertFalse(room.isLookDue(4_000, 1_000, QueueRoom.LOOK_PAUSE_MS - 1));
        room.failed(100);
        assertFalse(room.isLookDue(4_000, 1_000, 149));
        assertEquals(4_000, room.unconfirmed(4_000), "what is known stays");
    }
}
