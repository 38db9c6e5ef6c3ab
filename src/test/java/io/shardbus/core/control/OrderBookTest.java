package io.shardbus.core.control;

import static io.shardbus.core.control.ControlPlanes.SELF;
import static io.shardbus.core.control.ControlPlanes.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The order book of a node that reigns: what it wants of the record when a write fails, and what operators hear. */
class OrderBookTest {
    private static final NodeId GONE = new NodeId("b");

    private final NodeControl control = ControlPlanes.begin();
    private long now;
    private @Nullable TermRecord term;
    private @Nullable OrderCommand wanted;
    private OrderCommand.@Nullable Answer answer;
    private long id;

    /** The term record answers at once. */
    private void run(List<NodeCommand> commands) {
        for (NodeCommand command : commands) {
            if (command instanceof NodeCommand.Ordered ordered) {
                if (ordered.command() instanceof OrderCommand.Answer given) {
                    answer = given;
                } else {
                    wanted = ordered.command();
                }
            } else if (command instanceof NodeCommand.Elected elected) {
                if (elected.command() instanceof ElectionCommand.Read read) {
                    run(control.recordRead(read.operation(), term, at(now)));
                } else if (elected.command() instanceof ElectionCommand.Replace write) {
                    term = write.next();
                    run(control.recordReplaced(write.operation(), Election.Outcome.WRITTEN, at(now)));
                }
            }
        }
    }

    /** It reigns, and knows that these orders stand. */
    @BeforeEach
    void reigns() {
        term = new TermRecord(40, GONE, 7, TermRecord.RELEASED, 2_000, Set.of(SELF));
        run(control.viewChanged(List.of(SELF), true, false, at(now)));
        for (int i = 0; i < 400 && control.reign() == null; i++) {
            now += 20;
            run(control.tick(at(now)));
        }
        OrderCommand.Read read = (OrderCommand.Read) Objects.requireNonNull(wanted);
        run(control.ordered(new OrderEvent.Read(read.operation(), WrittenOrders.NONE), at(now)));
    }

    private OrderCommand.Write give(Kind kind, NodeId node) {
        answer = null;
        run(control.ordered(new OrderEvent.Given(++id, new OperatorOrder(kind, "", node, -1)), at(now)));
        return write();
    }

    private OrderCommand.Write write() {
        return (OrderCommand.Write) Objects.requireNonNull(wanted);
    }

    /** The record is written, and says this afterwards. */
    private StandingOrders written(StandingOrders before) {
        OrderCommand.Write write = write();
        StandingOrders next = write.change().apply(before);
        WrittenOrders record = new WrittenOrders(next, write.term());
        run(control.ordered(new OrderEvent.Written(write.operation(), before, record), at(now)));
        return next;
    }

    /** The write fails, and is tried again if that is due. */
    private void fails(boolean superseded) {
        run(control.ordered(new OrderEvent.Failed(write().operation(), superseded, "why"), at(now)));
        if (wanted instanceof OrderCommand.RetryLater later) {
            now += later.millis();
            run(control.ordered(new OrderEvent.RetryDue(later.operation()), at(now)));
        }
    }

    private static StandingOrders cordonOf(NodeId node) {
        return StandingOrders.NONE.with(new OperatorOrder(Kind.CORDON, "", node, -1), 0);
    }

    private FailureCode code() {
        Failure failure = Objects.requireNonNull(Objects.requireNonNull(answer).failure());
        return failure.code();
    }

