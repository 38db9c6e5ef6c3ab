package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorEvent.Ordered;
import io.shardbus.core.coordinator.CoordinatorEvent.OrdersAwaited;
import io.shardbus.core.coordinator.CoordinatorEvent.RebalanceRequested;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders about shard 5, which A reports, in the first moments of a reign. */
class EarlyOrdersTest extends CoordinatorFixture {
    private static final ShardReport FIVE = new ShardReport(5, new FencingToken(6, 1, 5));

    private final List<CoordinatorCommand> said = new ArrayList<>();

    @BeforeEach
    void regionsRegister() {
        registerBoth();
    }

    private void registerBoth() {
        register(A, 1, FIVE);
        register(B, 1);
        pass(now + 100);
    }

    private void pass(long until) {
        while (now < until) {
            now += 100;
            said.addAll(confirm());
            said.addAll(beat(A, 1, FIVE));
            said.addAll(beat(B, 1));
            said.addAll(tick());
        }
    }

    private void order(Kind kind, @Nullable NodeId node) {
        OperatorOrder order = new OperatorOrder(kind, "type", node, 5);
        assertEquals(Optional.empty(), coordinator.refusal(order, now));
        said.addAll(step(new Ordered(order)));
    }

    /** Number of times that A was told to let the shard go. */
    private long begun() {
        return to(A, said).stream().filter(BeginHandoff.class::isInstance).count();
    }

    @Test
    void aMoveWaitsUntilTheReignIsOpen() {
        order(Kind.MOVE, B);
        pass(OPEN - 100);
        assertEquals(0, begun(), "the shard would have no home until then");
        pass(OPEN);
        assertEquals(1, begun());
    }

    @Test
    void aMoveWaitsUntilTheStandingOrdersAreKnown() {
        coordinator = newCoordinator(false, 0);
        registerBoth();
        said.addAll(step(new OrdersAwaited(true)));
        order(Kind.MOVE, B);
        pass(now + 300);
        assertEquals(0, begun());
        said.addAll(step(new OrdersAwaited(false)));
        assertEquals(1, begun());
    }

    @Test
    void aRebalanceIsForAReignThatKnowsTheStandingOrders() {
        coordinator = newCoordinator(false, 0);
        registerBoth();
        step(new OrdersAwaited(true));
        assertFalse(coordinator.mayMove());
        step(new OrdersAwaited(false));
        assertTrue(coordinator.mayMove());
        assertTrue(step(new RebalanceRequested()).contains(new CoordinatorCommand.ChooseMoves()));
    }

    @Test
    void noUnpinIsRefusedBeforeThePinsAreKnown() {
        OperatorOrder unpin = new OperatorOrder(Kind.UNPIN, "type", null, 5);
        assertEquals(Optional.of("shard 5 is not pinned"), coordinator.refusal(unpin, now));
        step(new OrdersAwaited(true));
        assertEquals(Optional.empty(), coordinator.refusal(unpin, now));
    }
}
