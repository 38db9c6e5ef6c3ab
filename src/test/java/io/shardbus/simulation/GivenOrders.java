package io.shardbus.simulation;

import io.shardbus.core.control.OrderCommand;
import io.shardbus.core.control.Reign;
import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What operators were told about their orders. An order that was answered as done stands until it is taken back, also
 * when other nodes coordinate; one that was refused changes nothing.
 */
final class GivenOrders {
    /** What orders are about that replace each other, or take each other back. */
    private static final class Subject {
        /** How many orders are not answered. */
        int open;
        /** Whether two of these were under way at a time: which one is the last is not known. */
        boolean crossed;
        /** Whether an order was carried out, or perhaps was. */
        boolean touched;
        /** The last order; null if that is not known, or there was none. */
        @Nullable
        OperatorOrder done;
    }

    private final Simulation world;
    private final Map<OperatorOrder, Subject> subjects = new LinkedHashMap<>();

    GivenOrders(Simulation world) {
        this.world = world;
    }

    Given begin(SimNode node, OperatorOrder order) {
        return new Given(node, order);
    }

    /** One order on its way. */
    final class Given {
        private final SimNode node;
        private final OperatorOrder order;
        private final Subject subject;
        private final @Nullable TermId term;
        private final boolean wasDrained;
        private boolean ended;

        private Given(SimNode node, OperatorOrder order) {
            this.node = node;
            this.order = order;
            this.subject = subjects.computeIfAbsent(StandingOrders.subject(order), each -> new Subject());
            Reign reign = node.control.machine().reign();
            this.term = reign == null ? null : reign.term();
            this.wasDrained = reign != null && reign.drained(node.clock()).contains(order.node());
            subject.crossed |= subject.open > 0;
            subject.open++;
            lookForItsEnd(false);
        }

        /** A process that dies answers no more; what it was writing may take hold for some time. */
        private void lookForItsEnd(boolean wasGone) {
            if (ended) {
                return;
            }
            if (wasGone) {
                ended = true;
                subject.open--;
                subject.touched = true;
                subject.done = null;
                subject.crossed &= subject.open > 0;
                return;
            }
            world.scheduler().after(OrdersRecord.LATEST, () -> lookForItsEnd(node.isGone()));
        }

        void answered(OrderCommand.Answer answer) {
            if (ended) {
                return;
            }
            ended = true;
            subject.open--;
            boolean alone = !subject.crossed;
            Failure failure = answer.failure();
            if (answer.done() || failure != null && failure.code() == FailureCode.OUTCOME_UNKNOWN) {
                subject.touched = true;
                subject.done = answer.done() && alone && order.kind() != Kind.MOVE ? order : null;
            } else if (alone) {
                checkRefused(answer);
            }
            subject.crossed &= subject.open > 0;
            hold(world.orders().stand());
        }

        private void checkRefused(OrderCommand.Answer answer) {
            boolean stands = isOn(order) && isEffective(order, world.orders().stand());
            world.rules().check(subject.touched || !stands, order + " was refused and stands: " + answer);
            Reign reign = node.control.machine().reign();
            if (order.kind() == Kind.DRAIN && reign != null && reign.term().equals(term) && !wasDrained) {
                boolean drained = reign.drained(node.clock()).contains(order.node())
                        && !reign.orders().drained("").contains(order.node());
                world.rules().check(!drained, node + " goes on with " + order + ", which was refused: " + answer);
            }
        }
    }

    private static boolean isOn(OperatorOrder order) {
        return switch (order.kind()) {
            case DRAIN, CORDON, PAUSE, PIN -> true;
            case UNDRAIN, UNCORDON, RESUME, UNPIN, MOVE -> false;
        };
    }

    private static boolean isEffective(OperatorOrder order, StandingOrders stand) {
        boolean found = switch (order.kind()) {
            case DRAIN, UNDRAIN -> stand.drained("").contains(order.node());
            case CORDON, UNCORDON -> stand.cordoned(order.type()).contains(order.node());
            case PAUSE, RESUME -> stand.isPaused(order.type());
            case PIN -> Objects.equals(order.node(), stand.pins(order.type()).get(order.shard()));
            case UNPIN -> stand.pins(order.type()).containsKey(order.shard());
            case MOVE -> false;
        };
        return found == isOn(order);
    }

    /** The record says this now. */
    void hold(StandingOrders stand) {
        List<OperatorOrder> missed = missed(stand);
        world.rules().check(missed.isEmpty(), missed + " were answered as done, and do not stand: " + stand);
    }

    /** The orders that were done, of which these know nothing; orders about a node end with it. */
    List<OperatorOrder> missed(StandingOrders stand) {
        return subjects.values().stream()
                .filter(subject -> subject.open == 0 && subject.done != null)
                .map(subject -> Objects.requireNonNull(subject.done))
                .filter(done -> mayStand(done.node()) && !isEffective(done, stand))
                .toList();
    }

    private boolean mayStand(@Nullable NodeId about) {
        SimNode node = about == null ? null : world.node(about);
        return about == null || node != null && node.isStaying();
    }
}
