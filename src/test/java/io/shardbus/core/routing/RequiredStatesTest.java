package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shard 1 has entities x and y, and is to leave with what they know, of which an entity may have 100 bytes. */
class RequiredStatesTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final FencingToken T1 = new FencingToken(7, 1, 1);
    private static final FencingToken V2 = new FencingToken(7, 1, 2);
    private static final FencingToken V3 = new FencingToken(7, 1, 3);

    /** Sends to the shard, and does not take part in its handoffs. */
    private final LaneFixture a = new LaneFixture(A, 10);

    private final LaneFixture b = new LaneFixture(B, 10, 0, true);

    @BeforeEach
    void isAtHome() {
        b.extendLease(10_000, 0);
        b.lane.hostShard(1, T1, 0);
        b.lane.deliverHere(1, "x", "hello", 0);
        b.lane.deliverHere(1, "y", "hello", 0);
        b.offers.putAll(Map.of("x", 8, "y", 8));
    }

    private void moves(FencingToken version, boolean mayStay) {
        b.lane.beginHandoff(new BeginHandoff(1, version, T1, B, 1, Set.of(B), false), mayStay, 0);
        b.lane.hosted().drained(1, B, version);
        b.flush(0);
    }

    private LaneFixture.Ask sendsToX() {
        a.knows(B);
        b.knows(A);
        a.lane.showHomes(List.of(new ShardHome(1, T1, T1, B, 1)), 0);
        LaneFixture.Ask ask = new LaneFixture.Ask(60_000);
        a.lane.send(1, "x", "told", null, 0);
        a.lane.send(1, "x", "asked", ask, 0);
        a.flush(0);
        a.framesTo(B).forEach(frame -> b.receive(A, frame, 0));
        b.flush(0);
        b.framesTo(A).forEach(frame -> a.receive(B, frame, 0));
        a.flush(0);
        return ask;
    }

    private void assertThatAKeepsBoth(LaneFixture.Ask ask) {
        assertEquals(Set.of(1), b.stoppedWithStates);
        assertEquals(List.of("hello", "hello"), b.handled);
        assertEquals(List.of(), b.deadLetters);
        assertNull(ask.code);
        assertEquals(2, a.lane.buffered());
        assertEquals(List.of(List.of(1)), a.homesWanted);
    }

    private long bytes() {
        return b.lane.hosted().transfers().bytes();
    }

    @Test
    void itGoesWhenAllThatTheyKnowCanMove() {
        moves(V2, true);
        assertEquals(List.of(1), b.stopped);
        assertEquals(Set.of(1), b.stoppedWithStates);
        assertEquals(16, bytes());
        assertEquals(List.of(), b.declined);
    }

    @Test
    void itStaysWithAllOfThemWhenOneCannot() {
        b.offers.put("y", 101);
        moves(V2, true);
        assertEquals(List.of(), b.stopped);
        assertEquals(List.of(1), b.aborted);
        assertEquals(List.of("1/y 101: it has more than maxPayloadBytes, 100"), b.declined);
        assertEquals(List.of(new HoldUp("y", 0, 2, List.of())), b.causes);
        assertEquals(0, bytes());
        b.lane.deliverHere(1, "x", "again", 0);
        b.lane.deliverHere(1, "y", "again", 0);
        b.flush(0);
        assertEquals(List.of("hello", "hello", "again", "again"), b.handled, "they go on");
        b.offers.put("y", 100);
        moves(V3, true);
        assertEquals(Set.of(1), b.stoppedWithStates, "the next try");
    }

    @Test
    void theirOwnMessagesWaitWhileTheyAreAsked() {
        b.offering.put("y", () -> {});
        moves(V2, true);
        b.lane.deliverHere(1, "x", "timer", 1);
        b.flush(1);
        assertEquals(List.of("hello", "hello"), b.handled, "what x has said would not be true any more");
        b.lane.abortHandoff(1, V2, 2);
        b.flush(2);
        assertEquals(List.of("hello", "hello", "timer"), b.handled);
        assertEquals(List.of("1/y 0: handOver has not ended"), b.declined);
        b.offering.remove("y").run();
        assertEquals(0, bytes(), "it comes too late");
        moves(V3, true);
        assertEquals(16, bytes());
    }

    private void abortsWhileTheThreadOfYIsAtItsHandOver() {
        b.offering.put("y", () -> {});
        b.onThreads.add("y");
        moves(V2, true);
        b.lane.abortHandoff(1, V2, 1);
        b.lane.deliverHere(1, "x", "for x", 1);
        b.lane.deliverHere(1, "y", "for y", 1);
        b.flush(1);
        b.lane.tick(2);
        b.flush(2);
        assertEquals(List.of("hello", "hello", "for x"), b.handled, "y's code is on its thread");
        b.onThreads.clear();
    }

    @Test
    void anEntityWhoseHandOverHasAThreadGoesOnWhenThatHasReturned() {
        abortsWhileTheThreadOfYIsAtItsHandOver();
        b.offering.remove("y").run();
        b.flush(3);
        assertEquals(List.of("hello", "hello", "for x", "for y"), b.handled);
        assertEquals(0, bytes(), "the shard stays");
        moves(V3, true);
        assertEquals(16, bytes());
        assertEquals(Set.of(1), b.stoppedWithStates);
    }

    @Test
    void anEntityGoesOnThoughTheFutureOfItsHandOverIsNotComplete() {
        abortsWhileTheThreadOfYIsAtItsHandOver();
        b.lane.tick(3);
        b.flush(3);
        assertEquals(List.of("hello", "hello", "for x", "for y"), b.handled);
    }

    @Test
    void whatAnEntityWritesToAnotherWhileTheyAreAskedWaitsForTheNextHome() {
        b.lane.showHomes(List.of(new ShardHome(1, T1, T1, B, 1)), 0);
        b.offering.put("y", () -> {});
        moves(V2, true);
        b.lane.sendFrom(1, 1, "x", "transfer", null, 1);
        var ask = new LaneFixture.Ask(5000);
        b.lane.sendFrom(1, 1, "x", "question", ask, 1);
        b.flush(1);
        b.offering.remove("y").run();
        b.flush(2);
        assertEquals(Set.of(1), b.stoppedWithStates);
        assertEquals(List.of("hello", "hello"), b.handled, "x has said what it knows");
        assertEquals(List.of(), b.deadLetters);
        assertNull(ask.code);
        assertEquals(2, b.lane.buffered());
    }

    @Test
    void whatANodeThatDoesNotTakePartSendsMeanwhileGoesBack() {
        b.offering.put("y", () -> {});
        moves(V2, true);
        LaneFixture.Ask ask = sendsToX();
        b.offering.remove("y").run();
        b.flush(1);
        assertThatAKeepsBoth(ask);
    }

    @Test
    void soDoesWhatItSendsToARegionThatLeavesMeanwhile() {
        b.offering.put("y", () -> {});
        moves(V2, true);
        LaneFixture.Ask ask = sendsToX();
        moves(V3, false);
        b.offering.remove("y").run();
        b.flush(1);
        assertThatAKeepsBoth(ask);
    }

    @Test
    void whatAnEntityWritesToAnotherWhileTheyAreAskedComesWhenTheyStay() {
        b.lane.showHomes(List.of(new ShardHome(1, T1, T1, B, 1)), 0);
        b.offering.put("y", () -> {});
        moves(V2, true);
        b.lane.sendFrom(1, 1, "x", "transfer", null, 1);
        b.lane.abortHandoff(1, V2, 2);
        b.lane.showHomes(List.of(new ShardHome(1, V3, T1, B, 1)), 2);
        b.flush(2);
        assertEquals(List.of("hello", "hello", "transfer"), b.handled);
    }

    @Test
    void anAskThatEndedWhileTheyWereAskedIsNotHandledWhenTheyStay() {
        b.lane.showHomes(List.of(new ShardHome(1, T1, T1, B, 1)), 0);
        b.offering.put("y", () -> {});
        moves(V2, true);
        var ask = new LaneFixture.Ask(50);
        b.lane.sendFrom(1, 1, "x", "question", ask, 1);
        b.lane.tick(70);
        assertEquals(FailureCode.TIMED_OUT, ask.code);
        b.lane.abortHandoff(1, V2, 71);
        b.flush(71);
        assertEquals(List.of("hello", "hello"), b.handled);
        assertEquals(0, b.lane.buffered());
    }

    /** Else what it writes once the shard stays would overtake it. */
    @Test
    void whatAnEntityWroteWhileTheyWereAskedComesBeforeWhatItWritesWhenTheyStay() {
        b.lane.showHomes(List.of(new ShardHome(1, T1, T1, B, 1)), 0);
        b.offering.put("y", () -> {});
        moves(V2, true);
        b.lane.sendFrom(1, 1, "y", "first", null, 1);
        b.lane.sendFrom(1, 1, "y", "second", null, 1);
        b.lane.send(1, "y", "from outside", null, 1);
        b.lane.abortHandoff(1, V2, 2);
        b.lane.sendFrom(1, 1, "y", "third", null, 2);
        b.flush(2);
        assertEquals(1, b.lane.buffered(), "what comes from outside waits for word of the home");
        b.lane.showHomes(List.of(new ShardHome(1, V3, T1, B, 1)), 3);
        b.flush(3);
        assertEquals(List.of("hello", "hello", "first", "second", "third", "from outside"), b.handled);
        assertEquals(0, b.lane.buffered());
    }

    @Test
    void aRegionThatLeavesTakesWhatCanMoveAndSaysWhatCannot() {
        b.offering.put("y", () -> {});
        b.offers.put("y", 101);
        moves(V2, true);
        moves(V3, false);
        assertEquals(List.of(), b.stopped, "y is asked");
        b.offering.remove("y").run();
        b.flush(3);
        assertEquals(Set.of(1), b.stoppedWithStates);
        assertEquals(8, bytes());
        assertEquals(Map.of(StateTransferOutcome.TOO_LARGE, 1), b.outcomes);
        assertEquals(List.of(), b.declined);
    }

    @Test
    void anEndForAnotherReasonTakesNothingAlong() {
        b.offering.put("y", () -> {});
        moves(V2, true);
        b.lane.stopAll(StopReason.LEASE_LOST, 1);
        b.offering.remove("y").run();
        b.flush(1);
        assertEquals(0, bytes());
        assertEquals(Set.of(), b.stoppedWithStates);
    }
}
