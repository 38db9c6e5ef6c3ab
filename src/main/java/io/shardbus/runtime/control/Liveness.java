package io.shardbus.runtime.control;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Liveness of the control plane of a node. It shares its event loop with code of the application: where that blocks the
 * loop for good only a new start of the process helps. Any thread.
 */
final class Liveness {
    private static final long NEVER = Long.MAX_VALUE;
    /** Code that comes back from a long call is not to be killed. */
    private static final long LEAST_MS = 60_000;

    private static final int LEASES = 10;

    private final long patience;
    private final LongSupplier clock;
    private volatile long ticked = NEVER;
    /** Between the last two ticks. */
    private volatile long gap;

    /**
     * @param lease how long leases last, in milliseconds
     * @param clock elapsed milliseconds
     */
    Liveness(long lease, LongSupplier clock) {
        this.patience = Math.max(LEAST_MS, LEASES * lease);
        this.clock = clock;
    }

    /** The control plane runs. */
    void ticked() {
        long now = clock.getAsLong();
        gap = ticked == NEVER ? 0 : now - ticked;
        ticked = now;
    }

    /** By how much it is late now, or was at its last tick: the larger, in milliseconds. */
    long lag(long period) {
        long last = ticked;
        long open = last == NEVER ? 0 : clock.getAsLong() - last;
        return Math.max(0, Math.max(gap, open) - period);
    }

    /** It has ended, and need not run. */
    void ended() {
        ticked = NEVER;
    }

    /** The reason why it does not run, for people; null if it does, or has not begun, or has ended. */
    @Nullable
    String blocked() {
        long last = ticked;
        long silent = last == NEVER ? 0 : clock.getAsLong() - last;
        return silent < patience
                ? null
                : "the event loop of the control plane has been blocked for " + silent / 1000
                        + " s: a thread dump shows" + " by which code";
    }
}
