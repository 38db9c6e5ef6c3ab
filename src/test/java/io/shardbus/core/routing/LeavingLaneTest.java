package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a lane that ends waits: for messages that have no home, and for those who may still send to it. */
class LeavingLaneTest {
    private static final long LEASE = 1_000;

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final FencingToken TOKEN = new FencingToken(7, 1, 1);
    private static final FencingToken FIRST = new FencingToken(7, 1, 2);
    private static final FencingToken SHOWN = new FencingToken(8, 2, 1);
    private static final FencingToken SECOND = new FencingToken(8, 2, 2);

    private final LaneFixture lane = new LaneFixture(A, 10);
    private final LaneFixture other = new LaneFixture(B, 10);

    private void stop(long now) {
        lane.lane.stopAll(StopReason.SHUTDOWN, now);
        turn(now);
    }

    private void turn(long now) {
        lane.lane.tick(now);
        lane.flush(now);
    }

    private static BeginHandoff begin(FencingToken version) {
        return new BeginHandoff(1, version, TOKEN, A, 1, Set.of(A, B), false);
    }

    private void exchange(long now) {
        for (int i = 0; i < 10; i++) {
            lane.flush(now);
            other.flush(now);
            lane.framesTo(B).forEach(frame -> other.receive(A, frame, now));
            other.framesTo(A).forEach(frame -> lane.receive(B, frame, now));
        }
    }

    /**
     * The shard stops in one reign; the next takes it for at home here, says so, and lets it go: the other has not
     * heard that yet.
     */
    private void stopsAcrossReigns(boolean drained) {
        stopsAcrossReigns(drained, false);
    }

    /** @param stopped whether the shard has stopped before the new reign lets it go */
    private void stopsAcrossReigns(boolean drained, boolean stopped) {
        isTakenForAtHomeWhileItStops();
        if (stopped) {
            hasStopped();
        }
        if (drained) {
            otherDrains();
        }
        lane.lane.beginHandoff(begin(SECOND), false, 0);
        hasStopped();
        ends(drained);
    }

    private void isTakenForAtHomeWhileItStops() {
        lane.entity.stubborn = true;
        lane.extendLease(10_000, 0);
        lane.lane.hostShard(1, TOKEN, 0);
        other.lane.showHomes(List.of(new ShardHome(1, TOKEN, TOKEN, A, 1)), 0);
        other.ask(1, "x", 100, 0);
        exchange(0);
        lane.lane.beginHandoff(begin(FIRST), false, 0);
        other.lane.beginHandoff(begin(FIRST), true, 0);
        exchange(0);
        lane.lane.cancelHandoffs(0);
        other.lane.cancelHandoffs(0);
        other.lane.showHomes(List.of(new ShardHome(1, SHOWN, TOKEN, A, 1)), 0);
        assertEquals(List.of(), lane.stopped);
    }

    private void hasStopped() {
        turn(200);
        assertEquals(List.of(1), lane.stopped);
    }

    private void otherDrains() {
        other.lane.beginHandoff(begin(SECOND), true, 0);
        exchange(0);
    }

    private void ends(boolean drained) {
        stop(200);
        exchange(200);
        assertEquals(drained ? 1 : 0, lane.allStopped, "the other may still send");
    }

    private void sendsUntilItDrains() {
        other.lane.send(1, "e", "late", null, 200);
        other.flush(200);
        other.lane.beginHandoff(begin(SECOND), true, 200);
        exchange(200);
        turn(200);
        assertEquals(1, lane.allStopped);
        other.lane.nodeGone(A, 200);
        assertEquals(List.of(), other.deadLetters);
        assertEquals(1, other.lane.buffered(), "it waits for the next home");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitsForWhoHeardOfAShardHereWhileItStopped(boolean stopped) {
        stopsAcrossReigns(false, stopped);
        sendsUntilItDrains();
    }

    /** The region does not leave yet when the new reign moves the shard, and leaves a moment later. */
    @Test
    void waitsForThemAlsoWhereTheSecondMoveIsNoneOfARegionThatLeaves() {
        isTakenForAtHomeWhileItStops();
        lane.lane.beginHandoff(begin(SECOND), true, 0);
        hasStopped();
        ends(false);
        sendsUntilItDrains();
    }

    @Test
    void aDrainThatCameWhileTheShardStoppedCountsWhenItHasStopped() {
        isTakenForAtHomeWhileItStops();
        otherDrains();
        hasStopped();
        lane.lane.beginHandoff(begin(SECOND), false, 0);
        ends(true);
    }

    @Test
    void aDrainEndsTheWait() {
        stopsAcrossReigns(false);
        other.lane.beginHandoff(begin(SECOND), true, 200);
        exchange(200);
        assertEquals(1, lane.allStopped);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void doesNotWaitForWhoHasDrainedBefore(boolean stopped) {
        stopsAcrossReigns(true, stopped);
        assertEquals(1, lane.allStopped);
    }

    @Test
    void doesNotWaitForARepeatedHandoffThatIsThrough() {
        lane.extendLease(10_000, 0);
        lane.lane.hostShard(1, TOKEN, 0);
        lane.lane.beginHandoff(begin(FIRST), false, 0);
        other.lane.beginHandoff(begin(FIRST), true, 0);
        exchange(0);
        assertEquals(List.of(1), lane.stopped);
        lane.lane.beginHandoff(begin(FIRST), false, 0);
        stop(0);
        assertEquals(1, lane.allStopped);
    }

    @Test
    void doesNotWaitForWhoIsGone() {
        stopsAcrossReigns(false);
        lane.lane.nodeGone(B, 200);
        turn(200);
        assertEquals(1, lane.allStopped);
    }

    @Test
    void doesNotWaitForADrainThatIsOverWithItsReign() {
        stopsAcrossReigns(false);
        lane.lane.cancelHandoffs(200);
        turn(200);
        assertEquals(1, lane.allStopped);
    }

    @Test
    void doesNotWaitForADrainForEver() {
        stopsAcrossReigns(false);
        turn(200 + LEASE - 1);
        assertEquals(0, lane.allStopped);
        turn(200 + LEASE);
        assertEquals(1, lane.allStopped);
    }

    @Test
    void anAskThatIsOverIsNotWaitedFor() {
        LaneFixture.Ask ask = lane.ask(1, "x", 100, 0);
        turn(120);
        assertEquals(FailureCode.TIMED_OUT, ask.code);
        stop(120);
        assertEquals(1, lane.allStopped);
        assertEquals(0, lane.lane.buffered());
        assertEquals(List.of(), lane.deadLetters);
    }

    @Test
    void anAskIsWaitedForUntilItsDeadline() {
        LaneFixture.Ask ask = lane.ask(1, "x", 100, 0);
        stop(0);
        turn(90);
        assertEquals(0, lane.allStopped);
        turn(120);
        assertEquals(FailureCode.TIMED_OUT, ask.code);
        assertEquals(1, lane.allStopped);
    }

    @Test
    void aTellIsWaitedForALeaseAndThenCounted() {
        lane.ask(1, "asked", 100, 0);
        lane.lane.send(1, "e", "told", null, 0);
        stop(0);
        turn(LEASE - 1);
        assertEquals(0, lane.allStopped);
        assertEquals(1, lane.lane.buffered());
        turn(LEASE);
        assertEquals(1, lane.allStopped);
        assertEquals(List.of("told SHUTTING_DOWN"), lane.deadLetters);
    }
}
