package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.hosting.RememberedStart;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A home with one entity that is at a message from the moment 0, and does not end it unless told to. */
class StuckEntityTest {
    private static final NodeId HOME = new NodeId("home");
    private static final FencingToken TOKEN = new FencingToken(7, 1, 1);
    /** The fixture's: longer than this no handoff waits for an entity. */
    private static final long PATIENCE = 500;

    private static final long DAY = 86_400_000;

    private final LaneFixture home = new LaneFixture(HOME, 10);
    private long now;

    @BeforeEach
    void hold() {
        home.extendLease(10 * DAY, now);
        home.lane.hostShard(1, TOKEN, now);
        show(1);
        takeUp();
        assertEquals(1, home.handled.size());
    }

    private void show(int version) {
        FencingToken said = new FencingToken(7, 1, version);
        home.lane.showHomes(List.of(new ShardHome(1, said, TOKEN, HOME, 1)), now);
    }

    /** The entity takes up a message and does not end it. */
    private void takeUp() {
        home.entity.holding = true;
        send("e");
    }

    private void send(String id) {
        home.lane.send(1, id, "message", null, now);
        home.flush(now);
    }

    private void begin(int version, boolean mayStay, boolean force) {
        BeginHandoff begin = new BeginHandoff(1, new FencingToken(7, 1, version), TOKEN, HOME, 1, Set.of(HOME), force);
        home.lane.beginHandoff(begin, mayStay, now);
        home.flush(now);
    }

    private void begin(int version) {
        begin(version, true, false);
    }

    @Test
    void itsShardStaysAtOnce() {
        now = PATIENCE + 1;
        begin(2);
        assertEquals(List.of(1), home.aborted);
        assertEquals(List.of("1/e 501 stays"), home.heldUp);
        assertEquals(List.of(new HoldUp("e", 501, 1, List.of())), home.causes);
        home.entity.finish();
        home.flush(now);
        assertEquals(List.of(), home.stopped, "the handoff is over");
    }

    @Test
    void itsShardStaysWhenItIsFoundOutWhileTheShardDrains() {
        begin(2);
        assertEquals(List.of(), home.aborted);
        now = PATIENCE + 1;
        begin(2);
        assertEquals(List.of(1), home.aborted);
        home.entity.finish();
        home.flush(now);
        assertEquals(List.of(), home.stopped);
    }

    @Test
    void theShardSaysWhatItWaitsFor() {
        now = 100;
        assertEquals(Map.of(), home.lane.hosted().holdUps(10), "no handoff is under way");
        NodeId other = new NodeId("other");
        FencingToken version = new FencingToken(7, 1, 2);
        home.lane.beginHandoff(new BeginHandoff(1, version, TOKEN, HOME, 1, Set.of(HOME, other), false), true, now);
        home.flush(now);
        now = 300;
        home.lane.tick(now);
        assertEquals(
                Map.of(1, new HoldUp("e", 300, 1, List.of(other))),
                home.lane.hosted().holdUps(10),
                "this node has drained");
        assertEquals(Map.of(), home.lane.hosted().holdUps(0));
        home.lane.hosted().drained(1, other, version);
        home.entity.finish();
        home.flush(now);
        assertEquals(Map.of(), home.lane.hosted().holdUps(10));
    }

    @Test
    void nodesOfAHandoffThatWasGivenUpAreNotWhatTheNextOneWaitsFor() {
        NodeId other = new NodeId("other");
        FencingToken version = new FencingToken(7, 1, 2);
        home.lane.beginHandoff(new BeginHandoff(1, version, TOKEN, HOME, 1, Set.of(HOME, other), false), true, now);
        home.lane.abortHandoff(1, version, now);
        home.flush(now);
        now = PATIENCE + 1;
        begin(3);
        assertEquals(List.of(new HoldUp(null, 0, 1, List.of(other)), new HoldUp("e", 501, 1, List.of())), home.causes);
    }

    @Test
    void whoDidNotHearThatItStaysIsToldAgain() {
        now = PATIENCE + 1;
        begin(2);
        home.entity.finish();
        now++;
        begin(2);
        assertEquals(List.of(1, 1), home.aborted);
        assertEquals(List.of(), home.stopped);
    }

    @Test
    void anEntityThatIsNotLateYetIsWaitedFor() {
        now = PATIENCE;
        begin(2);
        assertEquals(List.of(), home.aborted);
        home.entity.finish();
        home.flush(now);
        assertEquals(List.of(1), home.stopped);
    }

    @Test
    void longWorkThatEndsKeepsItsShardOnceOnly() {
        now = PATIENCE + 1;
        begin(2);
        home.entity.finish();
        now += 1;
        show(3);
        takeUp();
        now += PATIENCE + 1;
        begin(4);
        assertEquals(List.of(1), home.aborted, "it has shown that its messages end");
        home.entity.finish();
        home.flush(now);
        assertEquals(List.of(1), home.stopped);
    }

    @Test
    void theSameMessageKeepsItsShardEachTime() {
        now = PATIENCE + 1;
        begin(2);
        now = 10 * PATIENCE;
        begin(3);
        assertEquals(List.of(1, 1), home.aborted);
    }

    @Test
    void whatKeptItsShardLongAgoIsForgotten() {
        now = PATIENCE + 1;
        begin(2);
        home.entity.finish();
        now += 3 * DAY;
        show(3);
        takeUp();
        now += PATIENCE + 1;
        begin(4);
        assertEquals(List.of(1, 1), home.aborted);
    }

    @Test
    void aStuckStartForWhichMessagesWaitKeepsItsShard() {
        home.entity.finish();
        home.entity.holdingStart = true;
        send("s");
        now = PATIENCE + 1;
        begin(2);
        assertEquals(List.of(1), home.aborted);
        assertEquals(List.of("1/s 501 stays"), home.heldUp);
    }

    @Test
    void aStuckStartWithoutWaitersKeepsNoShard() {
        home.entity.finish();
        home.entity.holdingStart = true;
        RememberedStart.start(home.lane.hosted(), 1, "s");
        now = PATIENCE + 1;
        begin(2);
        assertEquals(List.of(), home.aborted);
        now += PATIENCE;
        home.lane.tick(now);
        home.flush(now);
        assertEquals(List.of(1), home.stopped);
    }

    @Test
    void aGivenUpHandoffNamesIt() {
        begin(2);
        now = 100;
        home.lane.abortHandoff(1, new FencingToken(7, 1, 2), now);
        assertEquals(List.of("1/e 100 stays"), home.heldUp);
    }

    @Test
    void aRegionThatLeavesWaitsForItAndSaysSo() {
        begin(2, false, false);
        assertEquals(List.of(), home.heldUp);
        now = PATIENCE + 1;
        begin(2, false, false);
        assertEquals(List.of("1/e 501 waits"), home.heldUp);
        assertEquals(List.of(), home.aborted);
        home.entity.finish();
        home.flush(now);
        assertEquals(List.of(1), home.stopped);
    }

    @Test
    void forceEndsItAlsoAfterTheHomeHasDeclined() {
        now = PATIENCE + 1;
        begin(2);
        begin(2, true, true);
        now += PATIENCE;
        home.lane.tick(now);
        home.flush(now);
        assertEquals(List.of(1), home.stopped);
    }
}
