package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.TermId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VacancyTest {
    private static final long LEASE = 1_600;

    private final Vacancy vacancy = new Vacancy(new LeaseTimes(LEASE, 300, true));

    private void reigns(long term, long now) {
        vacancy.look(new TermId(term, 1), false, now);
    }

    private void leaves(long term, long now) {
        vacancy.look(new TermId(term, 1), true, now);
    }

    private void assertOverFrom(long moment, int rank, boolean stopping) {
        assertFalse(vacancy.isOver(rank, stopping, moment - 1));
        assertTrue(vacancy.isOver(rank, stopping, moment));
    }

    @Test
    void candidatesClaimOneAfterTheOther() {
        reigns(1, 1_000);
        leaves(1, 2_000);
        leaves(1, 2_500);
        assertOverFrom(2_000, 0, false);
        assertOverFrom(2_800, 2, false);
    }

    @Test
    @DisplayName("COORD-16: while the cluster stops the record stays vacant for 11/16 of a lease")
    void theRecordStaysVacantWhileTheClusterStops() {
        reigns(1, 1_000);
        leaves(1, 2_000);
        assertOverFrom(3_100, 0, true);
        assertOverFrom(3_300, 2, true);
    }

    @Test
    @DisplayName("COORD-16: leases that a reign of a moment has not renewed do not wait for another 11/16 of a lease")
    void aShortReignDoesNotProlongTheWait() {
        leaves(1, 2_000);
        reigns(2, 3_110);
        leaves(2, 3_150);
        assertOverFrom(3_150, 0, true);
        assertOverFrom(3_350, 2, true);
        reigns(3, 3_160);
        leaves(3, 3_180);
        assertOverFrom(3_180, 0, true);
    }

    @Test
    void whatIsLeftOfTheWaitIsWaitedForAfterAShortReign() {
        leaves(1, 2_000);
        reigns(2, 2_300);
        leaves(2, 2_699);
        assertOverFrom(3_100, 0, true);
    }

    @Test
    void aReignInWhichAllLeasesAreRenewedBeginsTheWaitAnew() {
        leaves(1, 2_000);
        reigns(2, 3_100);
        leaves(2, 3_500);
        assertOverFrom(4_600, 0, true);
    }

    /** A process that has just started knows no record, or one whose owner its first view does not have. */
    @Test
    void aReignWhoseBeginningWasNotSeenWasNotShort() {
        vacancy.look(null, true, 2_000);
        reigns(1, 2_020);
        leaves(1, 2_100);
        assertOverFrom(3_200, 0, true);
        reigns(1, 2_150);
        leaves(1, 2_200);
        assertOverFrom(3_300, 0, true);
    }

    @Test
    @DisplayName("a newcomer that has seen no reign waits for a lease where a minority may go on, and only there")
    void aNewcomerWaitsForTheStoppedToGiveTheCachesUp() {
        leaves(1, 2_000);
        assertOverFrom(2_000, 0, false);
        vacancy.minorityMayGoOn(true);
        assertOverFrom(2_000 + LEASE, 0, false);
        reigns(2, 3_000);
        leaves(2, 4_000);
        assertOverFrom(4_000, 0, false);
    }

    @Test
    @DisplayName("a cluster without a record has its first reign at once, also where a minority may go on")
    void theFirstReignDoesNotWait() {
        vacancy.minorityMayGoOn(true);
        vacancy.look(null, true, 2_000);
        assertOverFrom(2_000, 0, false);
    }
}
