package io.shardbus.core.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StopReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that an entity has decided on, and answers after it has taken the next. */
class UnansweredTest extends CellFixture {
    private EntityCell cell = cell(RestartPolicy.restart());

    /** Takes up messages 1 and so on, and decides on each. */
    private Envelope[] decide(RestartPolicy policy, int count) {
        cell = idle(policy);
        Envelope[] decided = new Envelope[count];
        for (int i = 0; i < count; i++) {
            owner.now = 10L * i;
            decided[i] = tell(i + 1);
            cell.offer(decided[i]);
            cell.decided();
        }
        log.clear();
        return decided;
    }

    private void answer(Envelope envelope) {
        cell.handled(envelope, envelope.payload(), null, false);
    }

    @Test
    void theNextMessageIsTakenUpWhenTheOneInHandIsDecidedOn() {
        cell = idle(RestartPolicy.restart());
        Envelope first = tell(1);
        cell.offer(first);
        cell.offer(tell(2));
        assertEquals(List.of("receive 1"), log);
        cell.decided();
        assertEquals(CellState.UNANSWERED, cell.state());
        runReady();
        assertEquals(List.of("receive 1", "receive 2"), log);
        answer(first);
        assertEquals(CellState.BUSY, cell.state());
        code.finish();
        assertEquals(List.of("receive 1", "receive 2", "answered 1", "answered done"), log);
        assertTrue(cell.isQuiet());
    }

    @Test
    void aLoneMessageThatIsDecidedOnIsAnsweredAsAnyOther() {
        Envelope[] decided = decide(RestartPolicy.restart(), 1);
        assertFalse(cell.isQuiet());
        answer(decided[0]);
        answer(decided[0]);
        assertEquals(List.of("answered 1"), log);
        assertTrue(cell.isQuiet());
    }

    @Test
    void itIsNotIdleAndNotQuietUntilAllAreAnswered() {
        Envelope[] decided = decide(RestartPolicy.restart(), 3);
        assertEquals(0, cell.busyFrom(), "the first is the oldest");
        assertEquals(decided[0], cell.answeredNext());
        answer(decided[0]);
        assertEquals(10, cell.busyFrom());
        answer(decided[1]);
        assertEquals(20, cell.busyFrom());
        assertFalse(cell.isQuiet());
        answer(decided[2]);
        assertTrue(cell.isQuiet());
        assertEquals(CellState.IDLE, cell.state());
    }

    @Test
    void aStopWaitsUntilAllAreAnsweredAndTakesNoMessageMore() {
        Envelope[] decided = decide(RestartPolicy.restart(), 2);
        cell.offer(tell(3));
        cell.stop(StopReason.HANDOFF);
        cell.offer(tell(4));
        runReady();
        answer(decided[0]);
        assertEquals(List.of("receive 3", "wake at 110", "answered 1"), log);
        code.finish();
        answer(decided[1]);
        assertEquals(List.of("stop HANDOFF", "wake at 110"), log.subList(log.size() - 2, log.size()));
    }

    @Test
    void aStopThatIsLateFailsThemInTheirOrder() {
        decide(RestartPolicy.restart(), 2);
        cell.stop(StopReason.LEASE_LOST);
        owner.now = 200;
        cell.wake();
        assertEquals(
                List.of("wake at 110", "discard", "1 failed OUTCOME_UNKNOWN", "2 failed OUTCOME_UNKNOWN", "ended"),
                log);
    }

    @Test
    void aPassivationWaitsForTheAnswersAndThenWakesWhatWaits() {
        Envelope[] decided = decide(RestartPolicy.restart(), 2);
        cell.putAway();
        cell.offer(tell(3));
        runReady();
        assertEquals(List.of(), log);
        answer(decided[0]);
        answer(decided[1]);
        runReady();
        assertEquals(List.of("answered 1", "answered 2", "stop PASSIVATION", "wake at 110"), log);
        code.end();
        code.begin();
        runReady();
        assertEquals("receive 3", log.get(log.size() - 1));
    }

    @Test
    void aTurnWaitsForTheAnswersAndTheNextMessageForTheTurn() {
        Envelope[] decided = decide(RestartPolicy.restart(), 1);
        assertTrue(cell.askForTurn());
        cell.offer(tell(2));
        runReady();
        assertEquals(List.of(), log);
        answer(decided[0]);
        runReady();
        assertEquals(List.of("answered 1", "turn", "receive 2"), log);
    }

    @Test
    void aMessageThatIsPutAsideIsNotFollowedBeforeThat() {
        cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.offer(tell(2));
        cell.stashCurrent();
        cell.decided();
        runReady();
        assertEquals(List.of("receive 1"), log);
        code.finish();
        runReady();
        assertEquals(1, cell.stashed());
        cell.decided();
        assertThrows(IllegalStateException.class, cell::stashCurrent, "it is decided on");
    }

    @Test
    void oneThatIsRefusedEndsNoOther() {
        Envelope[] decided = decide(RestartPolicy.restart(), 2);
        cell.handled(decided[0], null, Failure.of(FailureCode.SUPERSEDED, "no"), false);
        answer(decided[1]);
        assertEquals(List.of("1 failed SUPERSEDED", "answered 2"), log);
    }

    @Test
    void anInstanceThatIsReplacedAfterAFailureLeavesThemWithUnknownOutcome() {
        cell = idle(RestartPolicy.restart());
        cell.offer(tell(1));
        cell.decided();
        cell.offer(tell(2));
        log.clear();
        code.fail();
        assertEquals(
                List.of(
                        "2 failed ENTITY_FAILED",
                        "RESTARTED 1",
                        "discard",
                        "1 failed OUTCOME_UNKNOWN",
                        "start RESTART"),
                log);
    }

    @Test
    void whatFollowsFromAnAnswerAndThrowsDoesNotEndTheMessageInHand() {
        Envelope[] decided = decide(RestartPolicy.restart(), 1);
        cell.offer(tell(2));
        log.clear();
        cell.broken(decided[0], new IllegalStateException("an ending"));
        assertEquals(List.of("broken by an ending", "1 failed ENTITY_FAILED"), log);
        code.finish();
        assertEquals("answered done", log.get(log.size() - 1));
    }

    @Test
    void theLeaseCountsAtTheAnswer() {
        Envelope asked = new Envelope(1, "e", "asked", 7, null);
        cell = idle(RestartPolicy.restart());
        cell.offer(asked);
        cell.decided();
        owner.lease = false;
        log.clear();
        answer(asked);
        assertEquals(List.of("asked failed OUTCOME_UNKNOWN"), log);
    }
}
