package io.shardbus.runtime.control;

import static io.shardbus.integration.LoneNode.failureCode;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.integration.Await;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.Membership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.spi.RecordStore;
import io.shardbus.store.DesiredHomesStore;
import io.shardbus.store.InMemoryRecordStore;
import io.shardbus.store.InMemoryStateStore;
import io.shardbus.store.StandingOrdersStore;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A node that reigns twice, and reads the record of standing orders when the test lets it. */
class OrdersRunnerTest {
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId DRAINED = new NodeId("b");
    private static final int LEASE = 60_000;
    private static final String TYPE = "type";

    private final Vertx vertx = Vertx.vertx();
    private final InMemoryRecordStore records = new InMemoryRecordStore();
    private final List<Promise<@Nullable String>> reads = new CopyOnWriteArrayList<>();
    private final Members members = new Members();
    private final ElapsedClock running = new ElapsedClock();
    private final AtomicLong ahead = new AtomicLong();
    private final CoordinatorVerticle control = control();

    /** Tells the listener what the test says. */
    private static final class Members implements Membership {
        private @Nullable Listener listener;
        private long number;

        @Override
        public NodeId self() {
            return SELF;
        }

        @Override
        public Future<Void> start(Listener told) {
            listener = told;
            return Future.succeededFuture();
        }

        void view(boolean available) {
            Objects.requireNonNull(listener).viewChanged(new ClusterView(++number, List.of(SELF), false, available));
        }

        @Override
        public Map<NodeId, NodeAttributes> attributes() {
            return Map.of();
        }

        @Override
        public Future<Void> stop() {
            return Future.succeededFuture();
        }
    }

    /** Answers reads when the test does. */
    private final class HeldRecords implements RecordStore {
        @Override
        public Future<@Nullable String> read(String name) {
            Promise<@Nullable String> read = Promise.promise();
            reads.add(read);
            return read.future();
        }

        @Override
        public Future<Boolean> replace(String name, @Nullable String expected, @Nullable String next) {
            return records.replace(name, expected, next);
        }
    }

    private CoordinatorVerticle control() {
        ShardingOptions options = new ShardingOptions()
                .setAwaitPredecessorLeases(false)
                .setLeaseDurationMs(LEASE)
                .setDecisionTimeMs(0);
        NodeParts parts = new NodeParts(
                SELF,
                1,
                options,
                ElapsedClock.manual(() -> running.now() + ahead.get()),
                new BusTransport(vertx, "", null, () -> 0),
                members,
                new InMemoryStateStore(),
                () -> Future.failedFuture("nothing is remembered"),
                new AllocationSources(DesiredHomesStore.inMemory(), new StandingOrdersStore(new HeldRecords()), null));
        return new CoordinatorVerticle(parts, SplitBrainSetup.of(options, vertx, "test"));
    }

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    private <T> T on(Function<CoordinatorVerticle, Future<T>> question) {
        Promise<T> answer = Promise.promise();
        control.controlContext().runOnContext(ignored -> question.apply(control).onComplete(answer));
        return Await.result(answer.future());
    }

    private Optional<Set<NodeId>> drained() {
        return on(present -> Future.succeededFuture(present.orders().drained()));
    }

    private void reigns(boolean wanted) {
        Await.until(
                control::status,
                () -> wanted
                        == on(present -> Future.succeededFuture(present.admins().isPresent())));
    }

    /** The record once a coordinator of before has written the order. */
    private @Nullable String with(OperatorOrder.Kind kind) {
        return with(kind, new TermId(1, 1));
    }

    private @Nullable String with(OperatorOrder.Kind kind, TermId writer) {
        OperatorOrder order = new OperatorOrder(kind, "", DRAINED, -1);
        Await.result(new StandingOrdersStore(records).update(writer, false, present -> present.with(order, 0)));
        return Await.result(records.read("standing-orders"));
    }

    private @Nullable String withADrain() {
        return with(OperatorOrder.Kind.DRAIN);
    }

    /** The answer to an order; what it does at once is done before the next question. */
    private Future<Boolean> given(OperatorOrder.Kind kind, NodeId node) {
        return Future.future(answer -> control.controlContext()
                .runOnContext(ignored -> control.orders()
                        .give(new OperatorOrder(kind, "", node, -1))
                        .onComplete(answer)));
    }

    /** Begins a reign that knows that no order stands. */
    private void reignsWithoutOrders() {
        Await.result(vertx.deployVerticle(control));
        members.view(true);
        Await.until(() -> reads, () -> reads.size() == 1);
        reads.get(0).complete(null);
        Await.until(this::drained, () -> drained().isPresent());
    }

    /** The type has a coordinator, which says itself which nodes are drained. */
    private void registersARegion() {
        RegionProfile profile = new RegionProfile(false, 10, "1", "1", 1, 1);
        control.controlContext()
                .runOnContext(
                        ignored -> control.toCoordinator(TYPE, new ToCoordinator.Register(1, profile, List.of(), 1)));
        Await.until(
                control::status,
                () -> on(present -> Future.succeededFuture(
                                present.admins().map(Map::keySet).orElse(Set.of())))
                        .contains(TYPE));
    }

    private void beginsAnotherReign() {
        members.view(false);
        reigns(false);
        members.view(true);
        reigns(true);
    }

