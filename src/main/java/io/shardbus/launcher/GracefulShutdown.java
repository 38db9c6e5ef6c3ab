package io.shardbus.launcher;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The way out of a process that is told to stop, by SIGTERM or SIGINT: it stops step by step, within a bound, and ends with
 * 0; with 1 if a step failed or the time was up. A second signal changes nothing. One per process.
 */
public final class GracefulShutdown {
    /** A part of the way out; begins on a thread that may wait. */
    public interface Step extends Supplier<Future<?>> {}

    private final Duration bound;
    private final List<Step> steps;
    private volatile int status;

    private GracefulShutdown(Duration bound, List<Step> steps) {
        this.bound = bound;
        this.steps = steps;
    }

    /**
     * Arms the way out.
     *
     * @param bound how long all steps together may take
     * @param steps each begins when the one before has ended, in whatever way. To close a Vertx is a step of its own,
     *     since the futures of a closed Vertx may never complete
     */
    public static GracefulShutdown onSignal(Duration bound, Step... steps) {
        var shutdown = new GracefulShutdown(bound, List.of(steps));
        Runtime.getRuntime().addShutdownHook(new Thread(shutdown::run, "graceful-shutdown"));
        return shutdown;
    }

    /** Takes the same way out without being told to, for a node that could not start; ends with this status. */
    public void exit(int endStatus) {
        status = endStatus;
        // Exit does not return, and may not hold up an event loop that a step needs.
        new Thread(() -> System.exit(endStatus), "exit").start();
    }

    private void run() {
        boolean good = takeSteps();
        System.out.flush();
        System.err.flush();
        // Not exit: the JVM is shutting down already, and would report the signal instead of this status.
        Runtime.getRuntime().halt(good ? status : Math.max(1, status));
    }

    private boolean takeSteps() {
        long end = System.nanoTime() + bound.toNanos();
        boolean good = true;
        for (var step : steps) {
            good &= take(step, end - System.nanoTime());
        }
        return good;
    }

    private boolean take(Step step, long nanos) {
        try {
            begin(step).get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            System.err.println("did not stop in good order: " + e.getCause());
        } catch (TimeoutException e) {
            System.err.println("did not stop within " + bound.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private static CompletableFuture<?> begin(Step step) {
        try {
            return step.get().toCompletionStage().toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
