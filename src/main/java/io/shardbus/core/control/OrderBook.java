package io.shardbus.core.control;

import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Operators' orders on the node that coordinates: an order is written into the record that the next coordinator reads,
 * then this reign follows it. One operation on the record at a time; its result counts in the reign that wanted it
 * only, as a later reign of this node may have had to write since, and reads the record itself.
 *
 * <p>An operation that does not end is given up after a while, and counts as failed. A write that was given up, or that
 * failed, may take hold later: it must not undo what is written next. So it changes nothing any more where it reads the
 * record once more, and the next write makes the record another one also where it changes no order.
 */
final class OrderBook implements OrderEvent.Visitor {
    /** Operations that wait for their turn, the present one included. */
    static final int MOST_WAITING = 1_000;
    /** The caches refuse writes for a moment after a member was lost; each order may be written twice. */
    static final int TRIES = 4;

    static final long TRY_AGAIN = 250;
    /** More than a store takes that answers, in milliseconds; what waits behind one that does not goes on then. */
    static final long PATIENCE = 10_000;

    private static final String NO_LONGER = "this node coordinates no longer";

    /**
     * The record is to be read, or written without what has ended.
     *
     * @param gone nodes that do not come back: all that is about them has ended
     * @param ended orders that take back what has ended otherwise
     */
    record Check(TermId term, Set<NodeId> gone, List<OperatorOrder> ended) {
        private boolean reads() {
            return gone.isEmpty() && ended.isEmpty();
        }

        /**
         * The orders that stand without what has ended.
         *
         * @param at now, in milliseconds since 1970
         */
        private StandingOrders rest(StandingOrders found, long at) {
            StandingOrders rest = found.without(gone);
            for (OperatorOrder order : ended) {
                rest = rest.with(order, at);
            }
            return rest;
        }
    }

    private final Supplier<@Nullable Reign> reign;
    private final Supplier<List<NodeId>> members;
    private final Turn turn;
    /** The first has its turn. */
    private final ArrayDeque<Work> works = new ArrayDeque<>();

    private boolean underWay;
    private long operation;
    private long begunAt;
    /** Whether a write that has not ended, or failed, may take hold later. */
    private boolean unsettled;
    /** Whether the write under way outdates such a one. */
    private boolean renews;

    /** @param members of the present view */
    OrderBook(Supplier<@Nullable Reign> reign, Supplier<List<NodeId>> members, Turn turn) {
        this.reign = reign;
        this.members = members;
        this.turn = turn;
    }

    /** Time passed: an operation that has not ended for too long is given up. */
    void tick() {
        if (underWay && turn.now() - begunAt >= PATIENCE) {
            Work hung = end();
            hung.givenUp = true;
            unsettled |= hung.writes;
            hung.failed(false, "the store has not answered for " + PATIENCE / 1_000 + " s");
            proceed();
        }
    }

    /** The reign reads the record where it is time to, and takes out what has ended. */
    void check(Reign present) {
        Check due = present.checkOrders(turn.now());
        if (due == null) {
            return;
        }
        Work work = new Checking(due);
        if (hasRoom()) {
            begin(work);
        } else {
            work.failed(false, tooManyWait());
        }
    }

    /**
     * An order that is not refused. The answer is false if this node does not reign; the failure is
     * {@link FailureCode#OUTCOME_UNKNOWN} where the record was perhaps not written, {@link FailureCode#NOT_APPLICABLE}
     * where too many orders stand or wait, {@link FailureCode#UNKNOWN_NODE} where the node is no member and no order is
     * about it, {@link FailureCode#NOT_IN_MAJORITY} where the reign was over before the record was written. An order
     * that fails with another code than {@code OUTCOME_UNKNOWN} changes nothing.
     */
    @Override
    public void given(OrderEvent.Given event) {
        Reign present = reign.get();
        OperatorOrder order = event.order();
        if (present == null) {
            answer(event.id(), false, null);
        } else if (order.kind() == Kind.MOVE) {
            present.order(order, turn.now());
            answer(event.id(), reigns(present.term()), null);
        } else if (!hasRoom()) {
            answer(event.id(), false, tooMany(tooManyWait()));
        } else {
            boolean begins =
                    order.kind() == Kind.DRAIN && !present.drained(turn.now()).contains(order.node());
            if (order.kind() == Kind.DRAIN) {
                // it need not wait for the store, nor has a node time for it that leaves
                present.order(order, turn.now());
            }
            begin(new Giving(event, present.term(), begins));
        }
    }

