package io.shardbus.runtime.region;

import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The asks that ended in one burst of a lane. Their callers get them when the lane's machine is at rest: what a caller
 * does with an answer is no part of it. Each event loop is woken once, not once for each ask; the lane's own gets them
 * in the burst.
 */
final class CallerAnswers {
    private final OutsideCallers outside;
    /**
     * The last ended ask for another thread; each links to the one before it. The lane adds, any thread may give out.
     */
    private final AtomicReference<@Nullable FutureAsk> last = new AtomicReference<>();
    /** Those whose callers have a context on the lane's event loop, in their order. */
    private final ArrayDeque<FutureAsk> own = new ArrayDeque<>();

    /** @param outside the lane's callers without a context */
    CallerAnswers(OutsideCallers outside) {
        this.outside = outside;
    }

    /** The ask's future completes when the burst is over, or before. On the lane. */
    void add(FutureAsk ended) {
        ContextInternal caller = ended.caller();
        if (caller == null) {
            outside.add(ended);
            return;
        }
        if (caller.isEventLoopContext() && caller.inThread()) {
            own.add(ended);
            return;
        }
        ended.before = last.get();
        while (!last.compareAndSet(ended.before, ended)) {
            ended.before = last.get();
        }
    }

    /**
     * Completes those that are there for callers on the lane's event loop; on the lane, between two steps of its
     * machine.
     *
     * @return whether there were any
     */
    boolean giveOwn() {
        int present = own.size();
        for (int i = 0; i < present; i++) {
            own.remove().completeFuture();
        }
        return present > 0;
    }

    /** Whether there is more for callers on the lane's event loop. On the lane. */
    boolean hasOwn() {
        return !own.isEmpty();
    }

    /**
     * Completes the asks of other callers now, so that they need not wait for a burst that does not end. Any thread.
     */
    void flush() {
        FutureAsk ended = last.get() == null ? null : last.getAndSet(null);
        if (ended == null) {
            return;
        }
        IdentityHashMap<ContextInternal, Deque<FutureAsk>> byCaller = new IdentityHashMap<>();
        while (ended != null) {
            FutureAsk before = ended.before;
            ended.before = null;
            byCaller.computeIfAbsent(Objects.requireNonNull(ended.caller()), key -> new ArrayDeque<>())
                    .addFirst(ended);
            ended = before;
        }
        byCaller.forEach(CallerAnswers::give);
    }

    /**
     * A caller on an event loop gets all at once. One on a thread that may wait gets each by itself, as its futures
     * hand over: it may wait for the second one while it handles the first.
     */
    private static void give(ContextInternal caller, Deque<FutureAsk> asks) {
        if (caller.isEventLoopContext()) {
            caller.runOnContext(ignored -> asks.forEach(FutureAsk::completeFuture));
        } else {
            asks.forEach(FutureAsk::completeFuture);
        }
    }
}
