package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
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
        assertEquals(NOON + YEAR + 1, TermNumbers.nextAfterUnknown(null, 0, TermId.NONE, NOON + YEAR));
        assertEquals(NOON + 3_600_001, TermNumbers.nextAfterUnknown(record, 500, heard, NOON + 3_600_000));
        long day = TermNumbers.LEAD;
        assertEquals(NOON + day + 8_501, TermNumbers.nextAfterUnknown(record, 500, heard, NOON + YEAR));
        assertEquals(NOON + day + 101, TermNumbers.nextAfterUnknown(null, 0, heard, NOON + YEAR));
        assertEquals(NOON + 101, TermNumbers.nextAfterUnknown(record, 500, heard, NOON - YEAR));
    }

    @Test
    void aReleasedRecordSaysNothingOfTheTimeThatPassed() {
        assertEquals(NOON + 501, next(record(NOON, TermRecord.RELEASED), 500, NOON + YEAR));
    }
}
