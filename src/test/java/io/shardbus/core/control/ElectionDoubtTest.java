package io.shardbus.core.control;

import static io.shardbus.core.control.Elections.A;
import static io.shardbus.core.control.Elections.B;
import static io.shardbus.core.control.Elections.C;
import static io.shardbus.core.control.Elections.OF_A;
import static io.shardbus.core.control.Elections.record;
import static io.shardbus.core.control.Elections.reign;
import static io.shardbus.core.control.Elections.view;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.Election.Outcome;
import io.shardbus.core.control.ElectionCommand.Begin;
import io.shardbus.core.control.ElectionCommand.Read;
import io.shardbus.core.control.ElectionCommand.Replace;
import io.shardbus.core.control.ElectionCommand.StepDown;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the election does not take for its word: terms in messages, and time that the wall clock alone tells. */
class ElectionDoubtTest {
    private final Election election = Elections.ofA();

    @Test
    void aTermThatCannotBeToppedEndsNoReignAndNoClaim() {
        TermId highest = new TermId(Long.MAX_VALUE, 1);
        election.viewChanged(view(A), false, false, 0);
        assertEquals(List.of(new ElectionCommand.TermRefused(highest)), election.termHeard(highest, B, 5));
        assertEquals(List.of(new Replace(2, null, record(1, A, 10, 0))), election.readCompleted(1, null, 10));
        election.replaceCompleted(2, Outcome.WRITTEN, 20);
        election.readCompleted(3, OF_A, 30);
        assertEquals(List.of(new ElectionCommand.TermRefused(highest)), election.termHeard(highest, B, 40));
        assertTrue(election.reigns(50));
    }

    @Test
    void oneMessageWithAHigherTermHasTheTermConfirmedAndEndsNoReign() {
        reign(election);
        TermId higher = new TermId(2, 20);
        assertEquals(List.of(new Replace(4, OF_A, record(1, A, 10, 1))), election.termHeard(higher, B, 50));
        List<ElectionCommand> confirmed = election.replaceCompleted(4, Outcome.WRITTEN, 60);
        assertEquals(List.of(new ElectionCommand.Confirmed(new TermId(1, 10), 50)), confirmed);
        assertTrue(election.reigns(60));
        List<ElectionCommand> again = election.termHeard(higher, B, 110);
        assertEquals(StepDown.class, again.get(0).getClass());
        assertEquals(new ElectionCommand.TermBelieved(higher, B), again.get(again.size() - 1), "after the reign");
        assertFalse(election.reigns(110));
    }

    @Test
    void aHigherTermThatTheRecordShowsEndsTheReignBeforeItIsBelieved() {
        reign(election);
        TermId higher = new TermId(2, 20);
        election.termHeard(higher, C, 50);
        assertEquals(List.of(new Read(5)), election.replaceCompleted(4, Outcome.UNEQUAL, 60));
        List<ElectionCommand> shown = election.readCompleted(5, record(2, B, 20, 0), 70);
        assertEquals(StepDown.class, shown.get(0).getClass());
        assertEquals(new ElectionCommand.TermBelieved(higher, B), shown.get(1));
    }

    @Test
    void aReadThatWasUnderWayWhenATermWasHeardIsFollowedByAnother() {
        election.viewChanged(view(A, B), false, false, 0);
        TermRecord old = record(1, B, 20, 3);
        assertEquals(List.of(), election.termHeard(new TermId(2, 30), B, 5));
        assertEquals(List.of(new Read(2)), election.readCompleted(1, old, 10));
        assertEquals(
                List.of(new ElectionCommand.TermBelieved(new TermId(2, 30), B)),
                election.readCompleted(2, record(2, B, 30, 0), 20));
    }

    @Test
    @DisplayName("a newcomer's wait for members that may have stopped does not end by time that may not have passed")
    void aNewcomerWaitsForALeaseThatPassed() {
        election.minorityMayGoOn(true);
        TermRecord old = record(1, B, 20, 3);
        election.viewChanged(view(A), false, false, 0);
        assertEquals(List.of(), election.readCompleted(1, old, 0));
        assertEquals(List.of(new Read(2)), election.timeDoubted(5_000, 5_100));
        assertEquals(List.of(), election.readCompleted(2, old, 5_100));
        assertEquals(List.of(new Read(3)), election.tick(5_999));
        assertEquals(Replace.class, election.readCompleted(3, old, 6_000).get(0).getClass());
    }

    @Test
    void timeThatOnlyTheWallClockTellsEndsAReignAndIsWaitedForAgain() {
        reign(election);
        election.tick(110);
        election.replaceCompleted(4, Outcome.WRITTEN, 140);
        TermRecord confirmed = record(1, A, 10, 1);
        assertEquals(
                List.of(new StepDown(new TermId(1, 10), "the clock ran ahead by 5000 ms"), new Read(5)),
                election.timeDoubted(5_000, 5_150));
        election.readCompleted(5, confirmed, 5_160);
        election.replaceCompleted(6, Outcome.WRITTEN, 5_170);
        assertEquals(
                new Begin(new TermId(2, 10), new TermId(1, 10), 5_160, 5_160),
                election.readCompleted(7, record(2, A, 10, 0), 5_180).get(0));
    }

    @Test
    void aLivingOwnerIsNotOverriddenByTimeThatOnlyTheWallClockTells() {
        election.viewChanged(view(A, B), false, false, 0);
        TermRecord living = record(5, B, 20, 3);
        election.readCompleted(1, living, 10);
        assertEquals(List.of(new Read(2)), election.timeDoubted(5_000, 5_050));
        assertEquals(List.of(), election.readCompleted(2, living, 5_060), "it is first seen now");
        assertEquals(List.of(), election.tick(5_100));
    }

    @Test
    void theFirstClaimOfAClusterWaitsForTimeThatOnlyTheWallClockTells() {
        election.viewChanged(view(A), false, false, 0);
        election.timeDoubted(5_000, 5_010);
        election.readCompleted(1, null, 5_020);
        election.replaceCompleted(2, Outcome.WRITTEN, 5_030);
        Begin begin = (Begin) election.readCompleted(3, OF_A, 5_040).get(0);
        assertEquals(4_950, begin.waitFrom());
    }
}
