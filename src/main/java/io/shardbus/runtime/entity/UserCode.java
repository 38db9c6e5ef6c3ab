package io.shardbus.runtime.entity;

import io.vertx.core.Future;
import java.util.Objects;
import java.util.function.Supplier;

/** Calls of what users implement with futures. */
public final class UserCode {
    private UserCode() {}

    /** Calls user code: an exception becomes a failed future, and so does an answer that is no future. */
    public static <T> Future<T> call(Supplier<Future<T>> request) {
        try {
            return Objects.requireNonNull(request.get(), "its answer");
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            return Future.failedFuture(e);
        }
    }
}
