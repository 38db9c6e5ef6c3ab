package io.shardbus.runtime.region;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The last of many things, up to a number; earlier ones are forgotten. Any thread, never blocks. */
final class RecentRing<T> {
    private final AtomicReferenceArray<@Nullable T> ring;
    private final AtomicLong added = new AtomicLong();

    RecentRing(int most) {
        ring = new AtomicReferenceArray<>(most);
    }

    void add(T one) {
        ring.set((int) (added.getAndIncrement() % ring.length()), one);
    }

    /** The latest first. */
    List<T> latest() {
        List<T> latest = new ArrayList<>();
        long end = added.get();
        for (long i = end - 1; i >= Math.max(0, end - ring.length()); i--) {
            T one = ring.get((int) (i % ring.length()));
            if (one != null) {
                latest.add(one);
            }
        }
        return latest;
    }
}
