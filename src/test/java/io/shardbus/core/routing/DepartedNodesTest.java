package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What lane a remembers of nodes that left the cluster, and how it goes on with those that come back as themselves. */
class DepartedNodesTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final FencingToken TOKEN = new FencingToken(7, 1, 1);

    private final LaneFixture a = new LaneFixture(A, 10);
    private final LaneFixture b = new LaneFixture(B, 10);
    private long now;
    private long statements;

    private static void homeAt(NodeId node, LaneFixture there, LaneFixture sender, long now) {
        there.extendLease(1_000_000, now);
        there.lane.hostShard(1, TOKEN, now);
        sender.lane.showHomes(List.of(new ShardHome(1, TOKEN, TOKEN, node, 1)), now);
    }

    private void exchange(LaneFixture x, NodeId nameOfX, LaneFixture y, NodeId nameOfY) {
        for (int i = 0; i < 10; i++) {
            x.flush(now);
            y.flush(now);
            x.framesTo(nameOfY).forEach(frame -> y.receive(nameOfX, frame, now));
            y.framesTo(nameOfX).forEach(frame -> x.receive(nameOfY, frame, now));
        }
    }

    private void tick(LaneFixture... lanes) {
        now += 10;
        for (LaneFixture one : lanes) {
            one.lane.tick(now);
            one.flush(now);
        }
    }

    private void tell(LaneFixture from, Object message) {
        from.lane.send(1, "e", message, null, now);
    }

    private void restarts(int count, String name) {
        for (int i = 0; i < count; i++) {
            NodeId life = new NodeId(name + i);
            a.lane.nodeBack(life, now);
            a.knows(life);
            a.lane.showHomes(List.of(new ShardHome(2, new FencingToken(8, 1, ++statements), TOKEN, life, 1)), now);
            a.lane.send(2, "e", i, null, now);
            tick(a);
            assertEquals(1, a.framesTo(life).size());
            a.lane.nodeGone(life, now);
            tick(a);
        }
        tick(a);
    }

    @Test
    void aThousandRestartsOfAPeerLeaveABoundedTable() {
        restarts(1_000, "life");
        Channels channels = a.lane.channels();
        assertEquals(List.of(), channels.all(), "a tick walks over none of them");
        assertEquals(Channels.MOST_DEPARTED, channels.remembered());
        assertEquals(0, a.lane.buffered());
    }

    @Test
    void aNodeThatComesBackAsItselfGoesOnWithTheNumbersOfBefore() {
        homeAt(A, a, b, now);
        List<LaneFixture.Frame> early = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            tell(b, i);
            b.flush(now);
            early.addAll(b.framesTo(A));
            early.forEach(frame -> a.receive(B, frame, now));
            exchange(a, A, b, B);
        }
        assertEquals(List.of(1, 2, 3), a.handled);
        tick(a, b);
        now += 2_000;
        a.lane.nodeGone(B, now);
        tick(a);
        tick(a);
        assertEquals(List.of(), a.lane.channels().all());
        a.framesTo(B);
        early.forEach(frame -> a.receive(B, frame, now));
        tick(a);
        tick(a);
        assertEquals(List.of(1, 2, 3), a.handled, "what comes late was taken before");
        assertEquals(List.of(), a.lane.channels().all(), "a late frame keeps nothing awake");
        a.framesTo(B);
        a.lane.nodeBack(B, now);
        restarts(Channels.MOST_DEPARTED + 1, "another");
        tell(b, 4);
        exchange(a, A, b, B);
        early.forEach(frame -> a.receive(B, frame, now));
        assertEquals(List.of(1, 2, 3, 4), a.handled, "it never knew that it had left");
    }

    /** A first message from a to b. */
    private void sendsToB() {
        homeAt(B, b, a, now);
        tell(a, 1);
        exchange(a, A, b, B);
    }

    /** A lane in the place of an earlier one of the same node, as when its region has left and was started again. */
    private LaneFixture another(NodeId node) {
        now += 5;
        return new LaneFixture(node, 10, now);
    }

    @Test
    void aLaneThatTakesTheOldOnesPlaceAndSaysSoIsSentToAtOnce() {
        sendsToB();
        LaneFixture next = another(B);
        next.lane.greet(new PeerLane(A, 0), now);
        exchange(a, A, next, B);
        homeAt(B, next, a, now);
        tell(a, 2);
        exchange(a, A, next, B);
        assertEquals(List.of(2), next.handled);
        assertEquals(0, a.lane.buffered());
        next.lane.greet(new PeerLane(A, 0), now);
        tell(a, 3);
        exchange(a, A, next, B);
        assertEquals(List.of(2, 3), next.handled, "to say it again changes nothing");
    }

    @Test
    void whatIsSentToALaneWithoutKnowingThatItIsNewHasAnUnknownOutcomeAtOnce() {
        sendsToB();
        LaneFixture next = another(B);
        homeAt(B, next, a, now);
        LaneFixture.Ask lost = a.ask(1, "lost", 1_000_000, now);
        exchange(a, A, next, B);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, lost.code);
        tell(a, 2);
        exchange(a, A, next, B);
        assertEquals(List.of(2), next.handled);
        assertEquals(0, a.lane.buffered());
    }

    @Test
    void whatAnEarlierLaneSaysLateDoesNotCount() {
        homeAt(A, a, b, now);
        tell(b, 1);
        b.flush(now);
        List<LaneFixture.Frame> late = b.framesTo(A);
        LaneFixture next = another(B);
        next.lane.greet(new PeerLane(A, 0), now);
        exchange(a, A, next, B);
        late.forEach(frame -> a.receive(B, frame, now));
        assertEquals(List.of(), a.handled);
        next.lane.showHomes(List.of(new ShardHome(1, TOKEN, TOKEN, A, 1)), now);
        tell(next, 2);
        exchange(a, A, next, B);
        assertEquals(List.of(2), a.handled);
    }

    @Test
    void anAnswerToAnEarlierLaneMeetsNoAskOfTheNext() {
        homeAt(A, a, b, now);
        a.entity.holding = true;
        b.ask(1, "old", 1_000_000, now);
        exchange(a, A, b, B);
        LaneFixture next = another(B);
        next.lane.showHomes(List.of(new ShardHome(1, TOKEN, TOKEN, A, 1)), now);
        LaneFixture.Ask mine = next.ask(1, "new", 1_000_000, now);
        exchange(a, A, next, B);
        a.entity.finish();
        a.flush(now);
        exchange(a, A, next, B);
        assertEquals(List.of("old", "new"), a.handled);
        assertEquals("answer to new", mine.value);
    }

    @Test
    void aNodeThatComesBackTakesWhatIsSentToIt() {
        sendsToB();
        a.lane.nodeGone(B, now);
        tick(a);
        a.lane.nodeBack(B, now);
        a.lane.showHomes(List.of(new ShardHome(1, TOKEN, TOKEN, B, 1)), now);
        tell(a, 2);
        exchange(a, A, b, B);
        assertEquals(List.of(1, 2), b.handled);
        assertEquals(0, a.lane.buffered());
    }

    @Test
    void oneThatWasForgottenStillTakesWhatIsSentToIt() {
        homeAt(B, b, a, now);
        for (int i = 1; i <= 3; i++) {
            tell(a, i);
            exchange(a, A, b, B);
        }
        a.lane.nodeGone(B, now);
        tick(a);
        assertTrue(a.lane.channels().hasLeft(B));
        restarts(Channels.MOST_DEPARTED, "another");
        assertFalse(a.lane.channels().hasLeft(B));
        a.lane.showHomes(List.of(new ShardHome(1, TOKEN, TOKEN, B, 1)), now);
        tell(a, 4);
        exchange(a, A, b, B);
        assertEquals(List.of(1, 2, 3, 4), b.handled, "the numbers begin in a greater epoch");
        assertEquals(0, a.lane.buffered());
    }

    @Test
    void oneThatIsForgottenWithSomethingUnderWayIsForgottenAsAWhole() {
        restarts(1, "first");
        NodeId name = new NodeId("first0");
        LaneFixture first = new LaneFixture(name, 10);
        first.knows(A);
        homeAt(A, a, first, now);
        LaneFixture.Ask ask = first.ask(1, "x", 1_000_000, now);
        a.entity.holding = true;
        first.flush(now);
        first.framesTo(A).forEach(frame -> a.receive(name, frame, now));
        a.flush(now);
        restarts(Channels.MOST_DEPARTED - 1, "another");
        a.entity.finish();
        a.flush(now);
        assertEquals(1, a.lane.channels().all().size(), "the answer is under way to the node that is gone");
        restarts(1, "last");
        assertEquals(List.of(), a.lane.channels().all());
        assertNull(ask.value);
    }

    @Test
    void aRegionThatIsStartedAgainOnItsNodeIsHeard() {
        homeAt(B, b, a, now);
        for (int i = 1; i <= 3; i++) {
            tell(a, i);
            exchange(a, A, b, B);
        }
        now += 200;
        LaneFixture again = new LaneFixture(A, 10, now);
        again.lane.showHomes(List.of(new ShardHome(1, TOKEN, TOKEN, B, 1)), now);
        tell(again, 4);
        exchange(again, A, b, B);
        assertEquals(List.of(1, 2, 3, 4), b.handled, "its first frame is not taken for the first of the region before");
        assertEquals(0, again.lane.buffered());
    }

    @Test
    void whatTheNextRegionOnANodeHasTakenIsNotLost() {
        homeAt(B, b, a, now);
        tell(a, 1);
        exchange(a, A, b, B);
        now += 200;
        LaneFixture next = new LaneFixture(B, 10, now);
        FencingToken token = new FencingToken(1, 1, 9);
        next.extendLease(now + 10_000, now);
        next.lane.hostShard(2, token, now);
        a.lane.nodeGone(B, now);
        a.lane.nodeBack(B, now);
        a.lane.showHomes(List.of(new ShardHome(2, token, token, B, 1)), now);
        LaneFixture.Ask ask = a.ask(2, "x", 1_000, now);
        exchange(a, A, next, B);
        assertEquals("answer to x", ask.value, "in the first frame that it has heard of it");
    }
}
