package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Senders hear when too much waits on a way, and one slow home leaves room for the others. */
class WriteQueueTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final int BUFFER = 100;
    private static final int MARK = BUFFER / 10;

    private final LaneFixture a = new LaneFixture(A, BUFFER);
    private final LaneFixture b = new LaneFixture(B, BUFFER);

    @BeforeEach
    void theyKnowEachOther() {
        a.knows(B);
        b.knows(A);
    }

    private static FencingToken token(int sequence) {
        return new FencingToken(7, 1, sequence);
    }

    private void home(int shard, NodeId node) {
        a.lane.showHomes(List.of(new ShardHome(shard, token(shard), token(shard), node, 1)), 0);
    }

    private void tell(int shard, int count) {
        for (int i = 0; i < count; i++) {
            a.lane.send(shard, "e", i, null, 0);
        }
    }

    private List<String> ways() {
        List<String> heard = new ArrayList<>(a.ways);
        a.ways.clear();
        return heard;
    }

    private void exchange() {
        for (int i = 0; i < 20; i++) {
            a.flush(0);
            b.flush(0);
            a.framesTo(B).forEach(frame -> b.receive(A, frame, 0));
            b.framesTo(A).forEach(frame -> a.receive(B, frame, 0));
        }
    }

    @Test
    void aWayWithoutAHomeIsFullUntilItsMessagesHaveLeft() {
        tell(1, MARK - 1);
        assertEquals(List.of(), ways());
        tell(1, 1);
        assertEquals(List.of("full 1"), ways());
        a.extendLease(1_000, 0);
        a.lane.hostShard(1, token(1), 0);
        home(1, A);
        assertEquals(List.of("free 1"), ways());
    }

    @Test
    void allWaysToASlowHomeAreFullUntilItHasAnsweredHalf() {
        home(1, B);
        home(2, B);
        home(3, C);
        tell(2, 1);
        tell(1, MARK);
        a.flush(0);
        assertEquals(List.of("full 1", "full 2"), ways());
        tell(1, 1);
        a.flush(0);
        assertEquals(List.of(), ways(), "said once");
        b.extendLease(1_000, 0);
        b.lane.hostShard(1, token(1), 0);
        b.lane.hostShard(2, token(2), 0);
        exchange();
        assertEquals(List.of("free 1", "free 2"), ways());
        assertEquals(0, a.lane.buffered());
    }

    @Test
    void aSlowHomeLeavesAQuarterOfTheBufferToOthers() {
        home(1, B);
        home(3, C);
        tell(1, BUFFER);
        assertEquals(BUFFER * 3 / 4, a.lane.buffered());
        assertEquals(BUFFER / 4, a.deadLetters.size());
        tell(3, BUFFER / 10);
        assertEquals(BUFFER / 4, a.deadLetters.size(), "room for another home");
    }

    @Test
    void whatTheBufferHasAcceptedGoesToASlowHomeWholeAndInOrder() {
        for (int i = 0; i < BUFFER + 2; i++) {
            a.lane.send(1, "e", i, null, 0);
        }
        assertEquals(
                List.of(BUFFER + " REGION_BUFFER_FULL", (BUFFER + 1) + " REGION_BUFFER_FULL"),
                a.deadLetters,
                "the last, at once");
        home(1, B);
        a.flush(0);
        assertEquals(BUFFER, a.lane.buffered(), "all that it has accepted");
        tell(1, 1);
        assertEquals(3, a.deadLetters.size(), "there is no place yet");
        b.extendLease(1_000, 0);
        b.lane.hostShard(1, token(1), 0);
        exchange();
        assertEquals(IntStream.range(0, BUFFER).boxed().toList(), b.handled);
        assertEquals(3, a.deadLetters.size());
        assertEquals(0, a.lane.buffered());
    }

    @Test
    void aRefusalSaysHowManyMessagesWaitAndForWhom() {
        LaneFixture.Ask last = null;
        for (int i = 0; i <= BUFFER; i++) {
            last = a.ask(1, i, 1_000, 0);
        }
        assertEquals("shard 1: 100 of 100 messages wait on this lane of the region", last.text);
    }

    @Test
    void aRefusalForASlowHomeSaysWhatItLeavesToOthers() {
        home(1, B);
        tell(1, BUFFER * 3 / 4);
        assertEquals(
                "shard 1: 75 messages wait for its home b, which leaves 25 of 100 places on this"
                        + " lane of the region to others",
                a.ask(1, "one more", 1_000, 0).text);
    }

    @Test
    void aHomeThatIsGoneKeepsNoSenderWaiting() {
        home(1, B);
        home(2, B);
        tell(1, MARK);
        a.flush(0);
        assertEquals(List.of("full 1", "full 2"), ways());
        a.lane.nodeGone(B, 0);
        a.flush(0);
        assertEquals(List.of("free 1", "free 2"), ways());
    }

    @Test
    void aWayWhoseHomeIsNotBelievedAnyMoreIsNotFullForThatHomesSake() {
        home(1, B);
        home(2, B);
        tell(1, MARK);
        a.flush(0);
        assertEquals(List.of("full 1", "full 2"), ways());
        a.lane.beginHandoff(new BeginHandoff(2, token(12), token(2), B, 1, Set.of(A, B), false), true, 0);
        a.lane.cancelHandoffs(0);
        a.flush(0);
        assertEquals(List.of("free 2"), ways());
    }

    @Test
    void whatIsTakenBackFromASlowHomeDoesNotCountAgainstIt() {
        LaneFixture wide = new LaneFixture(A, 4 * BUFFER);
        wide.knows(B);
        wide.lane.showHomes(List.of(new ShardHome(1, token(1), token(1), B, 1)), 0);
        wide.lane.showHomes(List.of(new ShardHome(2, token(2), token(2), B, 1)), 0);
        for (int i = 0; i < 4 * MARK; i++) {
            wide.lane.send(1, "e", i, null, 0);
        }
        wide.flush(0);
        assertEquals(List.of("full 1", "full 2"), wide.ways);
        wide.lane.showHomes(List.of(new ShardHome(1, token(11), token(11), C, 1)), 0);
        wide.flush(0);
        assertEquals(List.of("full 1", "full 2", "free 2"), wide.ways, "16 are under way, 24 came back");
    }

    @Test
    void aRegionThatHasLeftKeepsNoSenderWaiting() {
        home(1, B);
        tell(1, MARK);
        tell(3, MARK);
        a.flush(0);
        assertEquals(List.of("full 3", "full 1"), ways());
        a.lane.stopAll(StopReason.SHUTDOWN, 0);
        a.flush(1_000);
        assertEquals(1, a.allStopped);
        assertEquals(List.of("free 1", "free 3"), ways());
    }
}
