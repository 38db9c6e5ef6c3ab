package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StopReason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A lane leaves while messages, answers or states are under way between it and another. */
class LeavingPairTest extends TwoLanes {
    @Test
    void aLeavingLaneAnswersWhenItsLastMessageIsTaken() {
        tell(a, 1);
        leave(a, false);
        tell(a, 2);
        assertEquals(List.of("2 SHUTTING_DOWN"), a.deadLetters);
        homeAtB();
        exchange();
        assertEquals(1, a.allStopped);
        assertEquals(List.of(1), b.handled);
    }

    @Test
    void aLeavingLaneDoesNotWaitForEver() {
        tell(a, 1);
        homeAtB();
        LaneFixture.Ask ask = a.ask(1, "x", 60_000, now);
        a.flush(now);
        a.lane.stopAll(StopReason.SHUTDOWN, now);
        now = 1_000;
        a.flush(now);
        assertEquals(1, a.allStopped);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, ask.code);
        assertEquals(0, a.lane.buffered());
    }

    @Test
    void aLeavingLaneStaysUntilItsAnswersAreKnown() {
        homeAtB();
        tell(a, 1);
        a.flush(now);
        a.framesTo(B).forEach(frame -> b.receive(A, frame, now));
        b.flush(now);
        List<LaneFixture.Frame> late = b.framesTo(A);
        leave(b, false);
        late.forEach(frame -> a.receive(B, frame, now));
        exchange();
        assertEquals(1, b.allStopped);
        a.lane.nodeGone(B, now);
        assertEquals(List.of(), a.deadLetters);
    }

    @Test
    void aLeavingLaneDoesNotWaitForOneThatHasLeft() {
        homeAtB();
        tell(a, 1);
        exchange();
        leave(a, true);
        a.framesTo(B).forEach(frame -> b.receive(A, frame, now));
        leave(b, true);
    }

    private void leave(LaneFixture lane, boolean atOnce) {
        lane.lane.stopAll(StopReason.SHUTDOWN, now);
        lane.flush(now);
        assertEquals(atOnce ? 1 : 0, lane.allStopped);
    }

    @Test
    void aLeavingLaneAssuresNoPeerThatWaitsNoLonger() {
        homeAtB();
        tell(a, 1);
        exchange();
        now = 1_000;
        leave(b, true);
    }

    @Test
    void aLeavingLaneCountsTheStatesThatReachNoInstance() {
        a.lane.hosted().fetchStates(T2, home(T1, T1, B));
        exchange();
        a.lane.stopAll(StopReason.SHUTDOWN, now);
        b.lane.hosted().fetchStates(T2, home(T1, T1, C));
        b.lane.stopAll(StopReason.SHUTDOWN, now);
        now = 1_000;
        exchange();
        assertEquals(1, b.allStopped);
        assertEquals(Map.of(StateTransferOutcome.LOST, 1), b.outcomes);
        assertEquals(Map.of(), a.outcomes, "there were none");
    }
}