    @Override
    public void read(OrderEvent.Read event) {
        stored(event.operation(), event.found().orders(), event.found());
    }

    @Override
    public void written(OrderEvent.Written event) {
        unsettled &= !(isPresent(event.operation()) && renews);
        stored(event.operation(), event.before(), event.now());
    }

    private void stored(long of, StandingOrders before, WrittenOrders now) {
        if (isPresent(of)) {
            Work stored = end();
            try {
                stored.stored(before, now);
            } finally {
                proceed();
            }
        }
    }

    @Override
    public void failed(OrderEvent.Failed event) {
        if (!isPresent(event.operation())) {
            return;
        }
        unsettled |= works.element().writes && !event.superseded();
        if (works.element().triesAgain(event.superseded())) {
            command(new OrderCommand.RetryLater(operation, TRY_AGAIN));
            return;
        }
        end().failed(event.superseded(), event.why());
        proceed();
    }

    @Override
    public void retryDue(OrderEvent.RetryDue event) {
        if (isPresent(event.operation())) {
            underWay = false;
            proceed();
        }
    }

    private boolean isPresent(long of) {
        return underWay && of == operation;
    }

    private Work end() {
        underWay = false;
        return works.remove();
    }

    private boolean hasRoom() {
        return works.size() < MOST_WAITING;
    }

    private void begin(Work work) {
        works.add(work);
        proceed();
    }

    /** The first has its turn. One whose reign is over writes no more: the next reign may have heard the opposite. */
    private void proceed() {
        while (!underWay && !works.isEmpty()) {
            Work first = works.element();
            if (reigns(first.term)) {
                underWay = true;
                operation++;
                begunAt = turn.now();
                first.start();
            } else {
                works.remove().outlived();
            }
        }
    }

    private boolean reigns(TermId term) {
        Reign present = reign.get();
        return present != null && present.term().equals(term);
    }

    private void takeUp(TermId of, StandingOrders orders) {
        Reign present = reign.get();
        if (present != null && reigns(of)) {
            present.takeUp(orders, turn.now());
        }
    }

    private void carryOut(TermId of, OperatorOrder order) {
        Reign present = reign.get();
        if (present != null && reigns(of)) {
            present.order(order, turn.now());
        }
    }

    private void write(Work work, UnaryOperator<StandingOrders> change) {
        work.writes = true;
        renews = unsettled;
        UnaryOperator<StandingOrders> unlessGivenUp = found -> work.givenUp ? found : change.apply(found);
        command(new OrderCommand.Write(operation, work.term, renews, unlessGivenUp));
    }

    private void answer(long id, boolean done, @Nullable Failure failure) {
        command(new OrderCommand.Answer(id, done, failure));
    }

    private void command(OrderCommand command) {
        turn.add(new NodeCommand.Ordered(command));
    }

    private String tooManyWait() {
        return works.size() + " orders wait to be written";
    }

    private static Failure tooMany(String which) {
        return Failure.of(FailureCode.NOT_APPLICABLE, which + ": take some back first");
    }

    /** An operation on the record that has its turn, or waits for it. */
    private abstract static class Work {
        /** The reign that wants it. */
        final TermId term;
        /** Whether it has written, or tried to. */
        boolean writes;
        /** Whether it has not ended for too long; the store may ask on any thread. */
        volatile boolean givenUp;

        Work(TermId term) {
            this.term = term;
        }

        abstract void start();

        abstract void stored(StandingOrders before, WrittenOrders now);

        /** Whether it has another turn after a failure. */
        boolean triesAgain(boolean superseded) {
            return false;
        }

