package io.shardbus.core.statetransfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.FrameItem.State;
import io.shardbus.core.protocol.FrameItem.WantStates;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** States of shard 5 that wait for its next home, and that come from its former one. */
class StateTransfersTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final FencingToken OLD = new FencingToken(1, 1, 1);
    private static final FencingToken NEW = new FencingToken(1, 1, 2);
    private static final FencingToken LATER = new FencingToken(1, 1, 3);
    private static final ShardHome AT_A = new ShardHome(5, OLD, OLD, A, 2);

    private final List<FrameItem> sent = new ArrayList<>();
    private final List<PeerLane> receivers = new ArrayList<>();
    private final List<FencingToken> ready = new ArrayList<>();
    private final Map<StateTransferOutcome, Integer> counts = new EnumMap<>(StateTransferOutcome.class);
    private final List<StateLoss> losses = new ArrayList<>();
    private final StateTransfers a = on(A);
    private final StateTransfers b = on(B);

    private StateTransfers on(NodeId node) {
        return new StateTransfers(node, new StateTransferSettings(10, 25, 100, false), new StateTransferPort() {
            @Override
            public void send(PeerLane to, FrameItem item) {
                receivers.add(to);
                sent.add(item);
            }

            @Override
            public void ready(int shard, FencingToken token) {
                assertEquals(5, shard);
                ready.add(token);
            }

            @Override
            public void lost(StateLoss loss) {
                losses.add(loss);
                counts.merge(loss.outcome(), loss.entities(), Integer::sum);
            }
        });
    }

    private static EntityState state(String id, int bytes) {
        return new EntityState(id, 3, new byte[bytes]);
    }

    private void stopAtA(String... ids) {
        for (String id : ids) {
            a.give(5, OLD, state(id, 4));
        }
        assertEquals(ids.length > 0, a.stopped(5, OLD, true, 0));
    }

    /** Node b asks node a and gets all that a says. */
    private void fetch() {
        b.fetch(NEW, AT_A, 10);
        a.asked(new PeerLane(B, 1), (WantStates) sent.remove(0));
        List<FrameItem> answers = List.copyOf(sent);
        sent.clear();
        answers.forEach(item -> b.arrived((State) item, 20));
    }

    private static List<String> ids(List<EntityState> states) {
        return states.stream().map(EntityState::entityId).toList();
    }

    @Test
    void aStateWithoutBytesIsNotLost() {
        a.give(5, OLD, state("worker", 0));
        a.give(5, OLD, state("x", 4));
        assertFalse(a.stopped(5, OLD, false, 0));
        assertEquals(Map.of(StateTransferOutcome.LOST, 1), counts);
        assertEquals("x", losses.get(0).entityId());
    }

    @Test
    void statesGoToTheNextHome() {
        stopAtA("x", "y");
        fetch();
        assertEquals(new PeerLane(A, 1), receivers.get(0));
        assertTrue(a.isEmpty());
        assertEquals(0, a.bytes());
        assertEquals(List.of(NEW), ready);
        List<EntityState> come = b.open(5, NEW);
        assertEquals(List.of("x", "y"), ids(come));
        assertEquals(8, b.bytes());
        come.forEach(b::release);
        assertEquals(0, b.bytes());
        assertEquals(List.of(), b.open(5, NEW), "once");
        assertEquals(Map.of(), counts);
    }

    @Test
    @DisplayName("states that no home has fetched do not keep the next life's from its next home")
    void anOfferOfANewerLifeReplacesWhatTheLastLifeHasLeft() {
        stopAtA("x");
        EntityState newer = state("y", 4);
        assertNull(a.offer(5, NEW, newer));
        assertEquals(Map.of(StateTransferOutcome.LOST, 1), counts, "x");
        assertTrue(a.stopped(5, NEW, true, 10));
        a.asked(new PeerLane(B, 1), new WantStates(5, NEW));
        assertEquals(new State(5, NEW, newer, 1), sent.get(0));
        assertEquals(0, a.bytes());
    }

    @Test
    void anotherLifeGetsNothing() {
        stopAtA("x");
        a.asked(new PeerLane(B, 1), new WantStates(5, LATER));
        assertEquals(List.of(new State(5, LATER, null, 0)), sent);
        assertFalse(a.isEmpty());
        sent.clear();
        fetch();
        assertEquals(List.of(), b.open(5, LATER));
        assertEquals(Map.of(StateTransferOutcome.LOST, 1), counts);
    }

    @Test
    void aShardThatStillStopsHasNothingToGive() {
        a.give(5, OLD, state("x", 1));
        a.asked(new PeerLane(B, 1), new WantStates(5, OLD));
        assertEquals(List.of(new State(5, OLD, null, 0)), sent);
        assertFalse(a.stopped(5, OLD, false, 0), "it does not move");
        assertEquals(Map.of(StateTransferOutcome.LOST, 1), counts);
        assertTrue(a.isEmpty());
    }

    @Test
    void theShardMayComeBack() {
        stopAtA("x");
        a.fetch(NEW, AT_A, 10);
        assertEquals(List.of(NEW), ready);
        a.fetch(NEW, AT_A, 11);
        assertEquals(List.of(NEW, NEW), ready, "the order was repeated");
        assertEquals(List.of("x"), ids(a.open(5, NEW)));
    }

    @Test
    void thereAreBounds() {
        a.give(5, OLD, state("long", 11));
        a.give(5, OLD, state("x", 10));
        a.give(5, OLD, state("y", 10));
        a.give(5, OLD, state("z", 10));
        assertEquals(Map.of(StateTransferOutcome.TOO_LARGE, 2), counts);
        assertEquals(20, a.bytes());
        assertEquals(
                List.of(
                        new StateLoss(
                                StateTransferOutcome.TOO_LARGE,
                                5,
                                "long",
                                3,
                                11,
                                1,
                                "it has more than maxPayloadBytes, 10"),
                        new StateLoss(
                                StateTransferOutcome.TOO_LARGE,
                                5,
                                "z",
                                3,
                                10,
                                1,
                                "20 bytes of states are on its lane already, and handoverBytes allow 25 there")),
                losses,
                "each with what operators need to find it");
    }

    @Test
    void whatIsOfferedAndTakenBackLeavesNothing() {
        assertEquals(null, a.offer(5, OLD, state("x", 10)));
        assertEquals("it has more than maxPayloadBytes, 10", a.offer(5, OLD, state("long", 11)));
        a.withdraw(5, OLD);
        assertEquals(0, a.bytes());
        assertTrue(a.isEmpty());
        assertFalse(a.stopped(5, OLD, true, 0));
        assertEquals(List.of(), losses, "the entities have kept it");
    }

    @Test
    void noTransferWaitsForEver() {
        stopAtA("x");
        a.tick(99);
        assertFalse(a.isEmpty());
        a.tick(100);
        assertTrue(a.isEmpty());
        b.fetch(NEW, AT_A, 0);
        b.tick(100);
        assertEquals(List.of(NEW), ready);
        assertEquals(Map.of(StateTransferOutcome.TIMED_OUT, 2), counts);
        b.arrived(new State(5, OLD, state("late", 1), 1), 110);
        assertEquals(1, counts.get(StateTransferOutcome.LOST));
        b.tick(200);
        assertEquals(List.of(), b.open(5, NEW));
    }

    @Test
    void theFormerHomeIsGone() {
        b.fetch(NEW, AT_A, 0);
        b.arrived(new State(5, OLD, state("x", 1), 3), 1);
        b.nodeGone(B, 1);
        assertEquals(List.of(), ready);
        b.nodeGone(A, 2);
        assertEquals(List.of(NEW), ready);
        assertEquals(Map.of(StateTransferOutcome.LOST, 2), counts);
        assertEquals(List.of("x"), ids(b.open(5, NEW)));
    }

    @Test
    void whatIsMissingInBetweenIsCounted() {
        b.fetch(NEW, AT_A, 0);
        b.arrived(new State(5, OLD, state("x", 1), 4), 1);
        b.arrived(new State(5, OLD, state("z", 1), 1), 1);
        b.arrived(new State(5, OLD, null, 0), 1);
        assertEquals(Map.of(StateTransferOutcome.LOST, 2), counts);
        assertEquals(List.of(NEW), ready);
    }

    @Test
    void aLaterLifeReplacesAnEarlierOne() {
        stopAtA("x");
        a.give(5, LATER, state("y", 4));
        assertEquals(Map.of(StateTransferOutcome.LOST, 1), counts);
        a.lose(5, state("z", 0));
        assertEquals(2, counts.get(StateTransferOutcome.LOST));
    }

    @Test
    void whatIsHereWhenTheLaneEndsIsCounted() {
        stopAtA("x", "y");
        fetch();
        b.give(6, OLD, state("z", 1));
        b.fetch(LATER, new ShardHome(7, OLD, OLD, A, 2), 30);
        b.arrived(new State(7, OLD, state("v", 1), 2), 40);
        b.close();
        assertEquals(Map.of(StateTransferOutcome.LOST, 5), counts, "x, y, z, v, and the one that follows v");
        assertEquals(0, b.bytes());
        assertTrue(b.isEmpty());
        b.close();
        assertEquals(5, counts.get(StateTransferOutcome.LOST), "once");
    }
}
