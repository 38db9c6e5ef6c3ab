package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StopReason;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Askers, dead letters and encoders that throw: the lane has changed its state before, and serves the others. */
class ThrowingCallsTest extends TwoLanes {
    private LaneFixture.Throwing throwing(String entity) {
        LaneFixture.Throwing ask = new LaneFixture.Throwing();
        a.lane.send(1, entity, "asked", ask, now);
        return ask;
    }

    private LaneFixture.Ask asked(String entity) {
        LaneFixture.Ask ask = new LaneFixture.Ask(60_000);
        a.lane.send(1, entity, "asked", ask, now);
        return ask;
    }

    @Test
    void theRestOfAFrameIsTakenOnceAfterAnAnswerThatThrows() {
        homeAtB();
        exchange();
        LaneFixture.Throwing first = throwing("e1");
        a.flush(now);
        a.framesTo(B).forEach(frame -> b.receive(A, frame, now));
        b.lane.send(2, "x", "of b", null, now);
        a.extendLease(10_000, now);
        b.lane.showHomes(List.of(new ShardHome(2, T1, T1, A, 1)), now);
        a.lane.hostShard(2, T1, now);
        b.flush(now);
        List<LaneFixture.Frame> frames = b.framesTo(A);
        frames.forEach(frame -> a.receive(B, frame, now));
        frames.forEach(frame -> a.receive(B, frame, now));
        exchange();
        assertEquals(1, first.ends);
        assertEquals(List.of("of b"), a.handled, "behind the answer, once");
        assertEquals(List.of("an answer"), a.faults);
        assertEquals(0, b.lane.buffered());
    }

    @Test
    void anEntityGoesOnAfterItsAnswerHasThrown() {
        a.extendLease(10_000, now);
        a.lane.hostShard(1, T1, now);
        a.lane.showHomes(List.of(home(T1, T1, A)), now);
        throwing("e");
        a.flush(now);
        tell(a, "next");
        a.flush(now);
        assertEquals(List.of("asked", "next"), a.handled);
        a.lane.stopAll(StopReason.LEASE_LOST, now);
        a.flush(now);
        assertEquals(1, a.allStopped, "the entity can end");
    }

    @Test
    void allAsksAtANodeThatHasLeftFailThoughTheFirstThrows() {
        homeAtB();
        b.entity.holding = true;
        throwing("e1");
        LaneFixture.Ask second = asked("e2");
        exchange();
        a.lane.nodeGone(B, 100);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, second.code);
        assertEquals(0, a.lane.asks().size());
    }

    @Test
    void allThatWasUnderWayToANodeThatHasLeftIsADeadLetterThoughEachThrows() {
        homeAtB();
        a.deadLettersThrow = true;
        throwing("e1");
        for (int i = 0; i < 3; i++) {
            tell(a, i);
        }
        a.flush(now);
        a.framesTo(B);
        a.lane.nodeGone(B, 100);
        assertEquals(List.of("0 OUTCOME_UNKNOWN", "1 OUTCOME_UNKNOWN", "2 OUTCOME_UNKNOWN"), a.deadLetters);
        assertEquals(0, a.lane.buffered());
        a.lane.showHomes(List.of(home(V3, T2, C)), 200);
        tell(a, "later");
        a.flush(200);
        assertEquals(1, a.framesTo(C).size(), "the shard's route is open under its next token");
    }

    @Test
    void allThatWaitsIsRefusedThoughTheFirstThrows() {
        a.deadLettersThrow = true;
        tell(a, 1);
        tell(a, 2);
        a.lane.refuse(Failure.of(FailureCode.SHUTTING_DOWN, "over"), now);
        assertEquals(List.of("1 SHUTTING_DOWN", "2 SHUTTING_DOWN"), a.deadLetters);
        assertEquals(0, a.lane.buffered());
    }

    @Test
    void theRestOfATickIsDoneAfterADeadlineThatThrows() {
        homeAtB();
        b.entity.holding = true;
        LaneFixture.Throwing first = throwing("e1");
        LaneFixture.Ask second = asked("e2");
        a.lane.send(3, "homeless", "asked", new LaneFixture.Throwing(), now);
        exchange();
        a.homesWanted.clear();
        a.lane.tick(60_100);
        assertEquals(1, first.ends);
        assertEquals(FailureCode.TIMED_OUT, second.code);
        assertEquals(List.of(List.of(3)), a.homesWanted, "the end of a tick");
    }

    @Test
    void aRegionThatLeavesFailsAllAsksThoughTheFirstThrows() {
        homeAtB();
        b.entity.holding = true;
        throwing("e1");
        LaneFixture.Ask second = asked("e2");
        exchange();
        a.lane.stopAll(StopReason.SHUTDOWN, now);
        a.lane.tick(1_001);
        a.flush(1_001);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, second.code);
        assertEquals(1, a.allStopped);
    }

    @Test
    void anErrorOfTheMachineWhileEncodingLosesNothingElse() {
        homeAtB();
        tell(a, "before");
        tell(a, LaneFixture.FATAL);
        tell(a, "behind");
        assertThrows(OutOfMemoryError.class, () -> a.flush(now));
        assertEquals(1, a.deadLetters.size());
        assertEquals(List.of(FailureCode.PAYLOAD_NOT_ENCODABLE), a.counted);
        exchange();
        assertEquals(List.of("before", "behind"), b.handled);
        assertEquals(0, a.lane.buffered());
    }

    @Test
    void anErrorInOneChannelKeepsTheOthersMarked() {
        homeAtB();
        a.lane.showHomes(List.of(new ShardHome(2, T1, T1, C, 1)), now);
        tell(a, LaneFixture.FATAL);
        a.lane.send(2, "e", "to another", null, now);
        assertThrows(OutOfMemoryError.class, () -> a.flush(now));
        a.flush(now);
        assertEquals(1, a.framesTo(C).size());
    }

    @Test
    void anAnswerThatCannotBeEncodedIsCounted() {
        homeAtB();
        b.entity.answer = LaneFixture.UNSENDABLE;
        LaneFixture.Ask ask = asked("e");
        exchange();
        assertEquals(FailureCode.PAYLOAD_NOT_ENCODABLE, ask.code);
        assertEquals(List.of(FailureCode.PAYLOAD_NOT_ENCODABLE), b.counted);
    }

    @Test
    void aPeerThatNeverSaysWhatItHasHeardIsDroppedBeyondTheLargestWindow() {
        homeAtB();
        PeerLane from = new PeerLane(C, 0);
        for (int i = 1; i <= InChannel.LARGEST_WINDOW + 10; i++) {
            Envelope refused = new Envelope(i % 10, "e", "m", 0, from);
            refused.token(T2);
            b.lane.frameReceived(from, head(i), List.<FrameItem>of(refused), now);
        }
        b.flush(now);
        List<LaneFixture.Frame> answers = b.framesTo(C);
        var last = answers.get(answers.size() - 1).head().answer();
        assertEquals(InChannel.LARGEST_WINDOW, last.received());
        assertEquals(InChannel.LARGEST_WINDOW, last.bounces().size());
        assertEquals(Collections.nCopies(10, FailureCode.INCOMPATIBLE), b.counted);
    }

    private static FrameHead head(long number) {
        return new FrameHead(1L << 20 | 1, number, 0, FrameHead.Answer.NOTHING);
    }
}
