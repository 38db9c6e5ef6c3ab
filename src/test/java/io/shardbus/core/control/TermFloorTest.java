package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TermFloorTest {
    private static final long NOON = 1_800_000_000_000L;
    private static final long YEAR = 31_536_000_000L;
    private static final long DAY = TermNumbers.LEAD;

    private final TermFloor floor = new TermFloor();

    private static TermRecord record(long term) {
        return new TermRecord(term, new NodeId("a"), 10, 0, 8_000, null);
    }

    private long now = 1_000;

    /** Claims the next term. */
    private long claim(TermRecord record, boolean outdated) {
        long number = floor.next(record, 0, outdated, now);
        floor.tries(new TermId(number, 1));
        return number;
    }

    @Test
    @DisplayName("a first claim by a clock that is a year ahead counts no more where another one was first")
    void aFirstClaimThatAnotherForestalledMovesNoTerms() {
        floor.wallClock(NOON + YEAR);
        assertEquals(NOON + YEAR + 1, claim(null, false));
        floor.meet(new TermId(NOON, 2));
        assertEquals(NOON + 1, claim(record(NOON), false));
        assertEquals(NOON + 2, claim(record(NOON), false), "a claim exceeds the one before it");
    }

    @Test
    void aClaimOfUnknownOutcomeIsExceededWhereOthersMayHaveReigned() {
        floor.wallClock(NOON + YEAR);
        floor.meet(new TermId(NOON, 2));
        long first = claim(record(NOON), true);
        assertEquals(NOON + DAY + 1, first);
        assertEquals(first + 1, claim(record(NOON), true), "no second day");
        assertEquals(first + 2, claim(record(NOON), false));
    }

    @Test
    @DisplayName("a clock that is a year ahead moves terms by one day, also if a record shows its claims later")
    void aClaimThatTookHoldUnnoticedGivesTheClockNoSecondDay() {
        floor.wallClock(NOON + YEAR);
        floor.meet(new TermId(NOON, 2));
        long first = claim(record(NOON), true);
        now += 60_000;
        floor.meet(new TermId(first + 1, 2));
        long second = claim(record(first + 1), true);
        assertEquals(first + 60_000, second, "as far as time has passed");
        for (int i = 0; i < 100; i++) {
            now += 1_000;
            floor.meet(new TermId(second, 1));
            second = claim(record(second), true);
        }
        assertEquals(first + 160_000, second);
    }

    @Test
    @DisplayName("terms that others have taken further than this clock are exceeded by a day again")
    void aTermOfAnotherClockAboveTheCeilingIsTheBeginningOfAnotherDay() {
        floor.wallClock(NOON + YEAR);
        floor.meet(new TermId(NOON, 2));
        claim(record(NOON), true);
        now += 60_000;
        long others = NOON + 2 * DAY;
        floor.meet(new TermId(others, 2));
        assertEquals(others + DAY + 1, claim(record(others), true));
    }

    @Test
    @DisplayName("what others can have reached while this process was cut off is below its next claim")
    void aRightClockCountsInFullAfterACutAndAnother() {
        floor.wallClock(NOON + 20 * 3_600_000);
        floor.meet(new TermId(NOON, 2));
        long first = claim(record(NOON), true);
        assertEquals(NOON + 20 * 3_600_000 + 1, first);
        now += 20 * 3_600_000;
        floor.wallClock(NOON + 40 * 3_600_000);
        long highestOfOthers = first + 20 * 3_600_000;
        assertEquals(highestOfOthers, claim(record(first), true), "the time is there, with any record");
    }

    @Test
    void aClaimAboveAStoreIsExceededHoweverFarAheadTheStoreIs() {
        floor.wallClock(NOON);
        floor.meet(new TermId(5, 2));
        floor.raise(NOON, record(5), 0);
        long first = claim(record(5), false);
        assertEquals(NOON + 1, first);
        assertNotEquals(first, claim(record(5), false));
    }
}
