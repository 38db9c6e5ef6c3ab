package io.shardbus.core.control;

import static io.shardbus.core.control.Elections.A;
import static io.shardbus.core.control.Elections.B;
import static io.shardbus.core.control.Elections.C;
import static io.shardbus.core.control.Elections.OF_A;
import static io.shardbus.core.control.Elections.TIMES;
import static io.shardbus.core.control.Elections.record;
import static io.shardbus.core.control.Elections.reign;
import static io.shardbus.core.control.Elections.view;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.Election.Outcome;
import io.shardbus.core.control.ElectionCommand.Begin;
import io.shardbus.core.control.ElectionCommand.Confirmed;
import io.shardbus.core.control.ElectionCommand.Read;
import io.shardbus.core.control.ElectionCommand.Replace;
import io.shardbus.core.control.ElectionCommand.StepDown;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ElectionTest {
    private final Election election = Elections.ofA();

    @Test
    @DisplayName("LEASE-06 LEASE-07 a reign begins when the claim has returned true and was read again, not before")
    void claimsConfirmsAndBegins() {
        reign(election);
        assertTrue(election.reigns(1_009));
        assertFalse(election.reigns(1_010), "authority runs from the moment at which the write was sent");
    }

    @Test
    void waitsForLeasesOfAPredecessorFromTheReadThatFirstShowedItsLastConfirmation() {
        TermRecord before = record(5, B, 20, 3);
        election.viewChanged(view(A), false, false, 0);
        election.readCompleted(1, before, 10);
        election.replaceCompleted(2, Outcome.WRITTEN, 20);
        List<ElectionCommand> commands = election.readCompleted(3, record(6, A, 10, 0), 400);
        assertEquals(new Begin(new TermId(6, 10), new TermId(5, 20), 10, 10), commands.get(0));
    }

    /** The primary owner froze before A could read the confirmation; A's own replica had it. */
    @Test
    void waitsForLeasesFromTheSightingOfTheLastConfirmationWhereItWasReadLater() {
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, record(5, B, 20, 3), 10);
        election.recordSighted(record(5, B, 20, 4), 60);
        election.viewChanged(view(A), false, false, 900);
        election.replaceCompleted(2, Outcome.UNEQUAL, 905);
        election.readCompleted(3, record(5, B, 20, 4), 910);
        election.replaceCompleted(4, Outcome.WRITTEN, 920);
        Begin begin =
                (Begin) election.readCompleted(5, record(7, A, 10, 0), 930).get(0);
        assertEquals(60, begin.waitFrom());
    }

    @Test
    void aSightingOfAnotherConfirmationThanTheOneReadSaysNothing() {
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, record(5, B, 20, 3), 10);
        election.recordSighted(record(5, B, 20, 4), 60);
        election.viewChanged(view(A), false, false, 900);
        election.replaceCompleted(2, Outcome.UNEQUAL, 905);
        election.readCompleted(3, record(5, B, 20, 5), 910);
        election.replaceCompleted(4, Outcome.WRITTEN, 920);
        Begin begin =
                (Begin) election.readCompleted(5, record(7, A, 10, 0), 930).get(0);
        assertEquals(910, begin.waitFrom());
    }

    /** What a replica shows right after a merge may be older than what the other side wrote and lost. */
    @Test
    void aSightingBeforeTheFirstReadAfterAMergeSaysNothing() {
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, record(5, B, 20, 3), 10);
        election.recordSighted(record(5, B, 20, 4), 60);
        election.viewChanged(view(A, B), false, true, 800);
        election.recordSighted(record(5, B, 20, 4), 810);
        election.viewChanged(view(A), false, false, 900);
        election.readCompleted(2, record(5, B, 20, 4), 910);
        election.replaceCompleted(3, Outcome.WRITTEN, 920);
        Begin begin =
                (Begin) election.readCompleted(4, record(6, A, 10, 0), 930).get(0);
        assertEquals(910, begin.waitFrom());
    }

    /** Otherwise a sighting of the first write would speak for the second. */
    @Test
    void noTwoConfirmationsAreEqualAlsoWhereTheFirstWasLost() {
        reign(election);
        assertEquals(List.of(new Replace(4, OF_A, record(1, A, 10, 1))), election.tick(110));
        election.replaceCompleted(4, Outcome.UNKNOWN, 200);
        election.readCompleted(5, OF_A, 210);
        assertEquals(List.of(new Replace(6, OF_A, record(1, A, 10, 2))), election.tick(310));
    }

    /** B's leases last five times as long as A's. */
    private static TermRecord longLeasesOfB(long beat) {
        return new TermRecord(5, B, 20, beat, 5 * TIMES.lease(), null);
    }

    @Test
    void aPredecessorsLongerLeasesAreAwaitedAndTheRecordSaysSoUntilTheyHaveRunOut() {
        election.viewChanged(view(A), false, false, 0);
        TermRecord claim = new TermRecord(6, A, 10, 0, 5_000, null);
        assertEquals(List.of(new Replace(2, longLeasesOfB(3), claim)), election.readCompleted(1, longLeasesOfB(3), 10));
        election.replaceCompleted(2, Outcome.WRITTEN, 20);
        Begin begin = (Begin) election.readCompleted(3, claim, 30).get(0);
        assertEquals(10 + 5_500 - 1_100, begin.waitFrom(), "from here on it waits for a lease of its own and a margin");
        TermRecord last = claim;
        for (long now = 110; now <= 5_610; now += 100) {
            Replace confirmation = (Replace) election.tick(now).get(0);
            assertEquals(now < 5_510 ? 5_000 : 1_000, confirmation.next().leaseMillis(), "at " + now);
            assertEquals(last, confirmation.expected());
            last = confirmation.next();
            election.replaceCompleted(confirmation.operation(), Outcome.WRITTEN, now);
        }
    }

    @Test
    void aClaimThatFailedAfterALongerReignStillSpeaksForItsLeases() {
        TermRecord failed = new TermRecord(6, C, 30, 0, 5_000, null);
        election.viewChanged(view(A), false, false, 0);
        Replace claim = (Replace) election.readCompleted(1, failed, 10).get(0);
        assertEquals(5_000, claim.next().leaseMillis());
    }

    @Test
    void anIncumbentWithLongerLeasesHasAsMuchLongerToConfirm() {
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, longLeasesOfB(3), 10);
        election.tick(4_900);
        assertEquals(List.of(), election.readCompleted(2, longLeasesOfB(3), 4_920));
        assertEquals(Replace.class, election.tick(5_020).get(0).getClass());
    }

    @Test
    void confirmsEveryTenthOfALease() {
        reign(election);
        assertEquals(List.of(), election.tick(109));
        assertEquals(List.of(new Replace(4, OF_A, record(1, A, 10, 1))), election.tick(110));
        assertEquals(
                List.of(new Confirmed(new TermId(1, 10), 110)), election.replaceCompleted(4, Outcome.WRITTEN, 140));
    }

    @Test
    void readsAgainAfterAnUnknownOutcomeAndGoesOnFromWhatIsThere() {
        reign(election);
        election.tick(110);
        assertEquals(List.of(new Read(5)), election.replaceCompleted(4, Outcome.UNKNOWN, 200));
        TermRecord applied = record(1, A, 10, 1);
        election.readCompleted(5, applied, 210);
        assertEquals(List.of(new Replace(6, applied, record(1, A, 10, 2))), election.tick(310));
    }

    @Test
    @DisplayName("LEASE-08 a lost record ends the reign")
    void stepsDownWhenTheRecordShowsAnother() {
        reign(election);
        election.tick(110);
        election.replaceCompleted(4, Outcome.UNEQUAL, 120);
        List<ElectionCommand> commands = election.readCompleted(5, record(2, B, 20, 0), 130);
        assertEquals(new TermId(1, 10), ((StepDown) commands.get(0)).term());
    }

    @Test
    void stepsDownWhenItCouldNotConfirm() {
        reign(election);
        election.tick(110);
        assertEquals(StepDown.class, election.tick(1_010).get(0).getClass());
    }

    @Test
    void stepsDownBeforeAHigherTermOnAMessageNotOnItsView() {
        reign(election);
        election.termHeard(new TermId(2, 20), B, 40);
        assertTrue(election.reigns(40), "the first message may be made up");
        assertEquals(
                StepDown.class,
                election.termHeard(new TermId(2, 20), B, 100).get(0).getClass());
        assertFalse(election.reigns(100));
    }

    @Test
    void stepsDownWithoutAMajorityAndAfterAMerge() {
        reign(election);
        ElectionView alone = new ElectionView(List.of(A), List.of(A), false);
        assertEquals(
                StepDown.class,
                election.viewChanged(alone, true, false, 50).get(0).getClass());
        Election merged = new Election(A, 10, true, Seats.ALONE, TIMES, 0);
        merged.viewChanged(view(A), false, false, 0);
        merged.readCompleted(1, null, 10);
        merged.replaceCompleted(2, Outcome.WRITTEN, 20);
        merged.readCompleted(3, OF_A, 30);
        assertEquals(
                StepDown.class,
                merged.viewChanged(view(A, B), false, true, 40).get(0).getClass());
    }

    /** The replica of a side that did not go on shows what was there before the cut. */
    @Test
    void theRecordAfterAMergeIsSeenForTheFirstTimeWhetherTheCachesAreAvailableAlreadyOrNot() {
        TermRecord before = record(5, B, 20, 3);
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, before, 10);
        election.viewChanged(new ElectionView(List.of(A), List.of(A), false), true, false, 20);
        election.viewChanged(new ElectionView(List.of(A, B), List.of(A, B), false), false, true, 5_000);
        assertEquals(List.of(new Read(2)), election.viewChanged(view(A), false, false, 5_001));
        assertEquals(List.of(new Replace(3, before, record(6, A, 10, 0))), election.readCompleted(2, before, 5_010));
        assertEquals(List.of(new Read(4)), election.replaceCompleted(3, Outcome.WRITTEN, 5_020));
        List<ElectionCommand> commands = election.readCompleted(4, record(6, A, 10, 0), 5_030);
        assertEquals(new Begin(new TermId(6, 10), new TermId(5, 20), 5_010, 5_010), commands.get(0));
    }

    @Test
    void aRecordThatWasThereAndIsLostSaysNothingOfItsLeases() {
        election.viewChanged(view(A), false, false, 0);
        election.termHeard(new TermId(4, 7), B, 5);
        election.termHeard(new TermId(4, 7), B, 60);
        assertEquals(List.of(new Replace(2, null, record(5, A, 10, 0))), election.readCompleted(1, null, 70));
        election.replaceCompleted(2, Outcome.WRITTEN, 80);
        List<ElectionCommand> commands = election.readCompleted(3, record(5, A, 10, 0), 90);
        assertEquals(new Begin(new TermId(5, 10), TermId.NONE, 70, 70), commands.get(0));
    }

    @Test
    void claimsNothingWhileALossIsUndecided() {
        election.viewChanged(view(A), true, false, 0);
        assertEquals(List.of(), election.readCompleted(1, null, 10));
        assertEquals(Replace.class, election.tick(310).get(0).getClass());
    }

    @Test
    @DisplayName("SPLIT-46 no node claims before a loss is decided, however long that takes; who reigns goes on")
    void claimsNothingBeforeTheDecision() {
        election.lossUndecided(true, 0);
        election.viewChanged(view(A), true, false, 0);
        election.readCompleted(1, null, 10);
        assertEquals(List.of(new Read(2)), election.tick(5_000));
        election.readCompleted(2, null, 5_010);
        election.lossUndecided(false, 5_011);
        assertEquals(Replace.class, election.tick(5_110).get(0).getClass());
        Election reigning = new Election(A, 10, true, Seats.ALONE, TIMES, 0);
        reigning.viewChanged(view(A, B), false, false, 0);
        reigning.readCompleted(1, null, 10);
        reigning.replaceCompleted(2, Outcome.WRITTEN, 20);
        reigning.readCompleted(3, OF_A, 30);
        reigning.lossUndecided(true, 40);
        assertTrue(reigning.reigns(50));
    }

    @Test
    @DisplayName(
            "SPLIT-46 the doubt that ends with the view that brings the coordinator back lets no node claim over it")
    void claimsNotOverOneWhoIsBack() {
        TermRecord ofB = record(5, B, 20, 3);
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, ofB, 10);
        election.lossUndecided(true, 500);
        election.viewChanged(view(A), true, false, 500);
        election.readCompleted(2, ofB, 510);
        election.lossUndecided(false, 900);
        assertEquals(List.of(new Read(3)), election.viewChanged(view(A, B), false, true, 900));
        assertEquals(List.of(), election.readCompleted(3, ofB, 910));
    }

    @Test
    @DisplayName("where a minority may go on, no write that ends while a loss is undecided gives a reign time")
    void gainsNoTimeBeforeTheDecision() {
        election.minorityMayGoOn(true);
        reign(election);
        TermRecord confirmation = record(1, A, 10, 1);
        assertEquals(List.of(new Replace(4, OF_A, confirmation)), election.tick(110));
        election.lossUndecided(true, 120);
        assertEquals(List.of(), election.replaceCompleted(4, Outcome.WRITTEN, 130));
        assertEquals(List.of(), election.tick(800));
        assertTrue(election.reigns(1_009));
        assertFalse(election.reigns(1_010));
        election.lossUndecided(false, 900);
        assertEquals(List.of(new Replace(5, confirmation, record(1, A, 10, 2))), election.tick(900));
        election.replaceCompleted(5, Outcome.WRITTEN, 920);
        assertTrue(election.reigns(1_899));
    }

    @Test
    @DisplayName("where a minority may go on, a claim that ends while a loss is undecided is none")
    void beginsNothingBeforeTheDecision() {
        election.minorityMayGoOn(true);
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, null, 10);
        election.lossUndecided(true, 15);
        assertEquals(List.of(), election.replaceCompleted(2, Outcome.WRITTEN, 20));
        election.lossUndecided(false, 50);
        assertEquals(List.of(new Read(3)), election.tick(50));
    }

    @Test
    @DisplayName("where a minority may go on, a term waits for what the other side may have written as they parted")
    void waitsForTheWriteThatWasUnderWayAtTheLoss() {
        election.minorityMayGoOn(true);
        TermRecord before = record(5, B, 20, 3);
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, before, 10);
        election.lossUndecided(true, 500);
        election.viewChanged(view(A), true, false, 500);
        TermRecord claim = record(6, A, 10, 0);
        election.lossUndecided(false, 900);
        assertEquals(List.of(new Replace(2, before, claim)), election.tick(900));
        election.replaceCompleted(2, Outcome.WRITTEN, 920);
        assertEquals(
                new Begin(new TermId(6, 10), new TermId(5, 20), 600, 900),
                election.readCompleted(3, claim, 930).get(0));
    }

    @Test
    @DisplayName("where a minority may go on, the write that was under way came in the intervals of the other side")
    void waitsForTheWriteOfALongerReignThatWasUnderWayAtTheLoss() {
        election.minorityMayGoOn(true);
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, longLeasesOfB(3), 10);
        election.lossUndecided(true, 500);
        election.viewChanged(view(A), true, false, 500);
        election.lossUndecided(false, 900);
        Replace claim = (Replace) election.tick(900).get(0);
        election.replaceCompleted(2, Outcome.WRITTEN, 920);
        Begin begin = (Begin) election.readCompleted(3, claim.next(), 930).get(0);
        assertEquals(500 + 500 + 5_500 - 1_100, begin.waitFrom());
    }

    @Test
    void aNodeThatMayNotCoordinateOnlyReads() {
        Election observer = new Election(A, 10, false, Seats.ALONE, TIMES, 0);
        observer.viewChanged(view(A), false, false, 0);
        observer.readCompleted(1, null, 10);
        assertEquals(List.of(new Read(2)), observer.tick(2_000));
    }

    @Test
    void leavesAnIncumbentAloneWhileItsBeatMoves() {
        TermRecord ofB = record(5, B, 20, 3);
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, ofB, 10);
        assertEquals(List.of(new Read(2)), election.tick(900));
        election.readCompleted(2, record(5, B, 20, 4), 910);
        assertEquals(List.of(new Read(3)), election.tick(1_900));
    }

    @Test
    void claimsFromAnOwnerWhoseBeatStandsStill() {
        TermRecord ofB = record(5, B, 20, 3);
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, ofB, 10);
        election.tick(900);
        election.readCompleted(2, ofB, 1_005);
        assertEquals(List.of(new Replace(3, ofB, record(6, A, 10, 0))), election.tick(1_105));
    }

    @Test
    @DisplayName("LEASE-07 a refused claim is followed by another")
    void readsAnewWhenItsClaimLost() {
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, null, 10);
        assertEquals(List.of(new Read(3)), election.replaceCompleted(2, Outcome.UNEQUAL, 20));
    }

    @Test
    void doesNotBeginWhenAnotherWasFasterThanTheVerifyingRead() {
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, null, 10);
        election.replaceCompleted(2, Outcome.WRITTEN, 20);
        assertEquals(List.of(), election.readCompleted(3, record(2, B, 20, 0), 30));
        assertFalse(election.reigns(30));
    }

    @Test
    @DisplayName("LEASE-07 a request that fails is made again")
    void triesAgainLaterWhenTheStoreDoesNotAnswer() {
        election.viewChanged(view(A, B), false, false, 0);
        assertEquals(List.of(), election.readFailed(1, 10));
        assertEquals(List.of(new Read(2)), election.tick(110));
    }

    /** A coordinator that has left takes its copy of the record along: the first read after that may fail. */
    @Test
    void looksAtAVacantRecordAgainSoonAfterAReadThatFailed() {
        election.viewChanged(view(B, A), false, false, 0);
        election.readCompleted(1, record(1, C, 10, TermRecord.RELEASED), 10);
        assertEquals(List.of(new Read(2)), election.tick(10 + 100 / 8));
        election.readFailed(2, 50);
        assertEquals(List.of(), election.tick(50 + 100 / 8 - 1));
        assertEquals(List.of(new Read(3)), election.tick(50 + 100 / 8));
    }

    @Test
    @DisplayName("LEASE-09 a node that leaves releases the record")
    void marksTheRecordAsFreeWhenItResigns() {
        reign(election);
        List<ElectionCommand> commands = election.resign(50);
        assertEquals(StepDown.class, commands.get(0).getClass());
        assertEquals(new Replace(4, OF_A, record(1, A, 10, TermRecord.RELEASED)), commands.get(1));
        assertEquals(List.of(), election.tick(5_000), "it claims no more");
    }

    @Test
    void aNodeThatMustNotCoordinateAnyMoreReleasesTheRecordAndClaimsWhenItMayAgain() {
        reign(election);
        List<ElectionCommand> commands = election.stand(false, 50);
        assertEquals(StepDown.class, commands.get(0).getClass());
        assertEquals(new Replace(4, OF_A, record(1, A, 10, TermRecord.RELEASED)), commands.get(1));
        assertEquals(List.of(new Read(5)), election.replaceCompleted(4, Outcome.WRITTEN, 60));
        assertEquals(List.of(), election.readCompleted(5, record(1, A, 10, TermRecord.RELEASED), 70));
        assertEquals(Replace.class, election.stand(true, 80).get(0).getClass());
    }

    @Test
    void aNodeThatDoesNotKnowYetWhetherItMayCoordinateClaimsNothing() {
        election.standOnlyWhenAsked();
        election.viewChanged(view(A), false, false, 0);
        assertEquals(List.of(), election.readCompleted(1, null, 10));
        assertEquals(Replace.class, election.stand(true, 20).get(0).getClass());
    }

    @Test
    void aClaimThatIsBeingVerifiedEndsWithTheResignation() {
        election.viewChanged(view(A, B), false, false, 0);
        election.readCompleted(1, null, 10);
        election.replaceCompleted(2, Outcome.WRITTEN, 20);
        election.resign(25);
        assertEquals(List.of(), election.readCompleted(3, OF_A, 30));
        assertFalse(election.reigns(30));
    }

    @Test
    void termsRiseAboveTheWallClock() {
        election.wallClock(1_700_000_000_000L);
        election.viewChanged(view(A), false, false, 0);
        Replace claim = (Replace) election.readCompleted(1, null, 10).get(0);
        assertEquals(1_700_000_000_001L, claim.next().term());
    }

    @Test
    void aReignBelowAStoresTermEndsAndTheNextOneIsAboveIt() {
        reign(election);
        election.wallClock(5);
        long stored = 5 + TermNumbers.LEAD;
        assertTrue(election.exceed(stored, 30));
        List<ElectionCommand> commands = election.tick(40);
        assertEquals(StepDown.class, commands.get(0).getClass());
        assertEquals(new Read(4), commands.get(1));
        Replace claim = (Replace) election.readCompleted(4, OF_A, 50).get(0);
        assertEquals(stored + 1, claim.next().term());
        election.replaceCompleted(5, Outcome.WRITTEN, 60);
        election.readCompleted(6, claim.next(), 70);
        assertTrue(election.reigns(70));
        assertTrue(election.exceed(stored, 70), "its term is above the store's already");
        assertEquals(List.of(), election.tick(80));
        assertTrue(election.reigns(80));
    }

    @Test
    void aStoresTermThatIsMoreThanADayAheadIsNoFloor() {
        election.wallClock(5);
        assertFalse(election.exceed(6 + TermNumbers.LEAD, 0));
        election.wallClock(Long.MAX_VALUE - TermNumbers.LEAD);
        assertFalse(election.exceed(HeardTerms.HIGHEST, 0), "there is always a next one");
    }

    @Test
    void aClockThatIsAYearAheadMakesNoFloorOfAStoreThatIsAsWrong() {
        reign(election);
        election.wallClock(365 * TermNumbers.LEAD);
        assertFalse(election.exceed(365 * TermNumbers.LEAD, 40), "the cluster's term is one");
        assertTrue(election.exceed(TermNumbers.LEAD, 40), "where the clock may be right it counts");
    }

    @Test
    @DisplayName("a cluster that began with a clock at 1970 follows a store when the clock is set")
    void termsOfAnUnsetClockFollowAStore() {
        reign(election);
        long now = 1_790_000_000_000L;
        election.wallClock(60_000);
        assertFalse(election.exceed(now - 365 * TermNumbers.LEAD, 30), "the clock is not set yet");
        election.wallClock(now);
        assertFalse(election.exceed(now + TermNumbers.LEAD + 1, 40), "as for a first term");
        long stored = now + TermNumbers.LEAD;
        assertTrue(election.exceed(stored, 40));
        election.tick(50);
        Replace claim = (Replace) election.readCompleted(4, OF_A, 60).get(0);
        assertEquals(stored + 1, claim.next().term());
    }

    @Test
    void aRecordThatListsHoldersIsConfirmedAtOnceWhenAMemberComes() {
        election.holders().list();
        election.viewChanged(view(A), false, false, 0);
        TermRecord before = new TermRecord(5, B, 20, 3, TIMES.lease(), Set.of(B));
        Replace claim = (Replace) election.readCompleted(1, before, 10).get(0);
        assertEquals(Set.of(A, B), claim.next().holders());
        election.replaceCompleted(2, Outcome.WRITTEN, 20);
        election.readCompleted(3, claim.next(), 30);
        assertEquals(Set.of(B), election.holders().inherited());
        NodeId late = new NodeId("late");
        Replace confirmation =
                (Replace) election.viewChanged(view(A, late), false, false, 40).get(0);
        assertEquals(Set.of(A, B, late), confirmation.next().holders());
        election.viewChanged(view(A, late, B), false, false, 50);
        List<ElectionCommand> next = election.replaceCompleted(4, Outcome.WRITTEN, 60);
        assertEquals(Replace.class, next.get(1).getClass(), "what was sent before the change does not say it");
    }

    @Test
    void nothingIsUndecidedWhenAllWhoVanishedAreDead() {
        election.viewChanged(view(A), true, false, 0);
        election.readCompleted(1, record(5, B, 20, 3), 10);
        assertEquals(
                Read.class,
                election.nodeProvenDead(B, true, 20).get(0).getClass(),
                "the loss of another node is undecided");
        election.readCompleted(2, record(5, B, 20, 3), 30);
        assertEquals(Replace.class, election.nodeProvenDead(B, false, 40).get(0).getClass());
    }

    @Test
    void aReignAfterTheOwnOneWaitsFromTheLastConfirmation() {
        reign(election);
        election.tick(110);
        election.replaceCompleted(4, Outcome.WRITTEN, 140);
        TermRecord confirmed = record(1, A, 10, 1);
        ElectionView cutOff = new ElectionView(List.of(A), List.of(A), false);
        assertEquals(
                List.of(new StepDown(new TermId(1, 10), "this side of the cluster is not available")),
                election.viewChanged(cutOff, false, false, 145));
        assertEquals(List.of(new Read(5)), election.viewChanged(view(A, B), false, false, 150));
        election.readCompleted(5, confirmed, 160);
        election.replaceCompleted(6, Outcome.WRITTEN, 170);
        assertEquals(
                new Begin(new TermId(2, 10), new TermId(1, 10), 110, 160),
                election.readCompleted(7, record(2, A, 10, 0), 180).get(0));
    }

    @Test
    void anUnchangedRecordIsAsOldAsItsFirstReadAlsoAfterAFailedClaim() {
        TermRecord before = record(5, B, 20, 3);
        election.viewChanged(view(A), false, false, 0);
        election.readCompleted(1, before, 10);
        assertEquals(List.of(new Read(3)), election.replaceCompleted(2, Outcome.UNKNOWN, 400));
        election.readCompleted(3, before, 410);
        election.replaceCompleted(4, Outcome.WRITTEN, 420);
        Begin begin =
                (Begin) election.readCompleted(5, record(7, A, 10, 0), 430).get(0);
        assertEquals(10, begin.waitFrom());
    }

    @Test
    void aClaimOfUnknownOutcomeThatTookHoldStillWaitsForItsPredecessor() {
        reign(election);
        election.termHeard(new TermId(7, 20), B, 50);
        election.termHeard(new TermId(7, 20), B, 110);
        TermRecord released = record(7, B, 20, TermRecord.RELEASED);
        election.replaceCompleted(4, Outcome.UNEQUAL, 5_000);
        election.tick(5_000);
        election.readCompleted(5, released, 5_010);
        election.tick(6_000);
        election.replaceCompleted(6, Outcome.UNKNOWN, 6_400);
        TermRecord own = record(8, A, 10, 0);
        election.readCompleted(7, own, 6_410);
        election.replaceCompleted(8, Outcome.WRITTEN, 6_420);
        Begin begin =
                (Begin) election.readCompleted(9, record(9, A, 10, 0), 6_430).get(0);
        assertEquals(5_010, begin.waitFrom(), "leases of term 7 were granted until it was seen as released");
    }

    @Test
    void confirmsAtOnceWhenSomethingWaitsForIt() {
        reign(election);
        assertEquals(List.of(new Replace(4, OF_A, record(1, A, 10, 1))), election.confirmationWanted(50));
        assertEquals(List.of(), election.confirmationWanted(60), "one operation at a time");
    }
}
