package io.shardbus.simulation;

import io.shardbus.core.control.NodeControl;
import io.shardbus.core.control.OrderCommand;
import io.shardbus.core.control.OrderEvent;
import io.shardbus.core.control.Reign;
import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.control.WrittenOrders;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.model.TermId;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One node's operators' orders, on the simulated record of standing orders. */
final class SimOrders implements OrderCommand.Visitor {
    private final SimNode node;
    private final Simulation world;
    private final NodeControl machine;
    private final Map<Long, Consumer<OrderCommand.Answer>> answers = new HashMap<>();
    private long given;
    /** The last operation; an earlier one was given up. */
    private long underWay;
    /** The reign that wants the operation under way; null if there is none. */
    private @Nullable TermId wantedIn;
    /** Whether the last operation did not fail, and there was a record: a reign shuts no other out of none. */
    private boolean found;
    /** Whether the present reign has read a record that no order has touched, which takes no time. */
    private boolean readAtOnce;

    SimOrders(SimNode node, NodeControl machine) {
        this.node = node;
        this.world = node.world;
        this.machine = machine;
    }

    /** Whether this node waits for no answer of the store, and has found a record by its last operation. */
    boolean isIdle() {
        return wantedIn == null && found;
    }

    /**
     * An operator gives an order that the coordinator does not refuse; without an answer if the process ends before.
     */
    void give(OperatorOrder order, Consumer<OrderCommand.Answer> answered) {
        long id = ++given;
        GivenOrders.Given begun = world.givenOrders().begin(node, order);
        answers.put(id, answer -> {
            begun.answered(answer);
            answered.accept(answer);
        });
        tell(new OrderEvent.Given(id, order));
    }

    private void tell(OrderEvent event) {
        node.control.run((control, at) -> control.ordered(event, at));
    }

    /** A reign takes up only what was read or written for it. */
    private void ended(long operation, TermId writer, OrderEvent event) {
        if (operation != underWay || wantedIn == null) {
            late(event);
            return;
        }
        TermId term = Objects.requireNonNull(wantedIn);
        Reign before = machine.reign();
        boolean foreign = before != null && !before.term().equals(term);
        StandingOrders followed = before == null ? StandingOrders.NONE : before.orders();
        boolean knew = before == null || before.knowsOrders();
        wantedIn = null;
        found = !writer.equals(TermId.NONE);
        readAtOnce = false;
        tell(event);
        Reign after = machine.reign();
        boolean same =
                readAtOnce || after == null || before == null || !after.term().equals(before.term());
        world.rules()
                .check(
                        !foreign || same || after.orders() == followed && after.knowsOrders() == knew,
                        node + " follows orders in " + (after == null ? null : after.term())
                                + " that were read or written for " + term);
    }

    /** The store answers an operation that was given up: that changes nothing. */
    private void late(OrderEvent event) {
        Reign before = machine.reign();
        StandingOrders followed = before == null ? StandingOrders.NONE : before.orders();
        tell(event);
        boolean same = before == null || machine.reign() != before || before.orders() == followed;
        world.rules().check(same, node + " follows an answer that comes late: " + event);
    }

    @Override
    public void read(OrderCommand.Read command) {
        long operation = command.operation();
        if (world.orders().isUntouchedFor(node)) {
            readAtOnce = true;
            OrderEvent found = new OrderEvent.Read(operation, WrittenOrders.NONE);
            node.control.runWithin((control, at) -> control.ordered(found, at));
            return;
        }
        begin(operation, command.term());
        world.orders()
                .read(
                        node,
                        present -> ended(operation, present.writer(), new OrderEvent.Read(operation, present)),
                        () -> ended(operation, TermId.NONE, new OrderEvent.Failed(operation, false, "unread")));
    }

    @Override
    public void write(OrderCommand.Write command) {
        long operation = command.operation();
        begin(operation, command.term());
        world.orders().update(node, command, new OrdersRecord.Outcome() {
            @Override
            public void written(StandingOrders before, WrittenOrders now) {
                ended(operation, now.writer(), new OrderEvent.Written(operation, before, now));
            }

            @Override
            public void failed(boolean superseded) {
                ended(operation, TermId.NONE, new OrderEvent.Failed(operation, superseded, "unwritten"));
            }
        });
    }

    private void begin(long operation, TermId term) {
        underWay = operation;
        wantedIn = term;
    }

    @Override
    public void retryLater(OrderCommand.RetryLater command) {
        OrderEvent due = new OrderEvent.RetryDue(command.operation());
        world.scheduler().after(command.millis(), () -> node.onControl(0, () -> tell(due)));
    }

    @Override
    public void answer(OrderCommand.Answer command) {
        Consumer<OrderCommand.Answer> answered = answers.remove(command.id());
        if (answered != null) {
            world.timeline().add(node, "answers", command);
            answered.accept(command);
        }
    }

    @Override
    public void unread(OrderCommand.Unread command) {
        world.timeline().add(node, "cannot read orders", command.term());
    }
}
