package io.shardbus.core.time;

/**
 * How much of an event loop's time the slow ones of some calls may take: in the long run a fiftieth. Those that have
 * taken more no longer belong on the loop until it is made up for. One thread at a time.
 */
public final class HoldUps {
    /** A call that takes so many microseconds is slow. One whose thread waits for a processor may take half of it. */
    public static final long SLOW_MICROS = 20_000;

    /** Slow calls take one of so many milliseconds. */
    private static final long SHARE = 50;
    /** Milliseconds that slow calls may take at first: the first calls of a program load classes. */
    private static final long FREE = 100;
    /** Longest time in milliseconds in which calls do not belong on the loop; a machine may sleep for hours in one. */
    private static final long LONGEST = 600_000;

    /** Elapsed milliseconds at which all that slow calls have taken is made up for. */
    private long madeUpAt = Long.MIN_VALUE / 2;

    /**
     * Whether calls belong on the loop.
     *
     * @param now elapsed milliseconds
     */
    public boolean admits(long now) {
        return pause(now) == 0;
    }

    /** A call has taken so long. */
    public void took(long micros, long now) {
        if (micros >= SLOW_MICROS) {
            long owed = Math.max(madeUpAt, now) - now + micros * SHARE / 1000;
            madeUpAt = now + Math.min(owed, FREE * SHARE + LONGEST);
        }
    }

    /** For how many more milliseconds calls do not belong on the loop; 0 where they do. */
    public long pause(long now) {
        return Math.max(0, madeUpAt - now - FREE * SHARE);
    }
}
