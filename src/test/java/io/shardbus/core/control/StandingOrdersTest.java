package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StandingOrdersTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private StandingOrders orders = StandingOrders.NONE;

    private static OperatorOrder order(Kind kind, String type, @Nullable NodeId node, int shard) {
        return new OperatorOrder(kind, type, node, shard);
    }

    private void give(Kind kind, String type, @Nullable NodeId node, int shard) {
        orders = orders.with(order(kind, type, node, shard), 7);
    }

    @Test
    void whatIsTakenBackStandsNoMore() {
        give(Kind.DRAIN, "", A, -1);
        give(Kind.CORDON, "", B, -1);
        give(Kind.PIN, "t", A, 3);
        give(Kind.PAUSE, "", null, -1);
        assertEquals(Set.of(A), orders.drained("t"));
        assertEquals(Set.of(B), orders.cordoned("t"));
        assertEquals(Map.of(3, A), orders.pins("t"));
        assertEquals(Map.of(), orders.pins("u"));
        assertTrue(orders.isPaused("t"));
        assertEquals(Set.of(A, B), orders.nodes());
        give(Kind.UNDRAIN, "", A, -1);
        give(Kind.UNCORDON, "", B, -1);
        give(Kind.UNPIN, "t", null, 3);
        give(Kind.RESUME, "", null, -1);
        assertEquals(List.of(), orders.given());
    }

    @Test
    void knowsTheNodesThatAreThereAndThoseThatAnOrderIsAbout() {
        NodeId stranger = new NodeId("nix");
        assertTrue(orders.know(order(Kind.UNCORDON, "", A, -1), List.of(A)));
        assertFalse(orders.know(order(Kind.UNCORDON, "", A, -1), List.of(B)));
        give(Kind.CORDON, "", A, -1);
        assertTrue(orders.know(order(Kind.UNCORDON, "", A, -1), List.of(B)), "it has left");
        assertFalse(orders.know(order(Kind.UNDRAIN, "", stranger, -1), List.of(B)));
        assertTrue(orders.know(order(Kind.PAUSE, "t", null, -1), List.of(B)), "it names none");
    }

    @Test
    void anExceptionForOneTypeStandsBesideTheOrderForAll() {
        give(Kind.PAUSE, "", null, -1);
        give(Kind.RESUME, "t", null, -1);
        give(Kind.DRAIN, "", A, -1);
        give(Kind.UNDRAIN, "t", A, -1);
        assertFalse(orders.isPaused("t"));
        assertTrue(orders.isPaused("u"));
        assertEquals(Set.of(), orders.drained("t"));
        assertEquals(Set.of(A), orders.drained("u"));
        give(Kind.PAUSE, "", null, -1);
        give(Kind.DRAIN, "", A, -1);
        assertTrue(orders.isPaused("t"));
        assertEquals(Set.of(A), orders.drained("t"));
        assertEquals(2, orders.given().size());
    }

    @Test
    void whatIsTakenBackForATypeForWhichItDoesNotStandLeavesNothing() {
        give(Kind.RESUME, "t", null, -1);
        give(Kind.UNDRAIN, "t", A, -1);
        assertSame(StandingOrders.NONE, orders);
        give(Kind.PAUSE, "t", null, -1);
        give(Kind.RESUME, "t", null, -1);
        assertEquals(List.of(), orders.given());
    }

    @Test
    void theSameOrderAgainChangesNothing() {
        give(Kind.DRAIN, "", A, -1);
        StandingOrders before = orders;
        orders = orders.with(order(Kind.DRAIN, "", A, -1), 9);
        assertSame(before, orders);
        assertTrue(orders.include(order(Kind.UNCORDON, "", B, -1)), "there is nothing to take back");
        assertFalse(orders.include(order(Kind.UNDRAIN, "", A, -1)));
        assertSame(orders, orders.with(order(Kind.MOVE, "t", A, 3), 9), "a move is done at once");
    }

    @Test
    void ofANodeThatIsGoneNothingStands() {
        give(Kind.DRAIN, "", A, -1);
        give(Kind.PIN, "t", A, 1);
        give(Kind.PIN, "t", B, 2);
        give(Kind.PAUSE, "t", null, -1);
        orders = orders.without(Set.of(A));
        assertEquals(Set.of(B), orders.nodes());
        assertTrue(orders.isPaused("t"));
        assertEquals(Set.of(), orders.drained(""));
    }

    @Test
    void thereIsABound() {
        for (int shard = 0; shard <= StandingOrders.MOST; shard++) {
            assertFalse(orders.isTooLarge());
            give(Kind.PIN, "t", A, shard);
        }
        assertTrue(orders.isTooLarge());
        assertEquals(
                StandingOrders.MOST, StandingOrders.of(orders.given()).given().size());
    }

    @Test
    void aCoordinatorHearsWhatHasChanged() {
        give(Kind.DRAIN, "", A, -1);
        give(Kind.PIN, "t", A, 1);
        StandingOrders before = orders;
        assertEquals(List.of(), FollowedOrders.changes(before, orders, "t", A::equals));
        give(Kind.UNDRAIN, "", A, -1);
        give(Kind.CORDON, "", B, -1);
        give(Kind.UNPIN, "t", null, 1);
        give(Kind.PAUSE, "t", null, -1);
        assertEquals(
                List.of(
                        new CoordinatorEvent.UndrainRequested(A),
                        new CoordinatorEvent.Ordered(order(Kind.CORDON, "t", B, -1)),
                        new CoordinatorEvent.Ordered(order(Kind.UNPIN, "t", null, 1)),
                        new CoordinatorEvent.Ordered(order(Kind.PAUSE, "t", null, -1))),
                FollowedOrders.changes(before, orders, "t", A::equals));
        assertEquals(
                List.of(new CoordinatorEvent.DrainRequested(A)),
                FollowedOrders.changes(StandingOrders.NONE, before, "u", A::equals)
                                .isEmpty()
                        ? FollowedOrders.changes(StandingOrders.NONE, before, "u", B::equals)
                        : List.of(),
                "one that has begun already is not begun again");
    }

    @Test
    void aNodeThatLeftOrIsAwayForAnHourIsGone() {
        give(Kind.CORDON, "", A, -1);
        FollowedOrders followed = new FollowedOrders(2_000);
        followed.read(orders, 0);
        assertEquals(Set.of(), followed.gone(Set.of(A), node -> true, 0), "it is here");
        assertEquals(Set.of(), followed.gone(Set.of(), node -> false, 100));
        assertEquals(Set.of(A), followed.gone(Set.of(), node -> true, 100), "it said goodbye, or is dead");
        assertEquals(Set.of(), followed.gone(Set.of(), node -> false, 99 + FollowedOrders.LONGEST_ABSENCE));
        assertEquals(Set.of(A), followed.gone(Set.of(), node -> false, 100 + FollowedOrders.LONGEST_ABSENCE));
        assertEquals(Set.of(), followed.gone(Set.of(A), node -> false, 200 + FollowedOrders.LONGEST_ABSENCE));
    }

    @Test
    void theRecordIsReadAgainAndSoonerWhereItHoldsWhatHasEnded() {
        FollowedOrders followed = new FollowedOrders(2_000);
        assertTrue(followed.isDue(false, 0));
        followed.ask();
        assertFalse(followed.isDue(true, 60_000), "one at a time");
        assertFalse(followed.areKnown(1_999));
        assertTrue(followed.areKnown(2_000), "shards do not wait for ever");
        followed.read(orders, 100);
        assertTrue(followed.areKnown(100));
        assertFalse(followed.isDue(false, 5_099));
        assertTrue(followed.isDue(false, 5_100));
        assertFalse(followed.isDue(true, 1_099));
        assertTrue(followed.isDue(true, 1_100));
        followed.ask();
        followed.unread(6_000);
        assertTrue(followed.isDue(false, 7_000));
    }
}
