package io.shardbus.runtime.region;

import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The asks that ended in one burst of a lane and whose callers are on other event loops: each of those is woken once,
 * not once for each ask. The lane adds; any thread may give out what there is, so that answers do not wait for a burst
 * that does not end.
 */
final class CallerAnswers {
    /** The last one that was added; each knows the one before it. */
    private final AtomicReference<@Nullable FutureAsk> last = new AtomicReference<>();

    /** The ask's future completes when the burst is over, or before. */
    void add(FutureAsk ended) {
        ended.before = last.get();
        while (!last.compareAndSet(ended.before, ended)) {
            ended.before = last.get();
        }
    }

    /** Gives the callers what there is for them. Any thread. */
    void flush() {
        FutureAsk ended = last.get() == null ? null : last.getAndSet(null);
        if (ended == null) {
            return;
        }
        IdentityHashMap<ContextInternal, Deque<FutureAsk>> byCaller = new IdentityHashMap<>();
        while (ended != null) {
            FutureAsk before = ended.before;
            ended.before = null;
            ContextInternal caller = ended.caller();
            if (caller != null) {
                byCaller.computeIfAbsent(caller, key -> new ArrayDeque<>()).addFirst(ended);
            }
            ended = before;
        }
        byCaller.forEach((caller, asks) -> caller.runOnContext(ignored -> asks.forEach(FutureAsk::completeFuture)));
    }
}
