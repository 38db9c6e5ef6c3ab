package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TermNumbersTest {
    private static final long NOON = 1_700_000_000_000L;
    private static final long YEAR = 31_536_000_000L;

    private static TermRecord record(long term, long beat) {
        return new TermRecord(term, new NodeId("a"), 10, beat, 8_000, null);
    }

    private static long next(TermRecord record, long unchangedFor, long wall) {
        return TermNumbers.next(record, unchangedFor, record.termId(), wall);
    }

    @Test
    void theFirstTermOfAClusterIsAboveTheWallClock() {
        assertEquals(NOON + 1, TermNumbers.next(null, 0, TermId.NONE, NOON));
    }

    @Test
    void aTermFollowsTheWallClockAsFarAsTheRecordSaysThatTimeHasPassed() {
        assertEquals(
                NOON + 8_000 + 1, next(record(NOON, 10), 500, NOON + 8_000), "eight seconds and a half have passed");
        assertEquals(NOON + 8_500 + 1, next(record(NOON, 10), 500, NOON + YEAR), "no year has passed");
    }

    @Test
    void aTermRisesByOneWhereTheWallClockIsBehind() {
        assertEquals(NOON + 1, next(record(NOON, 10), 500, NOON - YEAR));
    }

    @Test
    void aTermRisesOverEveryTermThatWasHeardOf() {
        assertEquals(NOON + 101, TermNumbers.next(record(NOON, 0), 0, new TermId(NOON + 100, 1), NOON));
    }

    @Test
    void afterTheRecordIsLostATermRisesOverThoseHeardOf() {
        assertEquals(NOON + 1, TermNumbers.next(null, 0, new TermId(NOON, 1), NOON + YEAR));
    }

    @Test
    void claimsInTurnByARightClockAndOneThatIsAYearAheadDoNotOutrunTheTime() {
        long now = NOON;
        TermRecord present = record(TermNumbers.next(null, 0, TermId.NONE, now), 0);
        for (int claim = 0; claim < 1_000; claim++) {
            now += 8_000;
            present = record(next(record(present.term(), 10), 0, claim % 2 == 0 ? now + YEAR : now), 0);
        }
        assertEquals(now + 1, present.term());
    }

    @Test
    void whereOthersMayHaveReignedATermFollowsTheWallClockForADay() {
        TermRecord record = record(NOON, 10);
        TermId heard = new TermId(NOON + 100, 1);
        assertEquals(NOON + YEAR + 1, TermNumbers.nextAfterUnknown(null, 0, TermId.NONE, TermId.NONE, NOON + YEAR));
        assertEquals(NOON + 3_600_001, TermNumbers.nextAfterUnknown(record, 500, heard, TermId.NONE, NOON + 3_600_000));
        long day = TermNumbers.LEAD;
        assertEquals(NOON + day + 8_501, TermNumbers.nextAfterUnknown(record, 500, heard, TermId.NONE, NOON + YEAR));
        assertEquals(NOON + day + 101, TermNumbers.nextAfterUnknown(null, 0, heard, TermId.NONE, NOON + YEAR));
        assertEquals(NOON + 101, TermNumbers.nextAfterUnknown(record, 500, heard, TermId.NONE, NOON - YEAR));
    }

    @Test
    @DisplayName("claims of unknown outcome in a row follow a clock that is a year ahead for one day together")
    void claimsOfUnknownOutcomeFollowTheWallClockForOneDayTogether() {
        TermRecord record = record(NOON, 10);
        TermId tried = TermId.NONE;
        for (int claim = 0; claim < 100; claim++) {
            long term = TermNumbers.nextAfterUnknown(record, 500, record.termId(), tried, NOON + YEAR);
            assertTrue(term > tried.number());
            tried = new TermId(term, 1);
        }
        assertEquals(NOON + TermNumbers.LEAD + 8_500 + 100, tried.number());
    }

    @Test
    @DisplayName("a claim of unknown outcome for the first term of all bounds no later one by the wall clock")
    void anUnknownFirstClaimDoesNotHoldTheWallClockBack() {
        TermId tried = new TermId(NOON + 1, 1);
        assertEquals(NOON + 2, TermNumbers.nextAfterUnknown(null, 0, TermId.NONE, tried, NOON));
        assertEquals(NOON + 9_001, TermNumbers.nextAfterUnknown(null, 0, TermId.NONE, tried, NOON + 9_000));
    }

    @Test
    @DisplayName("terms of a clock that was never set do not bound a store's once it is set")
    void aStoreIsBelievedBesideTermsOfAClockThatWasNeverSet() {
        long day = TermNumbers.LEAD;
        TermRecord of1970 = record(60_000, 10);
        long now = TermNumbers.CLOCKS_SET_FROM + YEAR;
        assertEquals(now + day, TermNumbers.mostOfStore(of1970, 500, of1970.termId(), now));
        assertEquals(
                68_500 + 2 * day,
                TermNumbers.mostOfStore(of1970, 500, of1970.termId(), TermNumbers.CLOCKS_SET_FROM - 1),
                "the clock is not set yet");
        TermRecord ofNow = record(now - YEAR, 10);
        assertEquals(
                now - YEAR + 8_500 + 2 * day,
                TermNumbers.mostOfStore(ofNow, 500, ofNow.termId(), now),
                "the record's clock was set: that of now may be a year ahead");
    }

    @Test
    void aReleasedRecordSaysNothingOfTheTimeThatPassed() {
        assertEquals(NOON + 501, next(record(NOON, TermRecord.RELEASED), 500, NOON + YEAR));
    }
}
