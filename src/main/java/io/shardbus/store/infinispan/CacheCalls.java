package io.shardbus.store.infinispan;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Runs calls of a cache on a few threads, never on the caller's, each with a time limit: a cache call may block before
 * it gives its future, and some futures of Infinispan 14 never complete. When every thread is stuck and the queue is
 * full, calls fail at once. No more than a given number are under way: the next one begins when one has been answered
 * or given up.
 */
final class CacheCalls {
    private static final int THREADS = 2;
    private static final int QUEUED = 64;

    private final String name;
    private final int queued;
    private final Semaphore places;
    private final ExecutorService threads;

    CacheCalls(String name) {
        this(name, QUEUED, QUEUED);
    }

    /**
     * @param queued calls that may wait to begin
     * @param underWay calls that may have begun and not ended
     */
    CacheCalls(String name, int queued, int underWay) {
        this.name = name;
        this.queued = queued;
        this.places = new Semaphore(underWay);
        var pool = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(queued), daemons(name));
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
    }

    /** Runs a blocking action. */
    Future<Void> run(String what, Duration timeout, Runnable action) {
        return call(what, timeout, () -> {
            action.run();
            return CompletableFuture.completedFuture(null);
        });
    }

    /** Runs a call that answers later. A failure after the timeout is lost: the caller was told "unknown". */
    <T> Future<T> call(String what, Duration timeout, Supplier<? extends CompletionStage<T>> call) {
        var answer = new CompletableFuture<T>();
        try {
            threads.execute(() -> startInTurn(call, answer));
        } catch (RejectedExecutionException e) {
            return Future.failedFuture(new IllegalStateException(
                    name + ": " + what + " refused: closed, or " + queued + " calls are waiting already", e));
        }
        return Future.fromCompletionStage(answer.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS))
                .recover(failure -> Future.failedFuture(
                        failure instanceof TimeoutException
                                ? new TimeoutException(name + ": " + what + " unanswered after " + timeout.toMillis()
                                        + " ms; its outcome is unknown")
                                : failure));
    }

    void close() {
        threads.shutdownNow();
    }

    private <T> void startInTurn(Supplier<? extends CompletionStage<T>> call, CompletableFuture<T> answer) {
        try {
            places.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.completeExceptionally(new IllegalStateException(name + ": closed", e));
            return;
        }
        var unused = answer.whenComplete((value, failure) -> places.release());
        if (!answer.isDone()) {
            start(call, answer);
        }
    }

    private static <T> void start(Supplier<? extends CompletionStage<T>> call, CompletableFuture<T> answer) {
        try {
            call.get().whenComplete((value, failure) -> {
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(
                            failure instanceof CompletionException && failure.getCause() != null
                                    ? failure.getCause()
                                    : failure);
                }
            });
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    private static ThreadFactory daemons(String name) {
        var count = new AtomicInteger();
        return task -> {
            var thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
