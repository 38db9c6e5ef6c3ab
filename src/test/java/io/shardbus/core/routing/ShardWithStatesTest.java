package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A shard that came from node a with the states of two entities is at home here, and moves on to c. */
class ShardWithStatesTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final FencingToken T1 = new FencingToken(7, 1, 1);
    private static final FencingToken T2 = new FencingToken(7, 1, 2);
    private static final FencingToken V3 = new FencingToken(7, 1, 3);

    private final LaneFixture b = new LaneFixture(B, 10);
    private long framesOfC;

    private static FrameItem.State state(String entity, int remaining) {
        return new FrameItem.State(1, T1, new EntityState(entity, 1, new byte[8]), remaining);
    }

    private void receive(NodeId from, long number, FrameItem... items) {
        FrameHead head = new FrameHead(1, number, 0, FrameHead.Answer.NOTHING);
        b.lane.frameReceived(new PeerLane(from, 0), head, List.of(items), 0);
        b.flush(0);
    }

    private void comesWithStates() {
        b.extendLease(10_000, 0);
        b.lane.hosted().fetchStates(T2, new ShardHome(1, T1, T1, A, 1));
        receive(A, 1, state("e1", 2), state("e2", 1), new FrameItem.State(1, T1, null, 0));
        b.lane.hostShard(1, T2, 0);
    }

    private void moves() {
        b.lane.beginHandoff(new BeginHandoff(1, V3, T2, B, 1, Set.of(B), false), true, 0);
        b.flush(0);
    }

    private List<String> statesForC() {
        receive(C, ++framesOfC, new FrameItem.WantStates(1, T2));
        return b.framesTo(C).stream()
                .flatMap(frame -> frame.items().stream())
                .filter(FrameItem.State.class::isInstance)
                .map(FrameItem.State.class::cast)
                .filter(item -> item.state() != null)
                .map(item -> item.state().entityId())
                .toList();
    }

    @Test
    void statesThatWereNotFetchedMoveOn() {
        comesWithStates();
        moves();
        assertEquals(Set.of(1), b.stoppedWithStates);
        assertEquals(List.of("e1", "e2"), statesForC());
        assertEquals(Map.of(), b.outcomes);
    }

    @Test
    void aRegionThatEndsWaitsForTheNodesThatMayFetchThemAndForNoneThatIsNotThere() {
        comesWithStates();
        moves();
        b.lane.nodeGone(A, 0);
        b.lane.stopAll(StopReason.SHUTDOWN, 0);
        b.flush(0);
        assertEquals(0, b.allStopped, "another node may ask");
        b.alone = true;
        b.flush(0);
        assertEquals(1, b.allStopped);
        assertEquals(Map.of(StateTransferOutcome.LOST, 2), b.outcomes);
    }

    @Test
    void theyMoveOnAlsoWhereTheLastEntityEndsAtOnce() {
        comesWithStates();
        b.lane.deliverHere(1, "e1", "hello", 0);
        moves();
        assertEquals(Set.of(1), b.stoppedWithStates, "the state of e2");
        assertEquals(List.of("e2"), statesForC());
        assertEquals(0, b.lane.hosted().transfers().bytes());
    }

    @Test
    void theyAreCountedWhereTheShardEndsForAnotherReason() {
        comesWithStates();
        b.lane.deliverHere(1, "e1", "hello", 0);
        b.lane.hosted().stop(1, T2);
        assertEquals(Set.of(), b.stoppedWithStates);
        assertEquals(Map.of(StateTransferOutcome.LOST, 1), b.outcomes);
        assertEquals(List.of(), statesForC());
    }
}
