package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A home of one shard, and a participant of its handoff that does not drain. */
class UndrainedHandoffTest {
    private static final NodeId HOME = new NodeId("home");
    private static final NodeId STUCK = new NodeId("stuck");
    private static final FencingToken TOKEN = new FencingToken(7, 1, 1);
    /** Three eighths of the fixture's lease. */
    private static final long PATIENCE = 375;

    private final LaneFixture home = new LaneFixture(HOME, 10);

    @BeforeEach
    void host() {
        home.extendLease(1_000_000, 0);
        home.lane.hostShard(1, TOKEN, 0);
        home.lane.showHomes(List.of(new ShardHome(1, new FencingToken(7, 1, 2), TOKEN, HOME, 1)), 0);
    }

    private void begin(boolean mayStay, long now) {
        BeginHandoff begin = new BeginHandoff(1, new FencingToken(7, 1, 3), TOKEN, HOME, 1, Set.of(HOME, STUCK), false);
        home.lane.beginHandoff(begin, mayStay, now);
        home.flush(now);
    }

    private void tick(long now) {
        home.lane.tick(now);
        home.flush(now);
    }

    @Test
    void theShardStaysAfterThreeEighthsOfALease() {
        begin(true, 0);
        tick(PATIENCE - 1);
        assertEquals(List.of(), home.aborted);
        tick(PATIENCE);
        assertEquals(List.of(1), home.aborted);
        assertEquals(List.of("1 [stuck]"), home.undrained);
        home.lane.send(1, "e", "message", null, PATIENCE);
        home.lane.showHomes(List.of(new ShardHome(1, new FencingToken(7, 1, 4), TOKEN, HOME, 1)), PATIENCE);
        home.flush(PATIENCE);
        assertEquals(List.of("message"), home.handled, "its entities are served again");
    }

    @Test
    void aRepeatedBeginIsNoReasonToWaitLonger() {
        begin(true, 0);
        begin(true, PATIENCE - 1);
        tick(PATIENCE);
        begin(true, PATIENCE + 1);
        assertEquals(List.of(1, 1), home.aborted, "and the coordinator hears the answer again");
        assertEquals(List.of(), home.stopped);
    }

    @Test
    void aShardOfARegionThatLeavesWaits() {
        begin(false, 0);
        tick(10 * PATIENCE);
        assertEquals(List.of(), home.aborted);
    }

    @Test
    void workThatTakesLongIsNoLateDrain() {
        home.entity.holding = true;
        home.lane.send(1, "e", "long", null, 0);
        home.flush(0);
        BeginHandoff begin = new BeginHandoff(1, new FencingToken(7, 1, 3), TOKEN, HOME, 1, Set.of(HOME), false);
        home.lane.beginHandoff(begin, true, 0);
        tick(PATIENCE + 1);
        assertEquals(List.of(), home.aborted);
        home.entity.finish();
        tick(PATIENCE + 2);
        assertEquals(List.of(1), home.stopped);
    }
}
