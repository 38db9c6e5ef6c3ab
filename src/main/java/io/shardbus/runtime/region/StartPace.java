package io.shardbus.runtime.region;

import io.shardbus.options.EntityRecoveryOptions;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** Rate limit of the starts of remembered entities in one region, over all of its lanes. Any thread. */
final class StartPace {
    private final boolean limited;
    private final long rate;
    private final long interval;
    private final LongSupplier clock;
    private final AtomicReference<Interval> present =
            new AtomicReference<>(new Interval(Long.MIN_VALUE / 2, new AtomicLong()));

    /** One interval, and how many have started in it. */
    private record Interval(long start, AtomicLong starts) {
        Interval at(long now, long length) {
            return now - start >= length ? new Interval(now, new AtomicLong()) : this;
        }
    }

    /** @param clock elapsed milliseconds */
    StartPace(EntityRecoveryOptions options, LongSupplier clock) {
        this.limited = options.getStrategy().equals(EntityRecoveryOptions.CONSTANT);
        this.rate = options.getRate();
        this.interval = options.getIntervalMs();
        this.clock = clock;
    }

    /** Whether one more may start now. */
    boolean take() {
        if (!limited) {
            return true;
        }
        long now = clock.getAsLong();
        Interval seen = Objects.requireNonNull(present.updateAndGet(last -> last.at(now, interval)));
        return seen.starts().incrementAndGet() <= rate;
    }
}
