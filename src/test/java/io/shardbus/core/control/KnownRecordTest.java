package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import io.shardbus.model.TermRecord;
import org.junit.jupiter.api.Test;

class KnownRecordTest {
    private final KnownRecord known = new KnownRecord();

    private static TermRecord beat(long beat) {
        return new TermRecord(5, new NodeId("b"), 20, beat);
    }

    @Test
    void standsThereSinceItWasFirstRead() {
        assertFalse(known.isRead());
        known.read(beat(1), 10);
        known.read(beat(1), 20);
        assertTrue(known.isRead());
        assertEquals(15, known.unchangedFor(25));
        known.read(beat(2), 30);
        assertEquals(30, known.since());
        known.read(null, 40);
        assertNull(known.record());
        assertEquals(40, known.since());
    }

    @Test
    void standsThereSinceAReplicaShowedIt() {
        known.sight(beat(1), 3);
        known.read(beat(0), 5);
        known.sight(beat(1), 10);
        known.sight(beat(1), 20);
        known.read(beat(1), 30);
        assertEquals(10, known.since(), "not what was sighted before the first read");
    }

    @Test
    void isSeenForTheFirstTimeAfterADoubt() {
        known.read(beat(1), 10);
        known.sight(beat(2), 20);
        known.seeAnew();
        assertFalse(known.isRead());
        assertNull(known.record());
        known.read(beat(2), 30);
        assertEquals(30, known.since());
    }

    @Test
    void theOwnRecordStandsThereSinceItsLastWriteUnlessThatIsInDoubt() {
        known.readOwn(beat(1), 4, 10);
        assertEquals(4, known.since());
        known.seeAnew();
        known.readOwn(beat(1), 4, 20);
        assertEquals(20, known.since());
        known.claimed();
        known.readOwn(beat(2), 15, 30);
        assertEquals(15, known.since());
    }

    @Test
    void isReadAgainWhenAsked() {
        known.read(beat(1), 10);
        known.readAgain();
        assertFalse(known.isRead());
        assertEquals(beat(1), known.record(), "what it was is still known");
    }
}
