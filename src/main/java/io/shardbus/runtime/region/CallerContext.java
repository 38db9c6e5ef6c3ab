package io.shardbus.runtime.region;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.PromiseInternal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Vert.x context of the calling thread, on which the futures that it is given complete. */
public final class CallerContext {
    private static final Logger LOG = LoggerFactory.getLogger(CallerContext.class);

    private CallerContext() {}

    /** A promise whose future completes on the caller's context if there is one. */
    static <T> Promise<T> promise() {
        ContextInternal caller = current();
        return caller == null ? Promise.promise() : caller.promise();
    }

    static @Nullable ContextInternal current() {
        return Vertx.currentContext() instanceof ContextInternal context ? context : null;
    }

    /**
     * Calls the handler on the caller's context.
     *
     * @param outside calls it if the caller has no context; null: the thread that runs this does
     */
    static Runnable handOver(Handler<Void> handler, @Nullable OutsideCallers outside) {
        ContextInternal caller = current();
        if (caller != null) {
            return () -> caller.runOnContext(handler);
        }
        return outside == null ? () -> guarded(() -> handler.handle(null)) : () -> outside.call(handler);
    }

    /**
     * Fails what a caller was given, on a thread of the node: handlers of one without a context run where they may
     * block.
     */
    static void fail(Promise<?> promise, Throwable reason) {
        ContextInternal here = current();
        boolean hasContext = promise instanceof PromiseInternal<?> known && known.context() != null;
        if (here == null || hasContext) {
            guarded(() -> promise.tryFail(reason));
        } else {
            here.executeBlocking(
                    () -> {
                        guarded(() -> promise.tryFail(reason));
                        return null;
                    },
                    false);
        }
    }

    /** Runs what may call a handler of a caller without a context, which may throw. */
    public static void guarded(Runnable handlers) {
        try {
            handlers.run();
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            handlerFailed(e);
        }
    }

    /** A caller's handler has thrown; no other one is concerned. */
    static void handlerFailed(Throwable failure) {
        LOG.error("a handler of a caller without a Vert.x context failed", failure);
    }

    /** This future, completing on the caller's context if there is one. */
    public static <T> Future<T> complete(Future<T> future) {
        ContextInternal caller = current();
        if (caller == null) {
            return future;
        }
        Promise<T> promise = caller.promise();
        future.onComplete(promise);
        return promise.future();
    }
}
