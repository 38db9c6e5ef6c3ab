package io.shardbus.core.time;

/**
 * Readings of the clocks of one machine, one after the other, in milliseconds. The monotonic clock is read first and
 * last, because the reading thread may be paused in between.
 *
 * @param awakeBefore the monotonic clock before the others: it is never set, and stands still while the machine is
 *     suspended
 * @param wall the wall clock: it runs while the machine is suspended, and can be set to any time
 * @param boot the time since the machine was booted: it runs while the machine is suspended and is never set;
 *     {@link #NO_BOOT} where the platform does not tell it
 * @param awakeAfter the monotonic clock after the others
 */
public record ClockReading(long awakeBefore, long wall, long boot, long awakeAfter) {
    public static final long NO_BOOT = -1;

    boolean hasBoot() {
        return boot != NO_BOOT;
    }
}
