package io.shardbus.runtime.region;

import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.shardbus.core.time.HoldUps;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Handler;
import io.vertx.core.ThreadingModel;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane's callers without a Vert.x context, and what their handlers ask in turn. The handlers run on the lane's event
 * loop after a burst, so that no other thread has to be woken, in a context that is not the lane's. Where they hold the
 * loop up ({@link HoldUps}), or the lane is blocked, a worker thread runs them in their order.
 */
final class OutsideCallers {
    private static final Logger LOG = LoggerFactory.getLogger(OutsideCallers.class);
    /** Those whose handlers run on this thread at this moment. */
    private static final FastThreadLocal<@Nullable OutsideCallers> PRESENT = new FastThreadLocal<>();

    private final String type;
    private final ElapsedClock clock;
    private final ContextInternal loop;
    private final ContextInternal worker;
    /** Asks that have ended, in their order. Guarded by this, as all that follows. */
    private final ArrayDeque<FutureAsk> ended = new ArrayDeque<>();
    /** The same of asks by handlers of these callers, which may wait for them: they wait for no other. */
    private final ArrayDeque<FutureAsk> endedOfHandlers = new ArrayDeque<>();
    /** Asks that a worker thread has yet to complete, in their order: those in {@link #ended} wait for them. */
    private int handedOver;

    /** Whether the lane's event loop is at it. */
    private boolean giving;

    private final HoldUps holdUps = new HoldUps();

    /**
     * @param type for the log
     * @param lane context of the lane
     */
    OutsideCallers(String type, ElapsedClock clock, ContextInternal lane) {
        this.type = type;
        this.clock = clock;
        VertxInternal vertx = lane.owner();
        this.loop = vertx.contextBuilder()
                .withThreadingModel(ThreadingModel.EVENT_LOOP)
                .withEventLoop(lane.nettyEventLoop())
                .build();
        this.worker = vertx.createWorkerContext();
    }

    /** The callers whose handler calls this; null for all other code. */
    static @Nullable OutsideCallers asking() {
        OutsideCallers present = Thread.currentThread() instanceof FastThreadLocalThread ? PRESENT.get() : null;
        if (present == null) {
            return null;
        }
        ContextInternal context = CallerContext.current();
        return context == present.loop || context == present.worker ? present : null;
    }

    /** An ask of theirs has ended on their lane, whose burst gives it out at its end. */
    synchronized void add(FutureAsk ask) {
        (ask.isAskedByHandler() ? endedOfHandlers : ended).add(ask);
    }

    /** An ask of their handlers has ended on another lane, on its thread. */
    synchronized void addFromAnother(FutureAsk ask) {
        add(ask);
        if (ready() == 1) {
            giveLater();
        }
    }

    private void giveLater() {
        loop.nettyEventLoop().execute(this::give);
    }

    /** How many may be completed now. */
    private int ready() {
        return endedOfHandlers.size() + (handedOver == 0 ? ended.size() : 0);
    }

    private synchronized int beginToGive() {
        int ready = ready();
        giving = ready > 0;
        return ready;
    }

    private synchronized void endToGive() {
        giving = false;
        if (ready() > 0) {
            giveLater();
        }
    }

    /** Completes what has ended, while the lane's machine is at rest; on its event loop. */
    void give() {
        int most = beginToGive();
        if (most == 0) {
            return;
        }
        ContextInternal before = loop.beginDispatch();
        PRESENT.set(this);
        try {
            long present = clock.withoutWall();
            int begun = clock.micros();
            for (FutureAsk ask = next(present); ask != null; ask = --most > 0 ? next(present) : null) {
                ask.completeFuture();
                int now = clock.micros();
                long took = Integer.toUnsignedLong(now - begun);
                if (took >= HoldUps.SLOW_MICROS) {
                    present = clock.withoutWall();
                    note(took, present);
                }
                begun = now;
            }
        } finally {
            PRESENT.remove();
            loop.endDispatch(before);
            endToGive();
        }
    }

    /** Null where a worker thread has those that follow. */
    private synchronized @Nullable FutureAsk next(long now) {
        if (!holdUps.admits(now)) {
            handOverAll();
            return null;
        }
        FutureAsk ofHandler = endedOfHandlers.poll();
        return ofHandler == null && handedOver == 0 ? ended.poll() : ofHandler;
    }

    private void note(long micros, long now) {
        long pause;
        synchronized (this) {
            holdUps.took(micros, now);
            pause = holdUps.pause(now);
        }
        if (pause > 0) {
            LOG.warn(
                    "type={}: a handler of a caller without a Vert.x context has held an event loop up for {} ms; such"
                            + " handlers run on a worker thread for the next {} s",
                    type,
                    micros / 1000,
                    (pause + 999) / 1000);
        }
    }

    /**
     * Has worker threads complete what the lane does not come to, as its event loop is blocked: by a handler, which may
     * wait for what it has asked, or by other code. Any thread.
     */
    synchronized void handOver() {
        if (giving) {
            handOverOfHandlers();
        } else {
            handOverAll();
        }
    }

    private void handOverAll() {
        handOverOfHandlers();
        for (FutureAsk ask = ended.poll(); ask != null; ask = ended.poll()) {
            FutureAsk next = ask;
            handedOver++;
            worker.runOnContext(ignored -> {
                onWorker(next);
                completed();
            });
        }
    }

    /** Not in turn with the others: one of these may be what waits. */
    private void handOverOfHandlers() {
        for (FutureAsk ask = endedOfHandlers.poll(); ask != null; ask = endedOfHandlers.poll()) {
            FutureAsk next = ask;
            worker.executeBlocking(
                    () -> {
                        onWorker(next);
                        return null;
                    },
                    false);
        }
    }

    private void onWorker(FutureAsk ask) {
        PRESENT.set(this);
        try {
            ask.completeFuture();
        } finally {
            PRESENT.remove();
        }
    }

    private synchronized void completed() {
        handedOver--;
        if (handedOver == 0 && !ended.isEmpty()) {
            giveLater();
        }
    }

    /** Calls another handler of such a caller. Any thread. */
    void call(Handler<Void> handler) {
        loop.runOnContext(ignored -> {
            boolean admitted;
            synchronized (this) {
                admitted = holdUps.admits(clock.withoutWall());
            }
            if (!admitted) {
                worker.runOnContext(handler);
                return;
            }
            int begun = clock.micros();
            try {
                handler.handle(null);
            } finally {
                long took = clock.microsSince(begun);
                if (took >= HoldUps.SLOW_MICROS) {
                    note(took, clock.withoutWall());
                }
            }
        });
    }
}
