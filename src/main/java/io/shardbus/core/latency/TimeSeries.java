package io.shardbus.core.latency;

import io.shardbus.model.TimeHistogram;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The times of one kind since the begin, and how they were spread in the last windows. Single writer. */
final class TimeSeries {
    private static final int SECOND = 1000;
    static final int TURN = 10 * SECOND;
    private static final int TURNS_OF_HOUR = 30;
    private static final int SLICES_OF_HOUR = 12;
    /** After this many turns no earlier value is left. */
    static final int MOST_TURNS = TURNS_OF_HOUR * (SLICES_OF_HOUR + 2);

    private final long[] counts = new long[Buckets.COUNT];
    private final Window minute = new Window(1, 6);
    private final Window quarter = new Window(6, 15);
    private final Window hour = new Window(TURNS_OF_HOUR, SLICES_OF_HOUR);

    /** Counts of the last slices of one length; those of the slice that has begun are added on top. */
    private static final class Window {
        private final int turns;
        private final long[] before = new long[Buckets.COUNT];
        /** For each slice its buckets with counts, in turn. */
        private final long[][] slices;

        private int turn;
        private int next;

        /** @param turns how many turns a slice lasts */
        Window(int turns, int slices) {
            this.turns = turns;
            this.slices = new long[slices][0];
        }

        void turn(long[] counts) {
            turn++;
            if (turn == turns) {
                turn = 0;
                slices[next] = difference(counts);
                next = (next + 1) % slices.length;
                System.arraycopy(counts, 0, before, 0, counts.length);
            }
        }

        private long[] difference(long[] counts) {
            long[] pairs = new long[16];
            int size = 0;
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] != before[i]) {
                    pairs = size == pairs.length ? Arrays.copyOf(pairs, 2 * size) : pairs;
                    pairs[size++] = i;
                    pairs[size++] = counts[i] - before[i];
                }
            }
            return Arrays.copyOf(pairs, size);
        }

        TimeHistogram histogram(long[] counts) {
            Map<Long, Long> found = new TreeMap<>();
            add(difference(counts), found);
            for (long[] slice : slices) {
                add(slice, found);
            }
            return new TimeHistogram(found);
        }

        private static void add(long[] slice, Map<Long, Long> to) {
            for (int i = 0; i < slice.length; i += 2) {
                to.merge(Buckets.upper((int) slice[i]), slice[i + 1], Long::sum);
            }
        }
    }

    void add(long micros) {
        counts[Buckets.index(micros)]++;
    }

    /** A turn of 10 s is over. */
    void turn() {
        minute.turn(counts);
        quarter.turn(counts);
        hour.turn(counts);
    }

    TimeHistogram lastMinute() {
        return minute.histogram(counts);
    }

    TimeHistogram lastQuarter() {
        return quarter.histogram(counts);
    }

    TimeHistogram lastHour() {
        return hour.histogram(counts);
    }

    /** The counts of each bucket since the begin; a copy. */
    long[] counts() {
        return counts.clone();
    }
}
