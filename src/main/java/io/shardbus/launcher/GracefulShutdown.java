package io.shardbus.launcher;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The way out of a process that is told to stop, by SIGTERM or SIGINT: it stops in good order, within a bound, and the
 * process ends with 0; with 1 if the stop failed or took too long. A second signal changes nothing.
 */
public final class GracefulShutdown {
    private final Duration bound;
    private final Supplier<? extends Future<?>> stop;
    private final AtomicBoolean armed = new AtomicBoolean(true);

    private GracefulShutdown(Duration bound, Supplier<? extends Future<?>> stop) {
        this.bound = bound;
        this.stop = stop;
    }

    /**
     * Arms the way out.
     *
     * @param bound how long the stop may take
     * @param stop called once, on a thread of its own, when the process is told to stop
     */
    public static GracefulShutdown onSignal(Duration bound, Supplier<? extends Future<?>> stop) {
        var shutdown = new GracefulShutdown(bound, stop);
        Runtime.getRuntime().addShutdownHook(new Thread(shutdown::run, "graceful-shutdown"));
        return shutdown;
    }

    /** From now on the process ends as {@code System.exit} says. */
    public void disarm() {
        armed.set(false);
    }

    private void run() {
        if (armed.get()) {
            int status = stopWithin();
            System.out.flush();
            System.err.flush();
            // Not exit: the JVM is shutting down already, and would report the signal instead of this status.
            Runtime.getRuntime().halt(status);
        }
    }

    private int stopWithin() {
        try {
            ended().get(bound.toMillis(), TimeUnit.MILLISECONDS);
            return 0;
        } catch (ExecutionException e) {
            System.err.println("did not stop in good order: " + e.getCause());
        } catch (TimeoutException e) {
            System.err.println("did not stop within " + bound.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 1;
    }

    private CompletableFuture<?> ended() {
        try {
            return stop.get().toCompletionStage().toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
