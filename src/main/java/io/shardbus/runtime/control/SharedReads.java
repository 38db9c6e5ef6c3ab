package io.shardbus.runtime.control;

import io.shardbus.runtime.entity.UserCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one value for many callers: one is under way at a time, and calls that come meanwhile share the next one,
 * which begins after them. On one context, where the futures complete, too.
 */
final class SharedReads<T> {
    private final Context context;
    private final Supplier<Future<T>> source;
    private boolean reading;
    private @Nullable Promise<T> next;

    /** @param source reads; its futures may complete on any thread, within a bounded time */
    SharedReads(Context context, Supplier<Future<T>> source) {
        this.context = context;
        this.source = source;
    }

    /** The value as it is now or later. */
    Future<T> read() {
        if (!reading) {
            return begin();
        }
        Promise<T> shared = next;
        if (shared == null) {
            shared = Promise.promise();
            next = shared;
        }
        return shared.future();
    }

    private Future<T> begin() {
        reading = true;
        Promise<T> answer = Promise.promise();
        UserCode.call(source)
                .onComplete(result -> context.runOnContext(ignored -> {
                    reading = false;
                    Promise<T> waiting = next;
                    next = null;
                    if (waiting != null) {
                        begin().onComplete(waiting);
                    }
                    answer.handle(result);
                }));
        return answer.future();
    }
}
