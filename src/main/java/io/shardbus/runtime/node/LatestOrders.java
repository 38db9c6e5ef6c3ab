package io.shardbus.runtime.node;

import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.protocol.OperatorOrder;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The latest order on each subject that was given on this node and is not answered yet: an earlier one is not repeated,
 * or it would undo the later. Any thread.
 */
final class LatestOrders {
    private final Map<OperatorOrder, Object> latest = new ConcurrentHashMap<>();

    /**
     * Gives an order; its answer.
     *
     * @param ask puts the order to the coordinator, again while the argument is true: no later order on the same
     * subject was given here
     */
    <A> Future<A> give(OperatorOrder order, Function<BooleanSupplier, Future<A>> ask) {
        OperatorOrder subject = StandingOrders.subject(order);
        Object given = new Object();
        latest.put(subject, given);
        return ask.apply(() -> latest.get(subject) == given).onComplete(answered -> latest.remove(subject, given));
    }
}
