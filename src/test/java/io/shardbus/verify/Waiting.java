package io.shardbus.verify;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits of one thread for what happens elsewhere. */
public final class Waiting {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private Waiting() {}

    /** Whether a condition came true in time. */
    public static boolean comesTrue(Duration atMost, BooleanSupplier condition) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    /** @throws IllegalStateException when the condition does not come true in time */
    public static void until(String what, Duration atMost, BooleanSupplier condition) {
        if (!comesTrue(atMost, condition)) {
            throw new IllegalStateException("not within " + atMost.toSeconds() + " s: " + what);
        }
    }

    /** Runs a task in a thread of its own: the common pool may have a single one, in which tasks wait for another. */
    public static CompletableFuture<Void> beside(Runnable task) {
        return CompletableFuture.runAsync(task, own -> new Thread(own).start());
    }

    /** A fault lasts so long. */
    public static void pass(Duration time) {
        comesTrue(time, () -> false);
    }
}
