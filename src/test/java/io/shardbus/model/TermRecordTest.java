package io.shardbus.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TermRecordTest {
    private static final NodeId A = new NodeId("a");
    private static final TermRecord RECORD = new TermRecord(5, A, 7, 0);

    @Test
    void aBeatIsTheSameReign() {
        var next = RECORD.nextBeat();
        assertEquals(new TermRecord(5, A, 7, 1), next);
        assertTrue(next.isSameReign(RECORD));
    }

    @Test
    void anotherTermOwnerOrIncarnationIsAnotherReign() {
        assertFalse(RECORD.isSameReign(new TermRecord(6, A, 7, 0)));
        assertFalse(RECORD.isSameReign(new TermRecord(5, new NodeId("b"), 7, 0)));
        assertFalse(RECORD.isSameReign(new TermRecord(5, A, 8, 0)));
    }

    @Test
    void refusesWhatCannotBe() {
        assertThrows(IllegalArgumentException.class, () -> new TermRecord(0, A, 7, 0));
        assertThrows(IllegalArgumentException.class, () -> new TermRecord(1, A, 7, -2));
        assertThrows(IllegalArgumentException.class, () -> new TermRecord(1, A, 7, 0, 0, null));
        assertThrows(NullPointerException.class, () -> new TermRecord(1, null, 7, 0));
    }
}
