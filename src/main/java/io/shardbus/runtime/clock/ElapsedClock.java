package io.shardbus.runtime.clock;

import io.shardbus.core.time.ClockReading;
import io.shardbus.core.time.ElapsedTime;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * The one clock: milliseconds since it was made, never going back. What it shows follows from the machine's clocks by
 * {@link ElapsedTime}. Any thread.
 */
public final class ElapsedClock {
    private static final long NANOS = 1_000_000;

    private final LongSupplier nanos;
    private final LongSupplier wall;
    private final LongSupplier boot;
    private final long startNanos;
    private final long startWall;
    private final AtomicReference<ElapsedTime> time;

    public ElapsedClock() {
        this(System::nanoTime, System::currentTimeMillis, new BootClock()::millis);
    }

    /**
     * One that a test moves by these milliseconds. Its wall clock stands still at the present: it shows no suspended
     * machine.
     */
    public static ElapsedClock manual(LongSupplier millis) {
        long present = System.currentTimeMillis();
        return new ElapsedClock(() -> millis.getAsLong() * NANOS, () -> present, () -> ClockReading.NO_BOOT);
    }

    /**
     * @param boot milliseconds since the boot of the machine, suspends included; {@link ClockReading#NO_BOOT} if that
     * is not known
     */
    ElapsedClock(LongSupplier nanos, LongSupplier wall, LongSupplier boot) {
        this.nanos = nanos;
        this.wall = wall;
        this.boot = boot;
        this.startNanos = nanos.getAsLong();
        this.startWall = wall.getAsLong();
        this.time = new AtomicReference<>(ElapsedTime.from(reading()));
    }

    public long now() {
        ElapsedTime known = time();
        long awake = awake();
        return known.isCurrent(awake, wall.getAsLong()) ? known.at(awake) : read(known);
    }

    /** A reading counts only if no other thread's came in between: that one may be newer. */
    private long read(ElapsedTime known) {
        ElapsedTime next = known.after(reading());
        return time.compareAndSet(known, next) ? next.at(next.readAt()) : time().at(awake());
    }

    private ClockReading reading() {
        return new ClockReading(awake(), wall.getAsLong(), boot.getAsLong(), awake());
    }

    /**
     * As {@link #now}, without a look at the wall clock: half the price, and a suspension since the last one is not
     * seen.
     */
    public long withoutWall() {
        return time().at(awake());
    }

    /** The same by the monotonic clock alone: it does not jump, and stands still while the machine is suspended. */
    public long awake() {
        return (nanos.getAsLong() - startNanos) / NANOS;
    }

    /**
     * Microseconds of the monotonic clock, in 32 bits: a difference is right up to 71 minutes, as an unsigned number.
     * Never 0.
     */
    public int micros() {
        int micros = (int) ((nanos.getAsLong() - startNanos) / 1000);
        return micros == 0 ? 1 : micros;
    }

    /** {@link #micros} for one of so many calls, chosen at random: what is measured may follow a pattern. Else 0. */
    public int microsOfOneIn(int calls) {
        return calls == 1 || ThreadLocalRandom.current().nextInt(calls) == 0 ? micros() : 0;
    }

    /** Microseconds since that reading of {@link #micros}. */
    public long microsSince(int reading) {
        return Integer.toUnsignedLong(micros() - reading);
    }

    /** Of what the time follows, as of the last reading. */
    public ElapsedTime time() {
        return Objects.requireNonNull(time.get(), "made with the clock");
    }

    public long wallMillis() {
        return wall.getAsLong();
    }

    /** Begin of this process, on this clock; at most 0. */
    public long processStart() {
        return -ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> Math.max(0, startWall - start.toEpochMilli()))
                .orElse(0L);
    }
}
