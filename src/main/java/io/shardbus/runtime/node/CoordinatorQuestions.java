package io.shardbus.runtime.node;

import io.shardbus.FailureCode;
import io.shardbus.NodeId;
import io.shardbus.ShardingException;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks whoever coordinates. Between two reigns, and where the one that was known does not reign any more, a question waits for the
 * next coordinator; so does one that nobody heard, as where it has just left. One that is under way when another begins to reign is
 * put to that one too: who left with it may have had nobody to answer it any more. Any thread.
 */
final class CoordinatorQuestions {
    private static final long POLL_MS = 20;

    private record Waiting(JsonObject question, long until, BooleanSupplier wanted, Promise<JsonObject> answer) {}

    private final Vertx vertx;
    private final ElapsedClock clock;
    private final Supplier<@Nullable NodeId> coordinator;
    private final BiFunction<NodeId, JsonObject, Future<JsonObject>> node;
    private final Set<Promise<JsonObject>> waiting = ConcurrentHashMap.newKeySet();
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
        waiting.forEach(answer -> answer.tryFail(RegionStarter.closedNode()));
    }

    boolean isOver() {
        return ended;
    }

    /** @param patience how long to wait for somebody who reigns, in milliseconds; the answer may take its time after that */
    Future<JsonObject> ask(JsonObject question, long patience) {
        return ask(question, patience, () -> true);
    }

    /** @param wanted whether it may still be asked again; what a later order has replaced is not repeated */
    Future<JsonObject> ask(JsonObject question, long patience, BooleanSupplier wanted) {
        Promise<JsonObject> answer = Promise.promise();
        waiting.add(answer);
        ask(new Waiting(question, clock.now() + patience, wanted, answer));
        return answer.future().onComplete(done -> waiting.remove(answer));
    }

    /** One promise for all repetitions: futures made of each other would be thousands deep after a minute. */
    private void ask(Waiting waits) {
        if (ended) {
            waits.answer.tryFail(RegionStarter.closedNode());
            return;
        }
        NodeId known = coordinator.get();
        if (known == null) {
            again(waits, notReigning("no coordinator is known on this node"));
            return;
        }
        asked(known, waits.question).onComplete(waits.answer::tryComplete, failure -> {
            if (isRefusal(failure)) {
                again(waits, failure);
            } else {
                waits.answer.tryFail(failure);
            }
        });
    }

    /** What is thrown, as by an event bus that is closed, would end in a timer, and nobody would hear of it. */
    private Future<JsonObject> asked(NodeId known, JsonObject question) {
        try {
            Future<JsonObject> answer = node.apply(known, question);
            return answer.isComplete() ? answer : unlessSucceeded(known, answer);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    /** The event bus says nothing of a question to who has left in the meantime, until the time for its answer is up. */
    private Future<JsonObject> unlessSucceeded(NodeId known, Future<JsonObject> answer) {
        Promise<JsonObject> first = Promise.promise();
        long watch = vertx.setPeriodic(POLL_MS, ignored -> {
            NodeId present = coordinator.get();
            if (present != null && !present.equals(known)) {
                first.tryFail(notReigning("node " + known + " has not answered, and " + present + " reigns now"));
            }
        });
        answer.onComplete(first::tryComplete, first::tryFail);
        return first.future().onComplete(done -> vertx.cancelTimer(watch));
    }

    private void again(Waiting waits, Throwable failure) {
        if (!waits.wanted.getAsBoolean()) {
            waits.answer.tryFail(notReigning("a later order has taken the place of this one"));
        } else if (clock.now() >= waits.until) {
            waits.answer.tryFail(
                    BusTransport.isUnheard(failure)
                            ? notReigning("the last known coordinator is not there: " + failure.getMessage())
                            : failure);
        } else {
            vertx.setTimer(POLL_MS, waited -> ask(waits));
        }
    }

    static ShardingException notReigning(String text) {
        return new ShardingException(FailureCode.NOT_IN_MAJORITY, text);
    }

    /** Nothing was done: it does not reign, or nobody was there who could have heard, as when it has just left. */
    private static boolean isRefusal(Throwable failure) {
        return BusTransport.isUnheard(failure)
                || failure instanceof ShardingException known && known.code() == FailureCode.NOT_IN_MAJORITY;
    }
}