    @Test
    @DisplayName("An order is written four times at most, and then it is not known whether it stands")
    void fourTries() {
        give(Kind.CORDON, SELF);
        for (int i = 1; i < OrderBook.TRIES; i++) {
            fails(false);
            assertEquals(null, answer, "it is tried again");
        }
        fails(false);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, code());
    }

    @Test
    @DisplayName("An order that a later reign's record refuses at first changes nothing; after a failure it may have")
    void supersededAtFirstOrLater() {
        give(Kind.CORDON, SELF);
        fails(true);
        assertEquals(FailureCode.NOT_IN_MAJORITY, code());
        give(Kind.CORDON, SELF);
        fails(false);
        fails(true);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, code());
    }

    @Test
    @DisplayName("A write that took hold though it failed, of the order that ends the last one about a node, is done")
    void takenBackByATryThatFailed() {
        StandingOrders cordoned = cordonOf(GONE);
        OrderCommand.Write first = give(Kind.UNCORDON, GONE);
        StandingOrders rest = first.change().apply(cordoned);
        assertTrue(rest.isEmpty());
        fails(false);
        written(rest);
        assertEquals(new OrderCommand.Answer(id, true, null), answer);
    }

    @Test
    @DisplayName("An order about a node that is no member is refused also after a write that failed")
    void unknownAfterAFailure() {
        give(Kind.CORDON, GONE);
        fails(false);
        written(StandingOrders.NONE);
        assertEquals(FailureCode.UNKNOWN_NODE, code());
    }

    @Test
    @DisplayName("An order waits until the one before has ended, and an answer that comes twice ends nothing")
    void oneAtATime() {
        OrderCommand.Write first = give(Kind.CORDON, SELF);
        assertEquals(first, give(Kind.UNCORDON, SELF), "the second one waits");
        StandingOrders stand = written(StandingOrders.NONE);
        assertEquals(cordonOf(SELF).given().size(), stand.given().size());
        OrderCommand.Write second = write();
        assertTrue(second.operation() > first.operation());
        answer = null;
        WrittenOrders late = new WrittenOrders(stand, first.term());
        run(control.ordered(new OrderEvent.Written(first.operation(), stand, late), at(now)));
        assertEquals(null, answer);
        assertTrue(written(stand).isEmpty());
        assertEquals(new OrderCommand.Answer(id, true, null), answer);
    }

    /** Time passes; the node's term is confirmed. */
    private void waits(long millis) {
        long end = now + millis;
        while (now < end) {
            now = Math.min(end, now + 20);
            run(control.tick(at(now)));
        }
    }

    /** The record is read in its turn, and says nothing. */
    private void nothingIsRead() {
        OrderCommand.Read read = (OrderCommand.Read) Objects.requireNonNull(wanted);
        run(control.ordered(new OrderEvent.Read(read.operation(), WrittenOrders.NONE), at(now)));
    }

    @Test
    @DisplayName("An order whose write does not end is given up after ten seconds: it is not known whether it stands,"
            + " what waits behind it goes on, and its late answer changes nothing")
    void oneThatDoesNotEndIsGivenUp() {
        OrderCommand.Write hung = give(Kind.CORDON, SELF);
        assertEquals(hung, give(Kind.UNCORDON, SELF), "the second one waits");
        waits(OrderBook.PATIENCE - 1);
        assertEquals(null, answer);
        assertEquals(hung, wanted);
        waits(1);
        assertEquals(FailureCode.OUTCOME_UNKNOWN, code());
        assertEquals(id - 1, Objects.requireNonNull(answer).id());
        OrderCommand.Write next = write();
        assertTrue(next.operation() > hung.operation());
        assertTrue(next.renews(), "a write that takes hold late must find another record");
        WrittenOrders late = new WrittenOrders(cordonOf(SELF), hung.term());
        run(control.ordered(new OrderEvent.Written(hung.operation(), StandingOrders.NONE, late), at(now)));
        assertTrue(Objects.requireNonNull(control.reign()).orders().isEmpty(), "it is not followed");
        assertEquals(StandingOrders.NONE, hung.change().apply(StandingOrders.NONE), "it writes no more");
        written(StandingOrders.NONE);
        assertEquals(new OrderCommand.Answer(id, true, null), answer);
        nothingIsRead();
        assertFalse(give(Kind.CORDON, SELF).renews(), "that one found another record");
    }

    @Test
    @DisplayName("A write that failed may take hold late: the next one makes the record another one in any case")
    void theWriteAfterAFailureRenews() {
        assertFalse(give(Kind.CORDON, SELF).renews());
        fails(false);
        assertTrue(write().renews());
        fails(false);
        assertTrue(write().renews(), "the first may still take hold");
        written(StandingOrders.NONE);
        assertFalse(give(Kind.UNCORDON, SELF).renews());
    }

    @Test
    @DisplayName("A record of an earlier reign is written once, and its orders are followed")
    void shutsThePredecessorOut() {
        now += 5_000;
        run(control.tick(at(now)));
        OrderCommand.Read read = (OrderCommand.Read) Objects.requireNonNull(wanted);
        WrittenOrders before = new WrittenOrders(StandingOrders.NONE, new TermId(40, 7));
        run(control.ordered(new OrderEvent.Read(read.operation(), before), at(now)));
        assertEquals(control.term(), write().term());
        written(cordonOf(SELF));
        assertEquals(
                cordonOf(SELF).given(),
                Objects.requireNonNull(control.reign()).orders().given());
    }
}
