package io.shardbus.core.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EntityCellTest extends CellFixture {
    @Test
    void startsWithTheFirstMessageAndTakesThemInOrder() {
        EntityCell cell = cell(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.offer(tell(2));
        code.begin();
        runReady();
        code.finish();
        runReady();
        assertEquals(List.of("start MESSAGE", "receive 1", "answered done", "receive 2"), log);
    }

    @Test
    void tellsItsCodeOfMessagesThatComeWhileItStarts() {
        EntityCell cell = cell(RestartPolicy.restart());
        cell.start(StartReason.REMEMBERED);
        assertEquals(0, code.wanted);
        cell.offer(tell(1));
        assertEquals(1, code.wanted);
        code.begin();
        cell.offer(tell(2));
        runReady();
        assertEquals(1, code.wanted);
    }

    @Test
    void refusesWhatDoesNotFitIntoItsMailbox() {
        EntityCell cell = idle(RestartPolicy.restart());
        for (int i = 1; i <= 4; i++) {
            cell.offer(tell(i));
        }
        assertEquals(List.of("receive 1", "4 failed MAILBOX_FULL"), log);
        assertEquals(2, cell.waiting());
    }

    @Test
    void answersAStartRequestWithItsPlace() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(Envelope.START));
        assertEquals(List.of("answered here"), log);
    }

    @Test
    void restartTakesTheRestWithANewInstance() {
        failing(RestartPolicy.restart());
        code.begin();
        runReady();
        assertEquals(List.of("1 failed ENTITY_FAILED", "RESTARTED 1", "discard", "start RESTART", "receive 2"), log);
    }

    @Test
    void resumeGoesOnWithTheSameInstance() {
        failing(RestartPolicy.resume());
        runReady();
        assertEquals(List.of("1 failed ENTITY_FAILED", "RESUMED 1", "receive 2"), log);
    }

    @Test
    void stopFailsWhatWaits() {
        failing(RestartPolicy.stop());
        assertEquals(
                List.of("1 failed ENTITY_FAILED", "STOPPED 1", "discard", "2 failed ENTITY_STOPPED", "ended"), log);
    }

    @Test
    void backoffPausesLongerWithEachFailureInARow() {
        EntityCell cell = failing(RestartPolicy.stopWithBackoff(Duration.ofMillis(50), Duration.ofMillis(80)));
        assertEquals("wake at 50", log.get(3));
        owner.now = 49;
        cell.wake();
        assertEquals(CellState.PAUSED, cell.state());
        assertEquals(0, owner.live);
        owner.now = 50;
        cell.wake();
        assertEquals(1, owner.live);
        code.begin();
        runReady();
        code.fail();
        assertTrue(log.contains("wake at 130"), log.toString());
    }

    @Test
    void aPauseWithNothingWaitingEndsTheCell() {
        EntityCell cell = idle(RestartPolicy.stopWithBackoff(Duration.ofMillis(50), Duration.ofMillis(80)));
        cell.offer(tell(1));
        code.fail();
        owner.now = 50;
        cell.wake();
        assertEquals(CellState.ENDED, cell.state());
        assertEquals(0, owner.live);
    }

    @Test
    void aShardThatWantsToLeaveEndsThePauseEarly() {
        EntityCell cell = failing(RestartPolicy.stopWithBackoff(Duration.ofMillis(50), Duration.ofMillis(80)));
        cell.hurry();
        assertEquals(CellState.STARTING, cell.state());
    }

    @Test
    void aFailureDuringTheStopNeedsNoPause() {
        EntityCell cell = idle(RestartPolicy.stopWithBackoff(Duration.ofMillis(50), Duration.ofMillis(80)));
        cell.offer(tell(1));
        cell.stop(StopReason.HANDOFF);
        code.fail();
        assertEquals(CellState.ENDED, cell.state());
    }

    @Test
    void aFailedStartFailsWhatWaits() {
        EntityCell cell = cell(RestartPolicy.restart());
        cell.offer(tell(1));
        code.failStart();
        assertEquals(List.of("start MESSAGE", "STOPPED 1", "discard", "1 failed ENTITY_FAILED", "ended"), log);
    }

    @Test
    void aFailedStartWithBackoffIsTriedAgain() {
        EntityCell cell = cell(RestartPolicy.stopWithBackoff(Duration.ofMillis(50), Duration.ofMillis(80)));
        cell.offer(tell(1));
        code.failStart();
        assertEquals(CellState.PAUSED, cell.state());
        assertEquals(1, cell.waiting());
    }

    @Test
    @DisplayName("PASS-43: passivation ends the instance when nothing waits, and the next message starts another")
    void passivates() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.putAway();
        code.finish();
        runReady();
        assertTrue(log.contains("stop PASSIVATION"));
        cell.offer(tell(2));
        log.clear();
        code.end();
        assertEquals(List.of("discard", "start MESSAGE"), log);
        assertEquals(1, owner.live);
    }

    /** Else the lane would keep each of very many entities until its time to stop is over. */
    @Test
    void isNotLookedAtAgainIfItsCodeStopsAtOnce() {
        EntityCell cell = idle(RestartPolicy.restart());
        code.endsAtOnce = true;
        log.clear();
        cell.putAwayAtOnce();
        runReady();
        assertEquals(List.of("stop PASSIVATION", "discard", "ended"), log);
    }

    @Test
    @DisplayName(
            "PASS-43: what waits when it is passivated is handled first, what comes behind is for the next instance")
    void whatComesBehindThePassivationIsForTheNext() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.offer(tell(2));
        cell.putAway();
        cell.offer(tell(3));
        code.finish();
        runReady();
        code.finish();
        runReady();
        assertTrue(log.contains("receive 2"));
        assertFalse(log.contains("receive 3"));
        assertTrue(log.contains("stop PASSIVATION"));
        log.clear();
        code.end();
        assertEquals(List.of("discard", "start MESSAGE"), log);
        assertEquals(1, cell.waiting(), "nothing is lost");
    }

    @Test
    @DisplayName("PASS-43: an instance that ignores its passivation is ended by force, and what waits wakes another")
    void passivationByForce() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.putAway();
        runReady();
        cell.offer(tell(1));
        cell.offer(tell(2));
        log.clear();
        owner.now = 100;
        cell.wake();
        assertEquals(List.of("discard", "start MESSAGE"), log);
        assertEquals(2, cell.waiting());
    }

    @Test
    void stopsAfterTheMessageInHand() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.stop(StopReason.HANDOFF);
        code.finish();
        code.end();
        assertEquals(
                List.of("receive 1", "wake at 100", "answered done", "stop HANDOFF", "wake at 100", "discard", "ended"),
                log);
    }

    @Test
    @DisplayName("HAND-01: an instance that ignores its stop is ended by force")
    void endsByForceWhatDoesNotStop() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.stop(StopReason.HANDOFF);
        owner.now = 100;
        cell.wake();
        assertTrue(log.contains("1 failed OUTCOME_UNKNOWN"));
        assertEquals(CellState.ENDED, cell.state());
        code.finish();
        assertFalse(log.contains("answered done"), "a late end counts for nothing");
    }

    @Test
    void codeOnAThreadOfItsOwnCannotBeForced() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        code.onThread = true;
        cell.stop(StopReason.HANDOFF);
        owner.now = 100;
        cell.wake();
        assertTrue(cell.isLive());
        assertEquals("wake at 200", log.get(log.size() - 1));
    }

    @Test
    void aStopDuringAPassivationHasItsOwnDeadline() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.stop(StopReason.PASSIVATION);
        owner.now = 50;
        cell.stop(StopReason.HANDOFF);
        assertEquals("wake at 150", log.get(log.size() - 1));
    }

    @Test
    void nothingStartsWithoutALease() {
        EntityCell cell = failing(RestartPolicy.stopWithBackoff(Duration.ofMillis(50), Duration.ofMillis(80)));
        owner.lease = false;
        owner.now = 50;
        log.clear();
        cell.wake();
        assertEquals(List.of(), log);
        assertFalse(cell.isLive());
        cell.failWaiting(Failure.of(FailureCode.NOT_IN_MAJORITY, "lost"));
        cell.stop(StopReason.LEASE_LOST);
        assertEquals(List.of("2 failed NOT_IN_MAJORITY", "ended"), log);
    }

    @Test
    void aStopThatMeetsAStartingInstanceComesAfterTheStart() {
        EntityCell cell = cell(RestartPolicy.restart());
        cell.start(StartReason.REMEMBERED);
        cell.stop(StopReason.SHUTDOWN);
        code.begin();
        assertTrue(log.contains("stop SHUTDOWN"));
        assertFalse(cell.isQuiet());
    }

    @Test
    void beyondItsLimitItStopsAndFailsWhatWaits() {
        EntityCell cell = failing(RestartPolicy.resume().withLimit(1, Duration.ofMillis(100)));
        cell.offer(tell(3));
        runReady();
        log.clear();
        code.fail();
        assertEquals(
                List.of("2 failed ENTITY_FAILED", "GAVE_UP 2", "discard", "3 failed ENTITY_STOPPED", "ended"), log);
        log.clear();
        cell.offer(tell(4));
        assertEquals(List.of("start MESSAGE"), log, "the next one starts another");
    }

    @Test
    void startsThatFailBeyondTheLimitAreGivenUp() {
        RestartPolicy pausing = RestartPolicy.stopWithBackoff(Duration.ofMillis(50), Duration.ofMillis(80));
        EntityCell cell = cell(pausing.withLimit(1, Duration.ofSeconds(1)));
        cell.offer(tell(1));
        code.failStart();
        owner.now = 50;
        cell.wake();
        log.clear();
        code.failStart();
        assertEquals(List.of("GAVE_UP 2", "discard", "1 failed ENTITY_FAILED", "ended"), log);
    }

    @Test
    void aTurnComesBetweenTwoMessagesBeforeThoseThatWait() {
        EntityCell cell = idle(RestartPolicy.restart());
        code.turnTakesTime = true;
        cell.offer(tell(1));
        cell.offer(tell(2));
        assertTrue(cell.askForTurn());
        runReady();
        assertEquals(List.of("receive 1"), log);
        code.finish();
        runReady();
        assertEquals(List.of("receive 1", "answered done", "turn"), log);
        code.endTurn();
        runReady();
        assertEquals("receive 2", log.get(3));
        assertEquals(CellState.BUSY, cell.state());
    }

    @Test
    void anInstanceThatIsStoppedInItsTurnStopsAfterIt() {
        EntityCell cell = idle(RestartPolicy.restart());
        code.turnTakesTime = true;
        cell.askForTurn();
        runReady();
        cell.stop(StopReason.HANDOFF);
        assertEquals(List.of("turn", "wake at 100"), log);
        code.endTurn();
        assertEquals(List.of("turn", "wake at 100", "stop HANDOFF", "wake at 100"), log);
        assertFalse(cell.askForTurn());
    }

    @Test
    void noTurnComesWithoutALeaseAndNoneIsLeftForTheNextInstance() {
        EntityCell cell = idle(RestartPolicy.restart());
        owner.lease = false;
        assertTrue(cell.askForTurn());
        owner.ready.remove().runWaiting();
        assertEquals(List.of(), log);
        owner.lease = true;
        cell.restart();
        code.end();
        code.begin();
        runReady();
        assertFalse(log.contains("turn"), log::toString);
        cell.askForTurn();
        runReady();
        assertTrue(log.contains("turn"), log::toString);
    }

    @Test
    void anOperatorsRestartEndsTheInstanceInGoodOrderAndBeginsAnotherWithWhatWaits() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.offer(tell(2));
        assertTrue(cell.restart());
        assertFalse(cell.restart(), "it is about to end");
        code.finish();
        code.end();
        code.begin();
        runReady();
        assertEquals(
                List.of(
                        "receive 1",
                        "wake at 100",
                        "answered done",
                        "stop PASSIVATION",
                        "wake at 100",
                        "discard",
                        "start RESTART",
                        "receive 2"),
                log);
    }

    @Test
    void anOperatorsRestartOfOneThatHangsIsByForceWhenItsTimeIsUp() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.restart();
        owner.now = 100;
        cell.wake();
        assertEquals(List.of("receive 1", "wake at 100", "discard", "1 failed OUTCOME_UNKNOWN", "start RESTART"), log);
    }

    @Test
    void anInstanceThatRestartsDoesNotComeBackWhenItsShardLeaves() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.restart();
        cell.stop(StopReason.HANDOFF);
        code.finish();
        code.end();
        assertEquals("ended", log.get(log.size() - 1));
    }

    @Test
    void anInstanceThatRestartsDoesNotComeBackWhenItIsEndedForGood() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.restart();
        cell.stop(StopReason.PASSIVATION);
        code.end();
        assertEquals("ended", log.get(log.size() - 1));
        assertFalse(log.contains("start RESTART"), log::toString);
    }

    @Test
    void tellsHowLongTheNextMessageHasWaited() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        assertEquals(0, cell.oldestWait());
        owner.now = 10;
        cell.offer(tell(2));
        owner.now = 15;
        cell.offer(tell(3));
        owner.now = 30;
        assertEquals(20, cell.oldestWait());
        code.stash();
        runReady();
        assertEquals(15, cell.oldestWait());
        assertEquals(1, cell.stashed());
        owner.now = 40;
        cell.unstash();
        assertEquals(10, cell.oldestWait(), "since it was put aside");
    }

    @Test
    void whatComesWhileTheInstanceIsAskedForItsStateWaitsUntilTheShardStays() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offerState();
        assertEquals(CellState.ASKED, cell.state());
        cell.offer(tell(1));
        cell.offered(null, null);
        assertEquals(CellState.OFFERED, cell.state());
        runReady();
        assertEquals(List.of("offer", "offered"), log);
        cell.goOn();
        runReady();
        assertEquals(List.of("offer", "offered", "receive 1"), log);
        cell.offered(null, null);
        assertEquals(List.of("offer", "offered", "receive 1"), log, "an answer to an earlier question is void");
    }

    @Test
    void anInstanceThatHasOfferedItsStateIsToldSoWhenItStops() {
        EntityCell cell = idle(RestartPolicy.restart());
        cell.offerState();
        cell.stop(StopReason.HANDOFF);
        assertEquals(List.of("offer", "wake at 100"), log, "it is asked first");
        cell.offered(null, null);
        assertEquals(List.of("offer", "wake at 100", "offered", "stop HANDOFF after an offer", "wake at 100"), log);
        code.end();
        assertEquals(CellState.ENDED, cell.state());
    }
}