        abstract void failed(boolean superseded, String why);

        /** Its reign is over. */
        void outlived() {}
    }

    /** Reads the record, or takes out what has ended. */
    private final class Checking extends Work {
        private final Check check;

        Checking(Check check) {
            super(check.term());
            this.check = check;
        }

        @Override
        void start() {
            if (check.reads()) {
                command(new OrderCommand.Read(operation, term));
            } else {
                long at = turn.wall();
                write(this, found -> check.rest(found, at));
            }
        }

        @Override
        void stored(StandingOrders before, WrittenOrders now) {
            takeUp(term, now.orders());
            if (reigns(term) && now.isOfBefore(term) && hasRoom()) {
                works.add(new ShuttingOut(term));
            }
        }

        @Override
        void failed(boolean superseded, String why) {
            Reign present = reign.get();
            if (present != null && reigns(term)) {
                command(new OrderCommand.Unread(term));
                present.ordersUnread(turn.now());
            }
        }
    }

    /**
     * Puts the reign's term into the record, after which no earlier reign writes there any more. Shards do not wait for
     * it; after a failure it is retried after the next read. The predecessor may have written once more since the read:
     * what it wrote is followed at once.
     */
    private final class ShuttingOut extends Work {
        ShuttingOut(TermId term) {
            super(term);
        }

        @Override
        void start() {
            write(this, found -> found);
        }

        @Override
        void stored(StandingOrders before, WrittenOrders now) {
            takeUp(term, now.orders());
        }

        @Override
        void failed(boolean superseded, String why) {
            // the next read finds the record as it is
        }
    }

    /** Writes an operator's order. */
    private final class Giving extends Work {
        private final OrderEvent.Given given;
        private final boolean begins;
        private final long at = turn.wall();
        private final List<NodeId> known = List.copyOf(members.get());
        private int tries;

        /** @param begins whether it has begun a drain, which ends if it is refused */
        Giving(OrderEvent.Given given, TermId term, boolean begins) {
            super(term);
            this.given = given;
            this.begins = begins;
        }

        private OperatorOrder order() {
            return given.order();
        }

        @Override
        void start() {
            tries++;
            write(this, found -> found.know(order(), known) ? found.with(order(), at) : found);
        }

        @Override
        void stored(StandingOrders before, WrittenOrders now) {
            StandingOrders stand = now.orders();
            takeUp(term, stand);
            // a try before may have taken back the last order that was about the node
            boolean isKnown = before.know(order(), known) || tries > 1 && stand.include(order());
            if (!isKnown) {
                refuse(FailureCode.UNKNOWN_NODE, "node " + order().node() + " is not in the cluster");
            } else if (!stand.include(order())) {
                refuse(tooMany(StandingOrders.MOST + " orders stand"));
            } else {
                if (order().kind() == Kind.UNDRAIN) {
                    carryOut(term, order());
                }
                answer(given.id(), true, null);
            }
        }

        @Override
        boolean triesAgain(boolean superseded) {
            return !superseded && tries < TRIES;
        }

        /** Where the first try finds that the reign is over, nothing was written. */
        @Override
        void failed(boolean superseded, String why) {
            if (superseded && tries == 1) {
                refuse(FailureCode.NOT_IN_MAJORITY, "the order was not stored: " + why);
            } else {
                String text = "it is not known whether the order " + order().kind() + " was stored: " + why;
                answer(given.id(), false, Failure.of(FailureCode.OUTCOME_UNKNOWN, text));
            }
        }

        @Override
        void outlived() {
            if (tries == 0) {
                refuse(FailureCode.NOT_IN_MAJORITY, "the order was not stored: " + NO_LONGER);
            } else {
                failed(false, NO_LONGER);
            }
        }

        private void refuse(FailureCode code, String why) {
            refuse(Failure.of(code, why));
        }

        private void refuse(Failure failure) {
            if (begins) {
                carryOut(term, new OperatorOrder(Kind.UNDRAIN, "", order().node(), -1));
            }
            answer(given.id(), false, failure);
        }
    }
}
