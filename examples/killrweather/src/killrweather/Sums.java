package killrweather;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import killrweather.Aggregates.Aggregate;
import killrweather.Aggregates.Measure;

/** The sums of a station over the newest periods of one length, in the order of time. */
final class Sums {
    private final Period period;
    private final Deque<Bucket> buckets = new ArrayDeque<>();

    /** The readings of one period. */
    private static final class Bucket {
        private final long from;
        private final Range temperature = new Range();
        private final Range pressure = new Range();
        private final Range wind = new Range();
        private long readings;

        Bucket(long from) {
            this.from = from;
        }

        void add(Reading reading) {
            readings++;
            temperature.add(reading.temperature());
            pressure.add(reading.pressure());
            wind.add(reading.wind());
        }

        Aggregate aggregate() {
            return new Aggregate(
                    from, readings, temperature.over(readings), pressure.over(readings), wind.over(readings));
        }

        void writeTo(Buffer to) {
            to.appendLong(from).appendLong(readings);
            temperature.writeTo(to);
            pressure.writeTo(to);
            wind.writeTo(to);
        }

        static Bucket read(In in) {
            var bucket = new Bucket(in.number());
            bucket.readings = in.number();
            bucket.temperature.read(in);
            bucket.pressure.read(in);
            bucket.wind.read(in);
            return bucket;
        }
    }

    /** The values of one quantity. */
    private static final class Range {
        private double least = Double.POSITIVE_INFINITY;
        private double most = Double.NEGATIVE_INFINITY;
        private double total;

        void add(double value) {
            least = Math.min(least, value);
            most = Math.max(most, value);
            total += value;
        }

        Measure over(long readings) {
            return new Measure(least, total / readings, most);
        }

        void writeTo(Buffer to) {
            to.appendDouble(least).appendDouble(most).appendDouble(total);
        }

        void read(In in) {
            least = in.real();
            most = in.real();
            total = in.real();
        }
    }

    /** Reads the numbers of a buffer in turn. */
    static final class In {
        private final Buffer from;
        private int position;

        In(Buffer from) {
            this.from = from;
        }

        long number() {
            position += Long.BYTES;
            return from.getLong(position - Long.BYTES);
        }

        double real() {
            return Double.longBitsToDouble(number());
        }
    }

    Sums(Period period) {
        this.period = period;
    }

    /** Adds a reading that is newer than all before it, and forgets the periods that are too old to keep. */
    void add(Reading reading) {
        long from = period.startOf(reading.at());
        var last = buckets.peekLast();
        if (last == null || last.from != from) {
            last = new Bucket(from);
            buckets.addLast(last);
        }
        last.add(reading);
        while (buckets.getFirst().from <= from - period.kept() * period.length()) {
            buckets.removeFirst();
        }
    }

    /** Oldest first. */
    List<Aggregate> newest(int count) {
        return buckets.stream()
                .skip(Math.max(0, buckets.size() - count))
                .map(Bucket::aggregate)
                .toList();
    }

    void writeTo(Buffer to) {
        to.appendLong(buckets.size());
        buckets.forEach(bucket -> bucket.writeTo(to));
    }

    void read(In in) {
        buckets.clear();
        for (long left = in.number(); left > 0; left--) {
            buckets.addLast(Bucket.read(in));
        }
    }
}
