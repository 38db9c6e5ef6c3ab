package io.shardbus.core.time;

/**
 * Elapsed time as leases need it: the monotonic clock's, and what it missed while the machine was suspended. A suspend
 * is what another clock gained on the monotonic one since the last reading. Only gains count: a wall clock that is set
 * back takes nothing away, neither from what was counted before nor from a suspend that comes later. A wall clock that
 * is set forward looks like a suspend; where the clock that counts from the boot did not gain as much, the difference
 * is doubtful.
 *
 * <p>Immutable; readings are given in the order in which they were taken.
 *
 * @param missed what the monotonic clock missed so far, in milliseconds; never falls
 * @param doubtful how much of it the wall clock alone tells
 * @param wallAhead the lowest lead of the wall clock over the monotonic one since the last gain
 * @param bootAhead the same of the clock that counts from the boot
 * @param readAt the monotonic clock at the last reading
 */
public record ElapsedTime(long missed, long doubtful, long wallAhead, long bootAhead, long readAt) {
    /** Clocks are read in milliseconds, and the time since the boot in hundredths of a second: less is no gain. */
    public static final long RESOLUTION = 20;

    /**
     * Longest suspend that may stay unseen as the wall clock does not show it at all, in milliseconds in which the
     * machine runs.
     */
    public static final long LONGEST_UNREAD = 25;

    private static final long UNKNOWN = Long.MAX_VALUE;

    /** Nothing was missed so far. */
    public static ElapsedTime from(ClockReading first) {
        long boot = first.hasBoot() ? first.boot() - first.awakeBefore() : UNKNOWN;
        return new ElapsedTime(0, 0, first.wall() - first.awakeBefore(), boot, first.awakeAfter());
    }

    /** Elapsed milliseconds when the monotonic clock says this. */
    public long at(long awake) {
        return awake + missed;
    }

    /** Whether no full reading is due: the last is not old, and the wall clock has neither gained nor lost since. */
    public boolean isCurrent(long awake, long wall) {
        long ahead = wall - awake;
        return awake - readAt < LONGEST_UNREAD && ahead >= wallAhead && ahead <= wallAhead + RESOLUTION;
    }

    /** With one more reading. */
    public ElapsedTime after(ClockReading reading) {
        long byBoot = Math.max(0, gainOfBoot(reading));
        long gained = Math.max(gainOfWall(reading), byBoot);
        // of the two bounds the higher one: one that is too high falls with the next reading, one that is too low would
        // be a gain
        long wall = reading.wall() - reading.awakeBefore();
        long boot = reading.hasBoot() ? reading.boot() - reading.awakeBefore() : UNKNOWN;
        return gained > RESOLUTION
                ? new ElapsedTime(missed + gained, doubtful + gained - byBoot, wall, boot, reading.awakeAfter())
                : new ElapsedTime(
                        missed, doubtful, Math.min(wallAhead, wall), Math.min(bootAhead, boot), reading.awakeAfter());
    }

    private long gainOfWall(ClockReading reading) {
        return reading.wall() - reading.awakeAfter() - wallAhead;
    }

    private long gainOfBoot(ClockReading reading) {
        return reading.hasBoot() && bootAhead != UNKNOWN ? reading.boot() - reading.awakeAfter() - bootAhead : 0;
    }
}
