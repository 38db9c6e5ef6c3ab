package io.shardbus.runtime.region;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Vert.x context of the calling thread, on which the futures that it is given complete. */
public final class CallerContext {
    private static final Logger LOG = LoggerFactory.getLogger(CallerContext.class);

    private CallerContext() {}

    /** A promise whose future completes on the caller's context if there is one. */
    static <T> Promise<T> promise() {
        return Vertx.currentContext() instanceof ContextInternal context ? context.promise() : Promise.promise();
    }

    /**
     * Calls the handler on the caller's context.
     *
     * @param outside where a handler of a caller without a context is called; null: on the thread that runs this
     */
    static Runnable handOver(Handler<Void> handler, @Nullable ContextInternal outside) {
        ContextInternal at = Vertx.currentContext() instanceof ContextInternal context ? context : outside;
        return at == null ? () -> guarded(() -> handler.handle(null)) : () -> at.runOnContext(handler);
    }

    /** Runs what may call a handler of a caller without a context, which may throw. */
    static void guarded(Runnable handlers) {
        try {
            handlers.run();
        } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
            handlerFailed(e);
        }
    }

    /** A caller's handler has thrown; no other one is concerned. */
    static void handlerFailed(Throwable failure) {
        LOG.error("a handler of a caller without a Vert.x context failed", failure);
    }

    /** This future, completing on the caller's context if there is one. */
    public static <T> Future<T> complete(Future<T> future) {
        if (Vertx.currentContext() == null) {
            return future;
        }
        Promise<T> promise = promise();
        future.onComplete(promise);
        return promise.future();
    }
}
