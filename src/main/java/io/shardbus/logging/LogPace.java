package io.shardbus.logging;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Rate limit of one kind of log line: ten in a minute, or as given. A later line tells how
 * many were left out. Any thread.
 */
public final class LogPace {
    static final int MOST = 10;
    static final long MINUTE = 60_000;

    private final LongSupplier clock;
    private final int most;
    private final AtomicLong begun;
    private final AtomicInteger wanted = new AtomicInteger();
    private final AtomicLong leftOut = new AtomicLong();

    /** @param clock elapsed milliseconds */
    public LogPace(LongSupplier clock) {
        this(clock, MOST);
    }

    /** @param most how many lines a minute; at least 1 */
    public LogPace(LongSupplier clock, int most) {
        this.clock = clock;
        this.most = most;
        this.begun = new AtomicLong(clock.getAsLong());
    }

    /** Whether one more is to be logged now. */
    public boolean admits() {
        long now = clock.getAsLong();
        long last = begun.get();
        if (now - last >= MINUTE && begun.compareAndSet(last, now)) {
            wanted.set(0);
        }
        boolean admitted = wanted.incrementAndGet() <= most;
        if (!admitted) {
            leftOut.incrementAndGet();
        }
        return admitted;
    }

    /**
     * The end of a line that was admitted: what was left out before it, and that others may be after it. Asked once for
     * each line.
     */
    public String note() {
        long before = leftOut.getAndSet(0);
        String told = before == 0 ? "" : " (" + before + " before it not logged)";
        return wanted.get() < most ? told : told + " (no more of these in this minute)";
    }
}
