package io.shardbus.runtime.region;

import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Handlers of late asks, of callers without a Vert.x context: they may block, and run on the worker threads of the
 * Vertx. A few run at once, so that such handlers never take all worker threads; the others wait in their order, one
 * for each late ask. One for all lanes of a Vertx. Any thread.
 */
final class LateHandlers implements Shareable {
    /** Handlers that run at once: a fifth of the worker threads that a Vertx has by default. */
    static final int MOST = 4;

    private final Queue<Late> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger running = new AtomicInteger();

    private record Late(Executor worker, Runnable handlers) {}

    /** Those of the Vertx, which keeps them. */
    static LateHandlers of(Vertx vertx) {
        LocalMap<String, LateHandlers> map = vertx.sharedData().getLocalMap("__shardbus.late");
        return map.computeIfAbsent("handlers", key -> new LateHandlers());
    }

    /** Runs the handlers on the worker after those that wait, once fewer than {@value #MOST} run. */
    void run(Executor worker, Runnable handlers) {
        waiting.add(new Late(worker, handlers));
        runNext();
    }

    private void runNext() {
        while (!waiting.isEmpty() && take()) {
            Late next = waiting.poll();
            if (next == null) {
                running.decrementAndGet();
            } else {
                begin(next);
            }
        }
    }

    /** Whether one more may run. */
    private boolean take() {
        return running.getAndUpdate(present -> Math.min(MOST, present + 1)) < MOST;
    }

    private void begin(Late late) {
        late.worker().execute(() -> {
            try {
                late.handlers().run();
            } finally {
                running.decrementAndGet();
                runNext();
            }
        });
    }
}