    @Test
    @DisplayName("orders that were read in an earlier reign are not taken for those that stand in this one")
    void aLateReadIsOfItsReign() {
        Await.result(vertx.deployVerticle(control));
        members.view(true);
        Await.until(() -> reads, () -> reads.size() == 1);
        beginsAnotherReign();
        assertEquals(Optional.empty(), drained());
        reads.get(0).complete(withADrain());
        Await.until(() -> reads, () -> reads.size() == 2);
        assertEquals(Optional.empty(), drained(), "the record has not been read in this reign yet");
        reads.get(1).complete(null);
        Await.until(this::drained, () -> drained().isPresent());
        assertEquals(Optional.of(Set.of()), drained());
    }

    @Test
    @DisplayName("an order that was given in an earlier reign and is written late counts for this one by the record")
    void aLateWriteIsOfItsReign() {
        reignsWithoutOrders();
        Future<Boolean> given = given(OperatorOrder.Kind.CORDON, SELF);
        Await.until(() -> reads, () -> reads.size() == 2);
        beginsAnotherReign();
        reads.get(1).complete(null);
        Await.result(given);
        Await.until(() -> reads, () -> reads.size() == 3);
        assertEquals(Optional.empty(), drained(), "the record has not been read in this reign yet");
    }

    @Test
    @DisplayName("an order whose reign ends while it waits for one before is not stored, and may be given again")
    void anOrderThatWaitsBeyondItsReign() {
        reignsWithoutOrders();
        Future<Boolean> first = given(OperatorOrder.Kind.CORDON, SELF);
        Future<Boolean> second = given(OperatorOrder.Kind.UNCORDON, SELF);
        Await.until(() -> reads, () -> reads.size() == 2);
        beginsAnotherReign();
        reads.get(1).complete(null);
        Await.result(first);
        assertEquals(FailureCode.NOT_IN_MAJORITY, failureCode(second));
    }

    @Test
    @DisplayName("an order that finds a record of a later reign is not stored, and may be given again")
    void anOrderAfterTheNextReignHasWritten() {
        reignsWithoutOrders();
        Future<Boolean> given = given(OperatorOrder.Kind.CORDON, SELF);
        Await.until(() -> reads, () -> reads.size() == 2);
        reads.get(1).complete(with(OperatorOrder.Kind.DRAIN, new TermId(Long.MAX_VALUE, 1)));
        assertEquals(FailureCode.NOT_IN_MAJORITY, failureCode(given));
    }

    @Test
    @DisplayName("a drain of a node that is no member is in effect until the record is read, and not after that")
    void aDrainOfAnUnknownNode() {
        reignsWithoutOrders();
        registersARegion();
        Future<Boolean> given = given(OperatorOrder.Kind.DRAIN, DRAINED);
        assertEquals(Optional.of(Set.of(DRAINED)), drained());
        Await.until(() -> reads, () -> reads.size() == 2);
        reads.get(1).complete(null);
        assertEquals(FailureCode.UNKNOWN_NODE, failureCode(given));
        assertEquals(Optional.of(Set.of()), drained());
    }

    @Test
    @DisplayName("a drain that is refused because too many orders wait is not in effect")
    void aDrainThatFindsTooManyOrders() {
        reignsWithoutOrders();
        registersARegion();
        for (int i = 0; i < 1_000; i++) {
            given(OperatorOrder.Kind.CORDON, SELF);
        }
        assertEquals(FailureCode.NOT_APPLICABLE, failureCode(given(OperatorOrder.Kind.DRAIN, SELF)));
        assertEquals(Optional.of(Set.of()), drained());
    }

    private Optional<Integer> rebalanced() {
        return on(present -> Future.succeededFuture(
                Objects.requireNonNull(present.admin(TYPE).orElseThrow().admin())
                        .rebalance(Integer.MAX_VALUE)));
    }

    @Test
    @DisplayName("a rebalance is not answered before the standing orders are known, nor after the reign has ended")
    void aRebalanceIsNotDropped() {
        Await.result(vertx.deployVerticle(control));
        members.view(true);
        Await.until(() -> reads, () -> reads.size() == 1);
        registersARegion();
        assertEquals(Optional.empty(), rebalanced());
        reads.get(0).complete(null);
        Await.until(this::drained, () -> drained().isPresent());
        assertEquals(Optional.of(0), rebalanced());
        assertEquals(Optional.empty(), on(present -> {
            CoordinatorAdmin admin =
                    Objects.requireNonNull(present.admin(TYPE).orElseThrow().admin());
            ahead.addAndGet(2 * LEASE);
            return Future.succeededFuture(admin.rebalance(Integer.MAX_VALUE));
        }));
    }

    @Test
    @DisplayName("what the coordinator before wrote after the first read is followed once this one has written")
    void aLateWriteOfTheOneBefore() {
        Await.result(vertx.deployVerticle(control));
        members.view(true);
        Await.until(() -> reads, () -> reads.size() == 1);
        reads.get(0).complete(with(OperatorOrder.Kind.CORDON));
        Await.until(() -> reads, () -> reads.size() == 2);
        reads.get(1).complete(withADrain());
        Await.until(this::drained, () -> drained().equals(Optional.of(Set.of(DRAINED))));
        assertEquals(2, reads.size());
    }

    @Test
    @DisplayName("a move whose event finds that the reign is over is not answered as done")
    void aMoveAfterTheEnd() {
        Await.result(vertx.deployVerticle(control));
        members.view(true);
        reigns(true);
        OperatorOrder move = new OperatorOrder(OperatorOrder.Kind.MOVE, "type", DRAINED, 5);
        assertEquals(true, on(present -> present.orders().give(move)));
        assertEquals(false, on(present -> {
            ahead.addAndGet(2 * LEASE);
            return present.orders().give(move);
        }));
    }
}
