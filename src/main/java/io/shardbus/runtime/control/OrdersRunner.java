package io.shardbus.runtime.control;

import io.shardbus.ShardingException;
import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.control.Moment;
import io.shardbus.core.control.NodeCommand;
import io.shardbus.core.control.NodeControl;
import io.shardbus.core.control.Reign;
import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.control.WrittenOrders;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.logging.LogPace;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.store.StandingOrdersStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries operators' orders out on the node that coordinates: what stands is written into the record that the next
 * coordinator reads, then this one follows it. One read or write of the record at a time; on the control context.
 */
public final class OrdersRunner {
    private static final Logger LOG = LoggerFactory.getLogger(OrdersRunner.class);
    private static final int MOST_WAITING = 1_000;
    /** The caches refuse writes for a moment after a member was lost; each order may be written twice. */
    private static final int TRIES = 4;

    private static final long TRY_AGAIN_MS = 250;
    private static final String NO_LONGER = "this node coordinates no longer";

    private final NodeControl control;
    private final ControlLoop loop;
    private final NodeParts parts;
    private final Context context;
    private final LogPace pace;
    private Future<?> last = Future.succeededFuture();
    private int waiting;

    OrdersRunner(NodeControl control, ControlLoop loop, NodeParts parts, Context context) {
        this.control = control;
        this.loop = loop;
        this.parts = parts;
        this.context = context;
        this.pace = new LogPace(parts.clock()::now);
    }

    private StandingOrdersStore store() {
        return parts.allocation().orders();
    }

    /** Reads the record, or writes the orders that have not ended. */
    void follow(NodeCommand.FollowOrders command) {
        boolean reads = command.gone().isEmpty() && command.ended().isEmpty();
        TermId term = command.term();
        Future<WrittenOrders> found = inTurn(() -> reads || !reigns(term)
                ? store().read()
                : store().update(
                                term,
                                present -> command.rest(present, parts.clock().wallMillis())));
        found.onComplete(result -> {
            if (!reigns(term)) {
                return; // a later reign of this node may have had to write since, and reads the record itself
            }
            if (result.succeeded()) {
                WrittenOrders written = result.result();
                loop.run((machine, at) -> machine.ordersRead(written.orders(), at));
                shutOut(written, term);
                return;
            }
            if (pace.admits()) {
                LOG.warn(
                        "term={}: the standing orders cannot be read: nodes that are drained or cordoned may get"
                                + " shards{}",
                        command.term().number(),
                        pace.note(),
                        result.cause());
            }
            loop.run((machine, at) -> machine.ordersUnread(at));
        });
    }

    /**
     * Puts this reign's term into the record, after which no earlier reign writes there any more. Shards do not wait
     * for it; after a failure it is retried after the next read. The predecessor may have written once more since the
     * read: what it wrote is followed at once.
     */
    private void shutOut(WrittenOrders written, TermId term) {
        if (!written.isOfBefore(term)) {
            return;
        }
        inTurn(() -> reigns(term)
                        ? store().update(term, present -> present)
                        : Future.<WrittenOrders>failedFuture(new IllegalStateException(NO_LONGER)))
                .onSuccess(latest -> inReign(term, (machine, at) -> machine.ordersRead(latest.orders(), at)))
                .onFailure(failure ->
                        LOG.debug("term={}: the record of standing orders does not bear it", term.number(), failure));
    }

    /**
     * Carries an order out that the coordinator does not refuse. False if this node does not reign; fails with
     * {@link FailureCode#OUTCOME_UNKNOWN} where the record was perhaps not written, with
     * {@link FailureCode#NOT_APPLICABLE} where too many orders stand or wait, with {@link FailureCode#UNKNOWN_NODE}
     * where the node is no member and no order is about it, with {@link FailureCode#NOT_IN_MAJORITY} where the reign
     * was over before the record was written. An order that fails with another code than {@code OUTCOME_UNKNOWN}
     * changes nothing.
     */
    public Future<Boolean> give(OperatorOrder order) {
        Reign reign = control.reign();
        if (reign == null) {
            return Future.succeededFuture(false);
        }
        boolean begins = order.kind() == OperatorOrder.Kind.DRAIN
                && !reign.drained(parts.clock().now()).contains(order.node());
        if (order.kind() == OperatorOrder.Kind.MOVE || order.kind() == OperatorOrder.Kind.DRAIN) {
            // a drain need not wait for the store, nor has a node time for it that leaves
            loop.run((machine, at) -> machine.order(order, at));
        }
        if (order.kind() == OperatorOrder.Kind.MOVE) {
            // it was the first event after the end of the reign's authority, perhaps, and then not for the reign
            return Future.succeededFuture(reigns(reign.term()));
        }
        long given = parts.clock().wallMillis();
        AtomicBoolean known = new AtomicBoolean();
        List<NodeId> members = List.copyOf(control.members());
        UnaryOperator<StandingOrders> change = present -> {
            known.set(present.know(order, members));
            return known.get() ? present.with(order, given) : present;
        };
        return inTurn(() -> write(reign.term(), change, TRIES))
                .recover(failure -> Future.failedFuture(unknown(order, failure)))
                .map(written -> {
                    StandingOrders stand = written.orders();
                    inReign(reign.term(), (machine, at) -> machine.ordersRead(stand, at));
                    if (!known.get()) {
                        throw new ShardingException(
                                FailureCode.UNKNOWN_NODE, "node " + order.node() + " is not in the cluster");
                    } else if (!stand.include(order)) {
                        throw tooMany(StandingOrders.MOST + " orders stand");
                    } else if (order.kind() == OperatorOrder.Kind.UNDRAIN) {
                        inReign(reign.term(), (machine, at) -> machine.order(order, at));
                    }
                    return true;
                })
                .onFailure(failure -> {
                    if (begins && !isUnknown(failure)) {
                        OperatorOrder back = new OperatorOrder(OperatorOrder.Kind.UNDRAIN, "", order.node(), -1);
                        inReign(reign.term(), (machine, at) -> machine.order(back, at));
                    }
                });
    }

