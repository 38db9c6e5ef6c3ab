package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.ElectionCommand.TermBelieved;
import io.shardbus.core.control.ElectionCommand.TermRefused;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases of a second: terms are heard for a second time 50 ms later at the earliest. */
class HeardTermsTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final long WALL = 1_000_000;
    private static final TermId NEXT = new TermId(1_000_001, 7);

    private final HeardTerms heard = new HeardTerms(new LeaseTimes(1_000, 300, true));

    @BeforeEach
    void aReignIsRecorded() {
        heard.shown(record(1_000_000, A));
    }

    private static TermRecord record(long term, NodeId owner) {
        return new TermRecord(term, owner, 7, 0);
    }

    @Test
    void whatTheRecordShowsIsBelievedWithTheOwnerThatItShows() {
        assertTrue(heard.hear(NEXT, A, WALL, 10), "the record is to be read");
        assertNull(heard.take());
        assertTrue(heard.awaitsRecordSince(10));
        heard.shown(record(NEXT.number(), B));
        assertEquals(new TermBelieved(NEXT, B), heard.take());
        assertNull(heard.take(), "told once");
    }

    @Test
    void whatTheRecordHasShownBeforeIsBelievedAtOnce() {
        heard.shown(record(NEXT.number() + 1, B));
        assertFalse(heard.hear(NEXT, A, WALL, 10));
        assertEquals(new TermBelieved(NEXT, A), heard.take());
    }

    @Test
    void whatTheRecordDoesNotShowIsBelievedWhenItIsHeardAgain() {
        heard.hear(NEXT, A, WALL, 10);
        heard.shown(record(1_000_000, A));
        assertFalse(heard.hear(NEXT, A, WALL, 59), "one read is enough");
        assertNull(heard.take());
        heard.hear(NEXT, A, WALL, 60);
        assertEquals(new TermBelieved(NEXT, A), heard.take());
    }

    @Test
    void oneMessageAloneChangesNothing() {
        heard.hear(NEXT, A, WALL, 10);
        heard.hear(NEXT, A, WALL, 1_010);
        assertNull(heard.take(), "what was heard a lease ago is forgotten");
    }

    @Test
    void aTermAheadOfTheClockAndOfTheRecordIsRefusedHoweverOftenItIsHeard() {
        TermId ahead = new TermId(WALL + HeardTerms.LEAD + 1, 7);
        for (long now = 0; now < 1_000; now += 100) {
            assertFalse(heard.hear(ahead, A, WALL, now), "garbage has nothing read");
            assertEquals(new TermRefused(ahead), heard.take());
        }
    }

    @Test
    void aRecordThatIsAheadOfTheClockIsBelieved() {
        TermId ahead = new TermId(WALL + 365L * 86_400_000, 7);
        heard.hear(ahead, A, WALL, 10);
        heard.take();
        heard.shown(record(ahead.number(), B));
        heard.hear(ahead, A, WALL, 20);
        assertEquals(new TermBelieved(ahead, B), heard.take());
        TermId next = new TermId(ahead.number() + HeardTerms.STEPS, 9);
        heard.hear(next, A, WALL, 30);
        heard.hear(next, A, WALL, 80);
        assertEquals(new TermBelieved(next, A), heard.take(), "a few more than it shows");
    }

    @Test
    void aTermThatAStoreHasRaisedByADayOnOneSideOfASplitIsBelieved() {
        TermId raised = new TermId(WALL + TermNumbers.LEAD + 2, 7);
        heard.hear(raised, A, WALL, 10);
        heard.hear(raised, A, WALL, 60);
        assertEquals(new TermBelieved(raised, A), heard.take());
    }

    @Test
    void noTermIsSoHighThatThereIsNoNextOne() {
        TermId highest = new TermId(Long.MAX_VALUE, 1);
        assertFalse(heard.hear(highest, A, Long.MAX_VALUE - HeardTerms.LEAD, 10));
        assertEquals(new TermRefused(highest), heard.take());
        TermId negative = new TermId(1_000_001, -1);
        assertFalse(heard.hear(negative, A, WALL, 10));
        assertEquals(new TermRefused(negative), heard.take());
    }
}
