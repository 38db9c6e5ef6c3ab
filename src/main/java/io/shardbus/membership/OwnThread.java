package io.shardbus.membership;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A daemon thread for what may block, and so must not run on an event loop. Once closed it does nothing. */
final class OwnThread {
    private final ScheduledExecutorService executor;

    OwnThread(String name) {
        executor = Executors.newSingleThreadScheduledExecutor(task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs the task after those that were given before; false if closed. */
    boolean run(Runnable task) {
        return runAfter(0, task);
    }

    boolean runAfter(long seconds, Runnable task) {
        return runAfterMillis(TimeUnit.SECONDS.toMillis(seconds), task);
    }

    boolean runAfterMillis(long millis, Runnable task) {
        try {
            var unused = executor.schedule(task, millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Runs the task again and again; it must not throw. */
    void runEvery(long seconds, Runnable task) {
        var unused = executor.scheduleWithFixedDelay(task, seconds, seconds, TimeUnit.SECONDS);
    }

    /** Runs the task at once and then again and again; it must not throw. */
    void poll(long millis, Runnable task) {
        var unused = executor.scheduleWithFixedDelay(task, 0, millis, TimeUnit.MILLISECONDS);
    }

    /** Interrupts what runs and forgets what waits. */
    void close() {
        executor.shutdownNow();
    }

    boolean isClosed() {
        return executor.isShutdown();
    }
}
