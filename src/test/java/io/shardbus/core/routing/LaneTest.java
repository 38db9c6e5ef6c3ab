package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.hosting.HostedShards;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages, answers and handoffs between two lanes. */
class LaneTest extends TwoLanes {
    @Test
    void messagesToARemoteHomeArriveInOrder() {
        homeAtB();
        for (int i = 0; i < 7; i++) {
            tell(a, i);
        }
        exchange();
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6), b.handled);
        assertEquals(0, a.lane.buffered());
    }

    @Test
    void anAskIsAnsweredAndAFailureComesBack() {
        homeAtB();
        LaneFixture.Ask good = a.ask(1, "hello", 1_000, now);
        exchange();
        b.entity.failing = true;
        LaneFixture.Ask bad = a.ask(1, "bad", 1_000, now);
        exchange();
        assertEquals("answer to hello", good.value);
        assertEquals(FailureCode.ENTITY_FAILED, bad.code);
    }

    @Test
    void anAskEndsAtItsDeadlineAndALateAnswerIsIgnored() {
        homeAtB();
        LaneFixture.Ask ask = a.ask(1, "hello", 50, now);
        now = 70;
        a.lane.tick(now);
        assertEquals(FailureCode.TIMED_OUT, ask.code);
        exchange();
        assertNull(ask.value);
        assertEquals(0, a.lane.buffered());
    }

    @Test
    @DisplayName(
            "BUF-01: messages to shards without a home wait within the bounds of the buffer, and homes are asked for")
    void buffersWithinItsBounds() {
        for (int i = 0; i < 12; i++) {
            tell(a, i);
        }
        assertEquals(10, a.lane.buffered());
        assertEquals(List.of("10 REGION_BUFFER_FULL", "11 REGION_BUFFER_FULL"), a.deadLetters);
        a.flush(now);
        assertEquals(List.of(List.of(1)), a.homesWanted);
    }

    @Test
    void asksThatAreOverLeaveTheirPlacesInAFullBufferToOthers() {
        List<LaneFixture.Ask> asks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            asks.add(a.ask(1, i, 50, now));
        }
        now = 70;
        a.lane.tick(now);
        asks.forEach(ask -> assertEquals(FailureCode.TIMED_OUT, ask.code));
        tell(a, "next");
        assertEquals(List.of(), a.deadLetters);
        assertEquals(1, a.lane.buffered());
    }

    @Test
    void anAskThatEndedWhileItWaitedForAHomeIsNotHandledThere() {
        LaneFixture.Ask ask = a.ask(1, "asked", 50, now);
        tell(a, "told");
        now = 70;
        a.lane.tick(now);
        assertEquals(FailureCode.TIMED_OUT, ask.code);
        a.extendLease(10_000, now);
        a.lane.hostShard(1, T1, now);
        a.lane.showHomes(List.of(home(T1, T1, A)), now);
        exchange();
        assertEquals(List.of("told"), a.handled);
        assertEquals(0, a.lane.buffered());
    }

    @Test
    @DisplayName("BUF-02: the buffer is empty, in order, once the home is known; questions are repeated"
            + " with back-off until then")
    void emptiesTheBufferOnceTheHomeIsKnown() {
        tell(a, 1);
        tell(a, 2);
        for (now = 0; now < 400; now += 10) {
            a.lane.tick(now);
        }
        assertEquals(4, a.homesWanted.size(), "at 0, 50, 150 and 350");
        homeAtB();
        exchange();
        assertEquals(List.of(1, 2), b.handled);
        assertEquals(0, a.lane.buffered());
    }

    @Test
    void whatWasRefusedGoesBackInOrderAndLeavesAgain() {
        a.lane.showHomes(List.of(home(T1, T1, B)), now);
        b.extendLease(10_000, now);
        tell(a, 1);
        tell(a, 2);
        exchange();
        tell(a, 3);
        assertEquals(List.of(), b.handled);
        assertEquals(3, a.lane.buffered());
        homeAtB();
        exchange();
        assertEquals(List.of(1, 2, 3), b.handled);
    }

    @Test
    void aRefusedMessageIsNotOvertakenByTheNextFrame() {
        a.lane.showHomes(List.of(home(T1, T1, B)), now);
        tell(a, 1);
        a.flush(now);
        tell(a, 2);
        a.flush(now);
        List<LaneFixture.Frame> frames = a.framesTo(B);
        b.receive(A, frames.get(0), now);
        homeAtB();
        b.receive(A, frames.get(1), now);
        exchange();
        a.lane.showHomes(List.of(home(T1, T1, B)), now);
        exchange();
        assertEquals(List.of(1, 2), b.handled);
    }

    @Test
    void aRefusedMessageIsNotOvertakenWhenALaterFrameComesBeforeTheNext() {
        a.lane.showHomes(List.of(home(T1, T1, B), new ShardHome(2, T1, T1, B, 1)), now);
        tell(a, 1);
        a.flush(now);
        tell(a, 2);
        a.flush(now);
        List<LaneFixture.Frame> frames = a.framesTo(B);
        b.receive(A, frames.get(0), now);
        b.flush(now);
        b.framesTo(A).forEach(frame -> a.receive(B, frame, now));
        a.lane.send(2, "e", "sent when the refusal was heard of", null, now);
        a.flush(now);
        homeAtB();
        b.receive(A, a.framesTo(B).get(0), now);
        b.receive(A, frames.get(1), now);
        exchange();
        now = 60;
        a.lane.tick(now);
        a.lane.showHomes(List.of(home(T1, T1, B)), now);
        exchange();
        assertEquals(List.of(1, 2), b.handled);
    }

    @Test
    void messagesUnderAnOldTokenAreRefused() {
        homeAtB();
        b.lane.dropShard(1, T1, now);
        b.lane.hostShard(1, T2, now);
        tell(a, 1);
        exchange();
        assertEquals(List.of(), b.handled);
        a.lane.showHomes(List.of(home(T2, T2, B)), now);
        exchange();
        assertEquals(List.of(1), b.handled);
    }

    @Test
    void aRepeatedFrameIsTakenOnce() {
        homeAtB();
        tell(a, 1);
        a.flush(now);
        LaneFixture.Frame frame = a.framesTo(B).get(0);
        b.receive(A, frame, now);
        b.receive(A, frame, now);
        exchange();
        assertEquals(List.of(1), b.handled);
    }

    @Test
    void aLostFrameIsRepeatedAndALaterOneWaitsForIt() {
        homeAtB();
        tell(a, 1);
        a.flush(now);
        a.framesTo(B);
        tell(a, 2);
        a.flush(now);
        exchange();
        assertEquals(List.of(), b.handled);
        now = 60;
        a.lane.tick(now);
        exchange();
        assertEquals(List.of(1, 2), b.handled);
    }

    @Test
    void givesUpAPeerThatNeverAnswersAndBeginsANewEpoch() {
        homeAtB();
        tell(a, 1);
        a.flush(now);
        LaneFixture.Frame lost = a.framesTo(B).get(0);
        for (now = 0; now <= 1_500; now += 50) {
            a.lane.tick(now);
        }
        a.framesTo(B);
        assertEquals(List.of("1 OUTCOME_UNKNOWN"), a.deadLetters);
        homeAtB();
        tell(a, 2);
        exchange();
        b.receive(A, lost, now);
        assertEquals(List.of(2), b.handled, "a frame of the old epoch comes too late");
    }

    @Test
    void aNodeThatIsGoneFailsWhatIsUnderWayAndKeepsWhatIsNot() {
        homeAtB();
        LaneFixture.Ask taken = a.ask(1, "x", 1_000, now);
        a.flush(now);
        a.framesTo(B);
        tell(a, 2);
        a.lane.nodeGone(B, now);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, taken.code);
        assertEquals(1, a.lane.buffered());
        a.lane.showHomes(List.of(home(T1, T1, B)), now);
        assertNull(a.lane.home(1), "its home is not believed any more");
        a.lane.nodeBack(B, now);
        a.lane.showHomes(List.of(home(T1, T1, B)), now);
        exchange();
        assertEquals(List.of(2), b.handled);
    }

    @Test
    void nothingRunsWithoutALease() {
        homeAtB();
        tell(a, 1);
        now = 10_000;
        exchange();
        assertEquals(List.of(), b.handled);
        assertEquals(1, b.lapses);
        assertEquals(1, a.lane.buffered());
    }

    @Test
    void aLostLeaseFailsWhatHasNotStarted() {
        homeAtB();
        b.entity.holding = true;
        LaneFixture.Ask first = a.ask(1, "running", 5_000, now);
        LaneFixture.Ask second = a.ask(1, "waiting", 5_000, now);
        exchange();
        b.loseLease(now);
        exchange();
        assertEquals(FailureCode.NOT_IN_MAJORITY, second.code);
        b.entity.finish();
        exchange();
        assertEquals(FailureCode.OUTCOME_UNKNOWN, first.code);
        assertEquals(1, b.allStopped);
    }

    @Test
    @DisplayName(
            "SPLIT-03: on a side that has stopped, what waits and what comes fails at once, until it takes part again")
    void aSideThatHasStoppedRefuses() {
        LaneFixture.Ask waiting = a.ask(1, "waiting", 100_000, now);
        tell(a, 1);
        a.lane.refuse(Failure.of(FailureCode.NOT_IN_MAJORITY, "a split"), now);
        assertEquals(FailureCode.NOT_IN_MAJORITY, waiting.code);
        assertEquals(FailureCode.NOT_IN_MAJORITY, a.ask(2, "new", 100_000, now).code);
        assertEquals(List.of("1 NOT_IN_MAJORITY"), a.deadLetters);
        assertEquals(0, a.lane.buffered());
        a.lane.refuse(null, now);
        LaneFixture.Ask later = a.ask(1, "later", 100_000, now);
        homeAtB();
        exchange();
        assertEquals("answer to later", later.value);
    }

    @Test
    void whatComesBackToASideThatHasStoppedFails() {
        homeAtB();
        LaneFixture.Ask ask = a.ask(1, "on its way", 100_000, now);
        a.flush(now);
        b.loseLease(now);
        a.lane.refuse(Failure.of(FailureCode.NOT_IN_MAJORITY, "a split"), now);
        exchange();
        a.lane.tick(now);
        assertEquals(FailureCode.NOT_IN_MAJORITY, ask.code);
    }

    @Test
    void aHandoffHoldsMessagesAndTellsTheHome() {
        homeAtB();
        a.lane.beginHandoff(begin(V3, B, A, B), true, now);
        tell(a, 1);
        a.flush(now);
        List<FrameItem> items = a.framesTo(B).get(0).items();
        assertEquals(List.of(new FrameItem.Drained(1, V3)), items);
        assertEquals(1, a.lane.buffered());
    }

    @Test
    @DisplayName("HAND-04: the home stops when all have drained and its mailboxes are empty, and not before")
    void theHomeStopsWhenAllHaveDrained() {
        homeAtB();
        b.entity.holding = true;
        tell(a, 1);
        exchange();
        b.lane.beginHandoff(begin(V3, B, A, B), true, now);
        exchange();
        assertEquals(List.of(), b.stopped);
        a.lane.beginHandoff(begin(V3, B, A, B), true, now);
        exchange();
        assertEquals(List.of(), b.stopped, "a message is in hand");
        b.entity.finish();
        exchange();
        assertEquals(List.of(1), b.stopped);
    }

    @Test
    @DisplayName("HAND-04: a stashed message holds the stop, too")
    void theHomeStopsWhenNothingIsStashed() {
        homeAtB();
        b.entity.stashing = true;
        tell(a, 1);
        exchange();
        b.lane.beginHandoff(begin(V3, B, A, B), true, now);
        a.lane.beginHandoff(begin(V3, B, A, B), true, now);
        exchange();
        assertEquals(List.of(), b.stopped, "a message is stashed");
        b.entity.stashing = false;
        b.entity.last.unstash();
        exchange();
        assertEquals(List.of(1, 1), b.handled);
        assertEquals(List.of(1), b.stopped);
    }

    @Test
    void aForcedStopFailsWhatIsStashed() {
        homeAtB();
        b.entity.stashing = true;
        LaneFixture.Ask ask = a.ask(1, "x", 100_000, now);
        exchange();
        b.lane.dropShard(1, T1, now);
        exchange();
        assertEquals(FailureCode.NOT_IN_MAJORITY, ask.code);
    }

    @Test
    void aDrainNoteMayComeBeforeTheHandoff() {
        homeAtB();
        a.lane.beginHandoff(begin(V3, B, A, B), true, now);
        exchange();
        b.lane.beginHandoff(begin(V3, B, A, B), true, now);
        exchange();
        assertEquals(List.of(1), b.stopped);
    }

    @Test
    void aHandoffMayGoOnWithFewerParticipants() {
        homeAtB();
        b.lane.beginHandoff(begin(V3, B, A, B, C), true, now);
        a.lane.beginHandoff(begin(V3, B, A, B, C), true, now);
        exchange();
        assertEquals(List.of(), b.stopped);
        b.lane.beginHandoff(begin(V3, B, A, B), true, now);
        exchange();
        assertEquals(List.of(1), b.stopped);
    }

    @Test
    void anAbortedHandoffGoesOnAsBefore() {
        homeAtB();
        b.lane.beginHandoff(begin(V3, B, A, B), true, now);
        b.lane.abortHandoff(1, V3, now);
        assertEquals(List.of(1), b.aborted);
        a.lane.beginHandoff(begin(V3, B, A, B), true, now);
        tell(a, 1);
        exchange();
        assertEquals(List.of(), b.stopped);
        a.lane.showHomes(List.of(home(new FencingToken(7, 1, 4), T1, B)), now);
        exchange();
        assertEquals(List.of(1), b.handled);
    }

    @Test
    void theSenderSaysHowLongHowManyMessagesWaited() {
        homeAtB();
        a.silences.clear();
        FencingToken moved = new FencingToken(7, 1, 4);
        a.lane.beginHandoff(begin(V3, B, A, B), true, now);
        now += 30;
        tell(a, 1);
        now += 20;
        tell(a, 2);
        now += 5;
        a.lane.showHomes(List.of(home(moved, moved, C)), now);
        assertEquals(List.of(new Silence(1, moved, 25, 2, true, false)), a.silences);
        tell(a, 3);
        assertEquals(1, a.silences.size(), "it waits for nothing");
    }

    @Test
    void returnedMessagesWaitToo() {
        a.lane.showHomes(List.of(home(T1, T1, B)), now);
        b.extendLease(10_000, now);
        tell(a, 1);
        tell(a, 2);
        exchange();
        assertEquals(List.of(), a.silences);
        now += 40;
        homeAtB();
        assertEquals(List.of(new Silence(1, T1, 40, 2, false, false)), a.silences);
    }

    @Test
    void aStopThatHasBegunIsNotAborted() {
        homeAtB();
        b.entity.stubborn = true;
        tell(a, 1);
        exchange();
        b.lane.beginHandoff(begin(V3, B, B), true, now);
        b.flush(now);
        b.lane.abortHandoff(1, V3, now);
        assertEquals(List.of(), b.aborted);
        now = 200;
        b.lane.tick(now);
        b.flush(now);
        assertEquals(List.of(1), b.stopped, "HAND-01: by force");
    }

    @Test
    void aNewTermEndsHandoffsAndAsksForHomesAnew() {
        homeAtB();
        a.lane.beginHandoff(begin(V3, B, A, B), true, now);
        b.lane.beginHandoff(begin(V3, B, A, B), true, now);
        tell(a, 1);
        a.lane.cancelHandoffs(now);
        b.lane.cancelHandoffs(now);
        exchange();
        assertEquals(List.of(), b.stopped);
        a.lane.tick(now);
        assertEquals(List.of(List.of(1)), a.homesWanted, "at once: no message will say how the handoff ended");
        a.lane.showHomes(List.of(home(new FencingToken(8, 1, 1), T1, B)), now);
        exchange();
        assertEquals(List.of(1), b.handled);
    }

    @Test
    void anEntityReachesItsOwnShardWhileItDrains() {
        homeAtB();
        b.lane.beginHandoff(begin(V3, B, A, B), true, now);
        b.lane.sendFrom(1, 1, "f", "inside", null, now);
        b.flush(now);
        assertEquals(List.of("inside"), b.handled);
        b.lane.sendFrom(-1, 1, "f", "outside", null, now);
        assertEquals(1, b.lane.buffered());
    }

    @Test
    void aShardThatMovesHereGetsWhatWaited() {
        tell(b, 1);
        homeAtB();
        b.lane.showHomes(List.of(home(T1, T1, B)), now);
        b.flush(now);
        assertEquals(List.of(1), b.handled);
        assertTrue(b.lane.hosted().isLive(1, "e").orElseThrow());
        assertEquals(Optional.of(Set.of("e")), b.lane.hosted().entityIds(1, 10));
        assertEquals(List.of(new HostedShards.ShardCount(1, T1, 1, 0, 0, 0, 1, 0)), counts(b));
    }

    private static List<HostedShards.ShardCount> counts(LaneFixture at) {
        List<HostedShards.ShardCount> counts = new ArrayList<>();
        at.lane.hosted().forEach(counts::add);
        return counts;
    }

    @Test
    void aShardsBusyTimeBeginsAnewAtItsNextHome() {
        homeAtB();
        b.lane.showHomes(List.of(home(T1, T1, B)), now);
        b.entity.busy = 700;
        tell(b, 1);
        tell(b, 2);
        b.flush(now);
        assertEquals(1_400, counts(b).get(0).busyMicros());
        b.lane.beginHandoff(begin(V3, B, B), true, now);
        b.flush(now);
        assertEquals(List.of(1), b.stopped);
        assertEquals(List.of(), counts(b));
        FencingToken again = new FencingToken(7, 1, 4);
        b.lane.hostShard(1, again, now);
        b.lane.showHomes(List.of(home(again, again, B)), now);
        assertEquals(List.of(new HostedShards.ShardCount(1, again, 0, 0, 0, 0, 0, 0)), counts(b));
        tell(b, 3);
        b.flush(now);
        assertEquals(700, counts(b).get(0).busyMicros());
        assertEquals(-1, counts(b).get(0).withoutTimes().busyMicros());
    }

    @Test
    void aShardGivenAgainWhileItEndsBeginsAfterwards() {
        homeAtB();
        b.entity.stubborn = true;
        tell(a, 1);
        exchange();
        b.lane.dropShard(1, T1, now);
        b.lane.hostShard(1, T2, now);
        a.lane.showHomes(List.of(home(T2, T2, B)), now);
        tell(a, 2);
        exchange();
        assertEquals(List.of(1), b.handled);
        now = 200;
        b.lane.tick(now);
        a.lane.showHomes(List.of(home(T2, T2, B)), now);
        exchange();
        assertEquals(List.of(1, 2), b.handled);
        assertEquals(List.of(), b.stopped, "a dropped shard is not announced");
    }

    @Test
    void whatCannotBeReadOrWrittenFailsAlone() {
        homeAtB();
        LaneFixture.Ask unsendable = a.ask(1, LaneFixture.UNSENDABLE, 1_000, now);
        tell(a, 1);
        exchange();
        assertEquals(FailureCode.PAYLOAD_NOT_ENCODABLE, unsendable.code);
        b.lane.frameReceived(
                new PeerLane(C, 0),
                new FrameHead(1, 1, 0, FrameHead.Answer.NOTHING),
                List.of(new FrameItem.Undecodable(0, 1, "e", "garbage")),
                now);
        assertEquals(List.of(1), b.handled);
        assertEquals(1, b.deadLetters.size());
    }

    @Test
    void deliversToItsOwnTimersOnlyWhereTheShardIs() {
        homeAtB();
        assertTrue(b.lane.deliverHere(1, "e", "timer", now));
        assertFalse(a.lane.deliverHere(1, "e", "timer", now));
        b.flush(now);
        assertEquals(List.of("timer"), b.handled);
    }
}
