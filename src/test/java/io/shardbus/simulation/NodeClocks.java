package io.shardbus.simulation;

import io.shardbus.core.time.ClockReading;
import io.shardbus.core.time.ElapsedTime;
import io.shardbus.simulation.time.Scheduler;
import java.util.SplittableRandom;

/**
 * One machine's clocks, and the elapsed time that a node makes of them. All drift together; the monotonic clock stands
 * still while the machine is suspended, and the wall clock is set now and then.
 */
final class NodeClocks {
    /** The wall clock at the beginning of the world, where none is wrong. */
    static final long EPOCH = 100_000_000_000L;

    private static final long YEAR = 31_536_000_000L;

    private final Scheduler scheduler;
    private final long offset;
    private final double rate;
    /** Whether the platform tells how long ago the machine was booted, suspends included. */
    private final boolean tellsBoot;

    private long wallSet;
    private double suspended;
    private double suspendedAt = -1;
    private ElapsedTime time;

    NodeClocks(SplittableRandom dice, SimulationOptions options, Scheduler scheduler) {
        this.scheduler = scheduler;
        this.offset = dice.nextInt(1_000_000);
        this.rate = 1 + options.drift * (2 * dice.nextDouble() - 1);
        this.tellsBoot = offset % 2 == 0;
        this.wallSet = options.wrongClocks ? wrongBy(offset) : 0;
        this.time = ElapsedTime.from(reading());
    }

    /** Every fourth is a year ahead, every fourth of the others a year behind. */
    private static long wrongBy(long draw) {
        return draw / 2 % 4 == 0 ? YEAR : draw / 8 % 4 == 0 ? -YEAR : 0;
    }

    /** Elapsed milliseconds, as a real node knows them. */
    long now() {
        ClockReading reading = reading();
        if (isSuspended()) {
            // the machine does not look; what it would see is for those who judge it
            return time.after(reading).at(reading.awakeAfter());
        }
        if (!time.isCurrent(reading.awakeBefore(), reading.wall())) {
            time = time.after(reading);
        }
        return time.at(reading.awakeAfter());
    }

    ElapsedTime time() {
        return time;
    }

    long wall() {
        return EPOCH + wallSet + (long) ticked();
    }

    boolean tellsBoot() {
        return tellsBoot;
    }

    /** The wall clock is set; a machine that runs looks at it soon. */
    void setWall(long by) {
        wallSet += by;
        if (!isSuspended()) {
            time = time.after(reading());
        }
    }

    /** Before the node starts: the wall clock is set if it is behind this moment, as operators are told to do. */
    void setBeforeStart(long latest) {
        wallSet += Math.max(0, latest - wall());
        time = ElapsedTime.from(reading());
    }

    void suspend() {
        suspendedAt = ticked();
    }

    void resume() {
        suspended += ticked() - suspendedAt;
        suspendedAt = -1;
        time = time.after(reading());
    }

    boolean isSuspended() {
        return suspendedAt >= 0;
    }

    private double ticked() {
        return scheduler.now() * rate;
    }

    private ClockReading reading() {
        double standing = isSuspended() ? ticked() - suspendedAt : 0;
        long awake = offset + (long) (ticked() - suspended - standing);
        return new ClockReading(awake, wall(), tellsBoot ? offset + (long) ticked() : ClockReading.NO_BOOT, awake);
    }
}
