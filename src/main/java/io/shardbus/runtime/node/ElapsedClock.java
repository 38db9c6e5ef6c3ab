package io.shardbus.runtime.node;

/**
 * The one clock: milliseconds since it was made, never going back. It follows the larger of the monotonic and the wall clock's progress,
 * because a suspended machine stops the monotonic one while leases run out elsewhere. Any thread.
 */
public final class ElapsedClock {
    private static final long NANOS = 1_000_000;

    private final long startNanos = System.nanoTime();
    private final long startWall = System.currentTimeMillis();
    private volatile long skew;

    public long now() {
        long monotonic = awake();
        long ahead = System.currentTimeMillis() - startWall - monotonic;
        if (ahead > skew) {
            skew = ahead;
        }
        return monotonic + skew;
    }

    /** The same by the monotonic clock alone: it does not jump, and stands still while the machine is suspended. */
    public long awake() {
        return (System.nanoTime() - startNanos) / NANOS;
    }

    /** By how much the wall clock has run ahead so far; a jump means that the machine was suspended or its time was set. */
    public long skew() {
        return skew;
    }

    public long wallMillis() {
        return System.currentTimeMillis();
    }

    /** When this process began, on this clock; at most 0. */
    public long processStart() {
        return -ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> Math.max(0, startWall - start.toEpochMilli()))
                .orElse(0L);
    }
}
