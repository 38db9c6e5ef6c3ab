package io.shardbus.runtime.node;

import io.shardbus.FailureCode;
import io.shardbus.NodeId;
import io.shardbus.ShardingException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks whoever coordinates. Between two reigns, and where the one that was known does not reign any more, a question waits for the
 * next coordinator. Any thread.
 */
final class CoordinatorQuestions {
    private static final long POLL_MS = 20;

    private final Vertx vertx;
    private final ElapsedClock clock;
    private final Supplier<@Nullable NodeId> coordinator;
    private final BiFunction<NodeId, JsonObject, Future<JsonObject>> node;
    private volatile boolean ended;

    /** @param node asks one; fails with {@link FailureCode#NOT_IN_MAJORITY} where nothing was done because it does not reign */
    CoordinatorQuestions(
            Vertx vertx,
            ElapsedClock clock,
            Supplier<@Nullable NodeId> coordinator,
            BiFunction<NodeId, JsonObject, Future<JsonObject>> node) {
        this.vertx = vertx;
        this.clock = clock;
        this.coordinator = coordinator;
        this.node = node;
    }

    /** This node has nobody to ask any more: questions fail, also those that wait. */
    void end() {
        ended = true;
    }

    boolean isOver() {
        return ended;
    }

    /** @param patience how long to wait for somebody who reigns, in milliseconds; the answer may take its time after that */
    Future<JsonObject> ask(JsonObject question, long patience) {
        if (ended) {
            return Future.failedFuture(RegionStarter.closedNode());
        }
        NodeId known = coordinator.get();
        if (known == null) {
            return again(question, patience, notReigning("no coordinator is known on this node"));
        }
        long begun = clock.now();
        return node.apply(known, question)
                .recover(failure -> isRefusal(failure)
                        ? again(question, patience - (clock.now() - begun), failure)
                        : Future.failedFuture(failure));
    }

    private Future<JsonObject> again(JsonObject question, long patience, Throwable failure) {
        return patience <= 0
                ? Future.failedFuture(failure)
                : vertx.timer(POLL_MS).compose(waited -> ask(question, patience - POLL_MS));
    }

    static ShardingException notReigning(String text) {
        return new ShardingException(FailureCode.NOT_IN_MAJORITY, text);
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof ShardingException known && known.code() == FailureCode.NOT_IN_MAJORITY;
    }
}
