package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OwnClaimTest {
    private final OwnClaim claim = new OwnClaim(Elections.TIMES);

    private void write(long sent) {
        claim.begin(OwnClaim.Predecessor.UNKNOWN, -50);
        claim.sent(Elections.OF_A);
        claim.tookHold(sent);
    }

    @Test
    void hasAuthorityOnceItIsVerifiedAndForALeaseAfterItsWrite() {
        write(10);
        assertTrue(claim.isVerifying());
        assertFalse(claim.hasAuthority(20));
        assertTrue(claim.isProvenBy(Elections.OF_A, 20));
        claim.prevailed(-100);
        assertTrue(claim.hasAuthority(1_009));
        assertFalse(claim.hasAuthority(1_010));
        claim.tookHold(300);
        assertTrue(claim.isReign());
        assertTrue(claim.hasAuthority(1_299));
    }

    @Test
    void isNotProvenByAnotherRecordNorTooLate() {
        write(10);
        assertFalse(claim.isProvenBy(null, 20));
        assertFalse(claim.isProvenBy(Elections.record(1, Elections.B, 10, 0), 20));
        assertFalse(claim.isProvenBy(Elections.OF_A, 1_010));
    }

    @Test
    void aWriteThatMayHaveMissedEndsAClaimAndNoReign() {
        claim.begin(OwnClaim.Predecessor.UNKNOWN, 0);
        claim.sent(Elections.OF_A);
        claim.missed();
        assertTrue(claim.isNone());
        assertTrue(claim.isOwn(Elections.OF_A), "it may have taken hold all the same");
        write(10);
        claim.prevailed(0);
        claim.missed();
        assertTrue(claim.isReign());
    }

    @Test
    void theNextConfirmationIsDueAtOnceAfterAChangeAmongTheNodes() {
        write(10);
        long usual = 10 + Elections.TIMES.confirmInterval();
        assertEquals(usual, claim.nextConfirmation(20));
        claim.confirmAfter(15);
        assertEquals(20, claim.nextConfirmation(20));
        claim.tookHold(15);
        assertEquals(15 + Elections.TIMES.confirmInterval(), claim.nextConfirmation(20));
    }

    @Test
    void beatsRiseAlsoWhenAnEarlierRecordIsGoneOnFrom() {
        claim.sent(Elections.record(1, Elections.A, 10, 7));
        claim.goOnFrom(Elections.record(1, Elections.A, 10, 6));
        assertEquals(8, claim.nextBeat());
    }
}