    private static boolean isUnknown(Throwable failure) {
        return failure instanceof ShardingException known && known.code() == FailureCode.OUTCOME_UNKNOWN;
    }

    /** What was read or written in a reign says nothing to a later one of this node, which reads the record itself. */
    private void inReign(TermId term, BiFunction<NodeControl, Moment, List<NodeCommand>> event) {
        if (reigns(term)) {
            loop.run(event);
        }
    }

    private static ShardingException unknown(OperatorOrder order, Throwable failure) {
        return failure instanceof ShardingException known
                ? known
                : new ShardingException(
                        FailureCode.OUTCOME_UNKNOWN,
                        "it is not known whether the order " + order.kind() + " was stored: " + failure.getMessage(),
                        failure);
    }

    private static ShardingException tooMany(String which) {
        return new ShardingException(FailureCode.NOT_APPLICABLE, which + ": take some back first");
    }

    /**
     * A node that coordinates no longer writes no more: the next one may have heard the opposite. Where the first try
     * finds that, nothing was written.
     */
    private Future<WrittenOrders> write(TermId term, UnaryOperator<StandingOrders> change, int tries) {
        if (!reigns(term)) {
            return ended(new IllegalStateException(NO_LONGER), tries);
        }
        return store().update(term, change).recover(failure -> {
            if (failure instanceof StandingOrdersStore.SupersededException) {
                return ended(failure, tries);
            }
            return tries <= 1 ? Future.failedFuture(failure) : pause().compose(over -> write(term, change, tries - 1));
        });
    }

    private static <T> Future<T> ended(Throwable why, int tries) {
        return Future.failedFuture(
                tries == TRIES
                        ? new ShardingException(
                                FailureCode.NOT_IN_MAJORITY, "the order was not stored: " + why.getMessage(), why)
                        : why);
    }

    private boolean reigns(TermId term) {
        Reign reign = control.reign();
        return reign != null && reign.term().equals(term);
    }

    private Future<Void> pause() {
        Promise<Void> over = Promise.promise();
        context.owner().setTimer(TRY_AGAIN_MS, ignored -> context.runOnContext(now -> over.complete()));
        return over.future();
    }

    /** Runs an operation when the result of the one before it is known; the result is heard on the control context. */
    private <T> Future<T> inTurn(Supplier<Future<T>> operation) {
        if (waiting >= MOST_WAITING) {
            return Future.failedFuture(tooMany(waiting + " orders wait to be written"));
        }
        waiting++;
        Promise<T> done = Promise.promise();
        last.onComplete(before -> UserCode.call(operation)
                .onComplete(result -> context.runOnContext(ignored -> {
                    waiting--;
                    done.handle(result);
                })));
        last = done.future();
        return done.future();
    }

    /**
     * Empties a node, also of types that register later, or lets it have shards again; how many it has when the order
     * is given, if this node reigns and knows that, or does so when the order is written.
     */
    public Future<Optional<Integer>> drain(NodeId node, boolean wanted) {
        OperatorOrder.Kind kind = wanted ? OperatorOrder.Kind.DRAIN : OperatorOrder.Kind.UNDRAIN;
        Future<Boolean> given = give(new OperatorOrder(kind, "", node, -1));
        Optional<Integer> shards = control.shardsOn(node);
        return given.map(done -> shards.or(() -> control.shardsOn(node)));
    }

    /** The nodes whose drain holds for one type or more; empty until this node reigns and knows the standing orders. */
    public Optional<Set<NodeId>> drained() {
        return Optional.ofNullable(control.reign())
                .filter(Reign::knowsOrders)
                .map(reign -> reign.drained(parts.clock().now()));
    }
}
