package io.shardbus.membership;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread for tasks that may block and so must not run on an event loop. Runs no task once it is closed. */
final class OwnThread {
    private static final Logger LOG = LoggerFactory.getLogger(OwnThread.class);

    private final String name;
    private final ScheduledExecutorService executor;
    private volatile @Nullable Throwable failure;

    OwnThread(String name) {
        this.name = name;
        executor = Executors.newSingleThreadScheduledExecutor(task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs the task after all earlier ones; false if the thread is closed. */
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

    /** Runs the task after each pause; it must not throw. */
    void runEvery(long seconds, Runnable task) {
        var unused = executor.scheduleWithFixedDelay(watched(task), seconds, seconds, TimeUnit.SECONDS);
    }

    /** Runs the task at once, and again after each pause; it must not throw. */
    void poll(long millis, Runnable task) {
        var unused = executor.scheduleWithFixedDelay(watched(task), 0, millis, TimeUnit.MILLISECONDS);
    }

    /** Logs and keeps what a periodic task throws, as the executor does not run the task again. */
    private Runnable watched(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                failure = e;
                LOG.error("the thread {} died: restart this process", name, e);
                throw e;
            }
        };
    }

    /** The reason why a periodic task runs no longer, as text for people; null if none has thrown. */
    @Nullable
    String end() {
        var thrown = failure;
        return thrown == null ? null : "the thread " + name + " died of " + thrown;
    }

    /** Interrupts the running task and drops the waiting ones. */
    void close() {
        executor.shutdownNow();
    }

    boolean isClosed() {
        return executor.isShutdown();
    }
}
