package io.shardbus.runtime.entity;

import io.vertx.core.Future;
import java.util.Objects;
import java.util.function.Supplier;

/** Calls of what users implement with futures. */
public final class UserCode {
    private UserCode() {}

    /** What it throws is a failure, and so is an answer that is no future. */
    public static <T> Future<T> call(Supplier<Future<T>> request) {
        try {
            return Objects.requireNonNull(request.get(), "its answer");
        } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
            return Future.failedFuture(e);
        }
    }
}
