package io.shardbus.runtime.region;

import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.shardbus.core.time.HoldUps;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Handler;
import io.vertx.core.ThreadingModel;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane's callers without a Vert.x context, and what their handlers ask in turn. The handlers run on the lane's event
 * loop after a burst, so that no other thread has to be woken, in a context that is not the lane's. Where they hold the
 * loop up ({@link HoldUps}), or the lane is blocked, a worker thread runs them in their order. An ask whose deadline
 * passes behind a handler that does not return is given out before it.
 */
final class OutsideCallers {
    private static final Logger LOG = LoggerFactory.getLogger(OutsideCallers.class);
    /** The callers of one lane whose handlers run on this thread at this moment. */
    private static final FastThreadLocal<@Nullable OutsideCallers> PRESENT = new FastThreadLocal<>();

    /** Milliseconds after the deadline of an ask in which its owner may still give it out in its order. */
    private static final long GRACE = 50;

    /** Handlers that are called in one go. */
    private static final int MOST = 1024;

    private final String type;
    private final ElapsedClock clock;
    private final ContextInternal loop;
    private final ContextInternal worker;
    private final LateHandlers late;
    /** Asks that have ended, in their order; taken by the owner alone. */
    private final Queue<FutureAsk> ended = new ConcurrentLinkedQueue<>();
    /** Ended asks of handlers of such callers: they do not queue behind others, as the handler may wait for them. */
    private final Queue<FutureAsk> endedOfHandlers = new ConcurrentLinkedQueue<>();

    private final AtomicReference<Owner> owner = new AtomicReference<>(Owner.NONE);
    private final AtomicBoolean woken = new AtomicBoolean();
    /** On the event loop. */
    private final HoldUps holdUps = new HoldUps();

    /** The thread that completes what has ended. */
    private enum Owner {
        NONE,
        LOOP,
        WORKER
    }

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
        this.late = LateHandlers.of(vertx);
    }

    /** Whether a handler of such a caller calls this. */
    static boolean areCalling() {
        OutsideCallers present = Thread.currentThread() instanceof FastThreadLocalThread ? PRESENT.get() : null;
        if (present == null) {
            return false;
        }
        ContextInternal context = CallerContext.current();
        return context == present.loop || context == present.worker;
    }

    /** An ask of theirs has ended on their lane, whose burst gives it out at its end. */
    void add(FutureAsk ask) {
        (ask.isAskedByHandler() ? endedOfHandlers : ended).add(ask);
    }

    private void giveLater() {
        if (woken.compareAndSet(false, true)) {
            loop.nettyEventLoop().execute(() -> {
                woken.set(false);
                give();
            });
        }
    }

    /** Completes what has ended, while the lane's machine is at rest; on its event loop. */
    void give() {
        if (ended.isEmpty() && endedOfHandlers.isEmpty()) {
            return;
        }
        boolean owned = owner.compareAndSet(Owner.NONE, Owner.LOOP);
        ContextInternal before = loop.beginDispatch();
        PRESENT.set(this);
        try {
            giveHere(owned);
        } finally {
            PRESENT.remove();
            loop.endDispatch(before);
            boolean released = owner.compareAndSet(Owner.LOOP, Owner.NONE);
            if ((released && !ended.isEmpty()) || !endedOfHandlers.isEmpty()) {
                giveLater();
            }
        }
    }

    private void giveHere(boolean owned) {
        long present = clock.withoutWall();
        int begun = clock.micros();
        for (int i = 0; i < MOST; i++) {
            if (!holdUps.admits(present)) {
                handOverOfHandlers();
                if (owned) {
                    owner.set(Owner.WORKER);
                    beginOnWorker();
                }
                return;
            }
            FutureAsk ask = endedOfHandlers.poll();
            if (ask == null && owned) {
                ask = ended.poll();
            }
            if (ask == null) {
                return;
            }
            ask.completeFuture();
            int now = clock.micros();
            long took = Integer.toUnsignedLong(now - begun);
            if (took >= HoldUps.SLOW_MICROS) {
                present = clock.withoutWall();
                note(took, present);
            }
            begun = now;
        }
    }

    private void note(long micros, long now) {
        holdUps.took(micros, now);
        long pause = holdUps.pause(now);
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
    void handOver() {
        handOverOfHandlers();
        if (!ended.isEmpty() && owner.compareAndSet(Owner.NONE, Owner.WORKER)) {
            beginOnWorker();
        }
    }

    /** Not in order with the others: a handler of these callers may be waiting for one of these asks. */
    private void handOverOfHandlers() {
        for (FutureAsk ask = endedOfHandlers.poll(); ask != null; ask = endedOfHandlers.poll()) {
            giveOutOfOrder(ask);
        }
    }

    private void giveOutOfOrder(FutureAsk ask) {
        beside(() -> onWorker(ask));
    }

    /** Runs it on a worker thread, beside other handlers. */
    private void beside(Runnable handlers) {
        worker.executeBlocking(
                () -> {
                    handlers.run();
                    return null;
                },
                false);
    }

    /**
     * Has worker threads complete what has ended and is past its deadline, not in order with the others: the handler
     * before it may block for as long as it likes. A few at once ({@link LateHandlers}), in their order. On the one
     * thread that looks after lanes.
     *
     * @param now elapsed milliseconds
     */
    void giveLate(long now) {
        List<FutureAsk> due =
                ended.stream().filter(ask -> ask.deadline() <= now - GRACE).toList();
        for (FutureAsk ask : due) {
            // the owner may take it at this moment
            if (ended.remove(ask)) {
                late.run(this::beside, () -> onWorker(ask));
            }
        }
    }

    /**
     * Has worker threads run the handlers of an ask that has failed by its deadline; a few at once, unless a handler of
     * these callers has asked it and may wait for it. On the one thread that looks after lanes.
     */
    void giveLate(Runnable handlers, boolean ofHandler) {
        if (ofHandler) {
            beside(() -> asHandlers(handlers));
        } else {
            late.run(this::beside, () -> asHandlers(handlers));
        }
    }

    /** A worker thread completes the asks that have ended; later ones are for the lane again. */
    private void beginOnWorker() {
        int present = ended.size();
        worker.runOnContext(ignored -> goOnOnWorker(present));
    }

    private void goOnOnWorker(int left) {
        FutureAsk ask = left > 0 ? ended.poll() : null;
        if (ask == null) {
            owner.set(Owner.NONE);
            if (!ended.isEmpty()) {
                giveLater();
            }
            return;
        }
        try {
            onWorker(ask);
        } finally {
            worker.runOnContext(ignored -> goOnOnWorker(left - 1));
        }
    }

    private void onWorker(FutureAsk ask) {
        asHandlers(ask::completeFuture);
    }

    /** What they ask is known as asked by handlers. */
    private void asHandlers(Runnable handlers) {
        PRESENT.set(this);
        try {
            handlers.run();
        } finally {
            PRESENT.remove();
        }
    }

    /** Calls another handler of such a caller. Any thread. */
    void call(Handler<Void> handler) {
        loop.runOnContext(ignored -> {
            if (!holdUps.admits(clock.withoutWall())) {
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
