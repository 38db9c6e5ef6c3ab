package io.shardbus.runtime.node;

import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Questions to other nodes that are put again while they fail for a reason that passes; they fail when this node ends.
 * Any thread.
 */
final class Retries {
    private static final long POLL_MS = 20;
    private static final long LONGEST_PAUSE_MS = 200;

    private record Waiting<T>(
            long begun, long patience, Supplier<Future<T>> attempt, Predicate<Throwable> passes, Promise<T> answer) {}

    private final Vertx vertx;
    /** Belongs to no verticle: a timer would end with it. */
    private final ContextInternal context;

    private final ElapsedClock clock;
    private final Set<Promise<?>> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    Retries(Vertx vertx, ElapsedClock clock) {
        this.vertx = vertx;
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        this.clock = clock;
    }

    /** This node has no coordinator to ask any more: questions fail, also those that wait. */
    void end() {
        ended = true;
        waiting.forEach(answer -> answer.tryFail(RegionStarter.closedNode()));
    }

    boolean isOver() {
        return ended;
    }

    /**
     * Asks, and asks again, at first often, then less: a node that asks much while another is gone must not load the
     * others.
     *
     * @param patience how long it may be put again, in milliseconds; the answer may take its time after that
     * @param passes whether a failure may be another one, or none, in a moment
     */
    <T> Future<T> ask(long patience, Supplier<Future<T>> attempt, Predicate<Throwable> passes) {
        Promise<T> answer = Promise.promise();
        waiting.add(answer);
        ask(new Waiting<>(clock.now(), patience, attempt, passes, answer));
        return answer.future().onComplete(done -> waiting.remove(answer));
    }

    /** One promise for all retries: futures made of each other would be thousands deep after a minute. */
    private <T> void ask(Waiting<T> waits) {
        if (ended) {
            waits.answer.tryFail(RegionStarter.closedNode());
            return;
        }
        attempt(waits.attempt).onComplete(waits.answer::tryComplete, failure -> {
            long waited = clock.now() - waits.begun;
            if (waited < waits.patience && waits.passes.test(failure)) {
                context.setTimer(Math.max(POLL_MS, Math.min(waited / 4, LONGEST_PAUSE_MS)), paused -> ask(waits));
            } else {
                waits.answer.tryFail(failure);
            }
        });
    }

    /**
     * Turns an exception, as of an event bus that is closed, into a failed future: thrown in a timer it would be lost.
     */
    private static <T> Future<T> attempt(Supplier<Future<T>> attempt) {
        try {
            return attempt.get();
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    /**
     * An answer, or the reason why it cannot come any more: the event bus reports a query to a node that has left only
     * when the time for its answer is up.
     *
     * @param impossible the reason; null while an answer may come
     */
    <T> Future<T> unless(Future<T> answer, Supplier<@Nullable Throwable> impossible) {
        if (answer.isComplete()) {
            return answer;
        }
        Promise<T> first = Promise.promise();
        long watch = context.setPeriodic(POLL_MS, ignored -> {
            Throwable reason = impossible.get();
            if (reason != null) {
                first.tryFail(reason);
            }
        });
        answer.onComplete(first::tryComplete, first::tryFail);
        return first.future().onComplete(done -> vertx.cancelTimer(watch));
    }
}
