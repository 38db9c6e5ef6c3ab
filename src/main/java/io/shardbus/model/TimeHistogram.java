package io.shardbus.model;

import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Histogram of durations. A time counts in the first bucket whose upper end is not below the time; the width of a
 * bucket is at most an eighth of its values.
 */
public final class TimeHistogram {
    public static final TimeHistogram EMPTY = new TimeHistogram(Map.of());

    private final NavigableMap<Long, Long> counts;
    private final long count;

    /** @param counts the number of times in each bucket, by the upper end of the bucket in microseconds */
    public TimeHistogram(Map<Long, Long> counts) {
        this.counts = new TreeMap<>(counts);
        this.count = counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Number of recorded durations. */
    public long count() {
        return count;
    }

    /**
     * The number of times in each bucket, by the upper end of the bucket in microseconds; a copy without empty buckets.
     */
    public SortedMap<Long, Long> counts() {
        return new TreeMap<>(counts);
    }

    /**
     * The upper end, in microseconds, of the first bucket such that this share of the times lies in it or in lower
     * buckets; 0 if there are none.
     *
     * @param share 0 to 1; 0.99 for the 99th percentile, 1 for the longest time
     */
    public long percentile(double share) {
        long wanted = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (Map.Entry<Long, Long> bucket : counts.entrySet()) {
            seen += bucket.getValue();
            if (seen >= wanted) {
                return bucket.getKey();
            }
        }
        return 0;
    }

    /** The sum of this histogram and the other one. */
    public TimeHistogram plus(TimeHistogram other) {
        Map<Long, Long> sum = new TreeMap<>(counts);
        other.counts.forEach((upper, more) -> sum.merge(upper, more, Long::sum));
        return new TimeHistogram(sum);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TimeHistogram that && counts.equals(that.counts);
    }

    @Override
    public int hashCode() {
        return counts.hashCode();
    }

    @Override
    public String toString() {
        return "TimeHistogram" + counts;
    }
}
