package io.shardbus.simulation;

import io.shardbus.core.control.NodeCommand;
import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.control.WrittenOrders;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * The record of standing orders: one for the side that may use the store. Writes take hold at once, and a read takes
 * its time where there is something to read.
 */
final class OrdersRecord {
    private final Simulation world;
    private final SplittableRandom dice;
    private WrittenOrders written = WrittenOrders.NONE;

    OrdersRecord(Simulation world) {
        this.world = world;
        this.dice = world.dice("orders");
    }

    StandingOrders stand() {
        return written.orders();
    }

    /**
     * By a node that coordinates: a drain begins before it is written, and ends after that was taken back. False where
     * the node may not use the store.
     */
    boolean drain(SimNode node, TermId term, NodeId drained, boolean wanted) {
        OperatorOrder order = new OperatorOrder(wanted ? Kind.DRAIN : Kind.UNDRAIN, "", drained, -1);
        if (wanted) {
            node.control.run((control, at) -> control.order(order, at));
        }
        boolean taken =
                update(node, term, found -> found.with(order, world.scheduler().now()));
        if (taken) {
            node.control.takeUp(stand());
        }
        if (taken && !wanted) {
            node.control.run((control, at) -> control.order(order, at));
        }
        return taken;
    }

    /** Any order but a drain: it is written before it is carried out; a move is not written. */
    boolean give(SimNode node, TermId term, OperatorOrder order) {
        if (order.kind() == Kind.MOVE) {
            node.control.run((control, at) -> control.order(order, at));
            return true;
        }
        boolean taken =
                update(node, term, found -> found.with(order, world.scheduler().now()));
        if (taken) {
            node.control.takeUp(stand());
        }
        return taken;
    }

    private boolean update(SimNode node, TermId term, UnaryOperator<StandingOrders> change) {
        if (!world.membership().mayUseStore(node.id) || !written.yieldsTo(term)) {
            return false;
        }
        written = written.after(term, change).orElse(written);
        return true;
    }

    /** Whether there is nothing to read: what no operator asks for costs a simulated run nothing. */
    boolean isEmptyFor(SimNode node) {
        return stand().isEmpty() && world.membership().mayUseStore(node.id);
    }

    /** Takes out what has ended; the node follows the rest, or hears that it cannot be read. */
    void follow(SimNode node, NodeCommand.FollowOrders command) {
        world.scheduler().after(Network.delay(dice), () -> node.onControl(0, () -> followed(node, command)));
    }

    private void followed(SimNode node, NodeCommand.FollowOrders command) {
        if (update(
                node,
                command.term(),
                found -> command.rest(found, world.scheduler().now()))) {
            node.control.takeUp(stand());
        } else {
            node.control.run((control, at) -> control.ordersUnread(at));
        }
    }
}
