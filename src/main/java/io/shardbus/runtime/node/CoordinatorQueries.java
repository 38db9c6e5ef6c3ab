package io.shardbus.runtime.node;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the coordinator. Between two reigns, and where the one that was known does not reign any more, a question waits
 * for the next coordinator; so does one that was not heard, as where the coordinator has just left. One that is under
 * way when another begins to reign is put to that one too: a coordinator that has left may have had no time to answer.
 * The order to move a shard is not, as the shard would move twice. Any thread.
 */
final class CoordinatorQueries {
    private final Retries retries;
    private final Supplier<@Nullable NodeId> coordinator;
    private final QueryPort node;

    /**
     * @param node asks one; fails with {@link FailureCode#NOT_IN_MAJORITY} where nothing was done because it does not
     * reign
     */
    CoordinatorQueries(Retries retries, Supplier<@Nullable NodeId> coordinator, QueryPort node) {
        this.retries = retries;
        this.coordinator = coordinator;
        this.node = node;
    }

    /**
     * @param patience how long to wait for a coordinator, in milliseconds; the answer may take its time after
     * that
     */
    <A extends QueryAnswer> Future<A> ask(Query<A> question, long patience) {
        return ask(question, patience, () -> true);
    }

    /** @param wanted whether it may still be asked again; what a later order has replaced is not repeated */
    <A extends QueryAnswer> Future<A> ask(Query<A> question, long patience, BooleanSupplier wanted) {
        return retries.ask(
                        patience,
                        () -> wanted.getAsBoolean() ? ask(question) : Future.failedFuture(replaced()),
                        failure -> isRefusal(failure) && wanted.getAsBoolean())
                .recover(failure -> Future.failedFuture(inVain(failure, wanted.getAsBoolean())));
    }

    private <A extends QueryAnswer> Future<A> ask(Query<A> question) {
        NodeId known = coordinator.get();
        return known == null
                ? Future.failedFuture(notReigning("no coordinator is known on this node"))
                : retries.unless(node.ask(known, question), () -> {
                    NodeId present = coordinator.get();
                    return present == null || present.equals(known) ? null : unanswered(question, known, present);
                });
    }

    /** Only idempotent queries are retried at the next coordinator: the last one may have executed them. */
    private static ShardingException unanswered(Query<?> question, NodeId known, NodeId present) {
        String text = "node " + known + " has not answered, and " + present + " reigns now";
        boolean isMove = question instanceof Query.Order given && given.order().kind() == OperatorOrder.Kind.MOVE;
        return isMove
                ? new ShardingException(
                        FailureCode.OUTCOME_UNKNOWN, text + ": look whether the shard moves before you order it again")
                : notReigning(text);
    }

    private static Throwable inVain(Throwable failure, boolean wanted) {
        if (isRefusal(failure) && !wanted) {
            return replaced();
        }
        return BusTransport.isUnheard(failure)
                ? notReigning("the last known coordinator is not there: " + failure.getMessage())
                : failure;
    }

    private static ShardingException replaced() {
        return notReigning("a later order has taken the place of this one");
    }

    static ShardingException notReigning(String text) {
        return new ShardingException(FailureCode.NOT_IN_MAJORITY, text);
    }

    /** Nothing was done: the node does not reign, or has no handler, as it has just left. */
    private static boolean isRefusal(Throwable failure) {
        return BusTransport.isUnheard(failure)
                || failure instanceof ShardingException known && known.code() == FailureCode.NOT_IN_MAJORITY;
    }
}
