package io.shardbus.runtime.region;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;

/** The Vert.x context of the calling thread, on which the futures that it is given complete. */
public final class CallerContext {
    private CallerContext() {}

    /** A promise whose future completes on the caller's context if there is one. */
    static <T> Promise<T> promise() {
        return Vertx.currentContext() instanceof ContextInternal context ? context.promise() : Promise.promise();
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
