package io.shardbus.runtime.control;

import io.shardbus.ShardingException;
import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.control.NodeControl;
import io.shardbus.core.control.OrderCommand;
import io.shardbus.core.control.OrderEvent;
import io.shardbus.core.control.Reign;
import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.logging.LogPace;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.store.StandingOrdersStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes the record of standing orders, and answers the operators. On the control context. */
public final class OrdersRunner implements OrderCommand.Visitor {
    private static final Logger LOG = LoggerFactory.getLogger(OrdersRunner.class);

    private final NodeControl control;
    private final ControlLoop loop;
    private final NodeParts parts;
    private final Context context;
    private final LogPace pace;
    /** Promises to operators, by the ids of their orders. */
    private final Map<Long, Promise<Boolean>> answers = new HashMap<>();

    private long given;
    /** Failure of the operation whose end the control plane hears of now. */
    private @Nullable Throwable cause;

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

    /**
     * Carries an order out that the coordinator does not refuse. False if this node does not reign; fails with
     * {@link FailureCode#OUTCOME_UNKNOWN} where the record was perhaps not written, with
     * {@link FailureCode#NOT_APPLICABLE} where too many orders stand or wait, with {@link FailureCode#UNKNOWN_NODE}
     * where the node is no member and no order is about it, with {@link FailureCode#NOT_IN_MAJORITY} where the reign
     * was over before the record was written. An order that fails with another code than {@code OUTCOME_UNKNOWN}
     * changes nothing.
     */
    public Future<Boolean> give(OperatorOrder order) {
        Promise<Boolean> answer = Promise.promise();
        long id = ++given;
        answers.put(id, answer);
        tell(new OrderEvent.Given(id, order));
        return answer.future();
    }

    private void tell(OrderEvent event) {
        loop.run((machine, at) -> machine.ordered(event, at));
    }

    @Override
    public void read(OrderCommand.Read command) {
        run(command.operation(), () -> store().read(), found -> new OrderEvent.Read(command.operation(), found));
    }

    @Override
    public void write(OrderCommand.Write command) {
        StandingOrders[] before = {StandingOrders.NONE};
        run(
                command.operation(),
                () -> store().update(command.term(), command.renews(), present -> {
                    before[0] = present;
                    return command.change().apply(present);
                }),
                now -> new OrderEvent.Written(command.operation(), before[0], now));
    }

    /** The end is heard of on the control context. */
    private <T> void run(long operation, Supplier<Future<T>> task, Function<T, OrderEvent> event) {
        UserCode.call(task)
                .onComplete(result -> context.runOnContext(ignored -> {
                    if (result.succeeded()) {
                        tell(event.apply(result.result()));
                    } else {
                        failed(operation, result.cause());
                    }
                }));
    }

    private void failed(long operation, Throwable failure) {
        LOG.debug("an operation on the record of standing orders failed", failure);
        boolean superseded = failure instanceof StandingOrdersStore.SupersededException;
        cause = failure;
        tell(new OrderEvent.Failed(operation, superseded, String.valueOf(failure.getMessage())));
        cause = null;
    }

    @Override
    public void retryLater(OrderCommand.RetryLater command) {
        OrderEvent due = new OrderEvent.RetryDue(command.operation());
        context.owner().setTimer(command.millis(), ignored -> context.runOnContext(now -> tell(due)));
    }

    @Override
    public void answer(OrderCommand.Answer command) {
        Promise<Boolean> answer = answers.remove(command.id());
        Failure failure = command.failure();
        if (answer == null) {
            return;
        }
        if (failure == null) {
            answer.complete(command.done());
        } else {
            answer.fail(new ShardingException(failure.code(), failure.message(), cause));
        }
    }

    @Override
    public void unread(OrderCommand.Unread command) {
        if (pace.admits()) {
            LOG.warn(
                    "term={}: the standing orders cannot be read: nodes that are drained or cordoned may get shards{}",
                    command.term().number(),
                    pace.note(),
                    cause);
        }
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
