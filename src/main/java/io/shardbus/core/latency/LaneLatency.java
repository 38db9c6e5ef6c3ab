package io.shardbus.core.latency;

import io.shardbus.model.LatencyReport.HotEntity;
import io.shardbus.model.LatencyReport.Kind;
import io.shardbus.model.LatencyReport.Outcome;
import io.shardbus.model.LatencyReport.Series;
import io.shardbus.model.LatencyReport.SlowAsk;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The times that one lane records: of its asks, of the handling of messages by its entities, of waiting in mailboxes
 * and for homes. Owned by the lane; a message allocates nothing here once one of its class was measured.
 */
public final class LaneLatency {
    /** Milliseconds in hand from which on each message counts in the busy time of its shard, also if not measured. */
    public static final long LONG_MILLIS = 10;

    private static final String NONE = "";

    private final MessageNames names;
    private final int oneOf;
    private final Map<Class<?>, ClassTimes> classes = new HashMap<>();
    /** Of classes without a name of their own. */
    private @Nullable ClassTimes others;

    private final List<TimeSeries> all = new ArrayList<>();
    private final SlowAsks slowAsks = new SlowAsks();
    private final HotEntities hotEntities;
    private @Nullable TimeSeries waiting;
    private @Nullable TimeSeries homeless;
    private @Nullable TimeSeries moving;
    private long turnAt;
    private long random;
    private int gap;
    private long wait;

    /** The times of one class of messages, by kind and outcome. */
    private static final class ClassTimes {
        private final String message;
        private final Map<Kind, Map<Outcome, TimeSeries>> series = new EnumMap<>(Kind.class);

        ClassTimes(String message) {
            this.message = message;
            for (Kind kind : List.of(Kind.ASK_LOCAL, Kind.ASK_REMOTE, Kind.HANDLE)) {
                series.put(kind, new EnumMap<>(Outcome.class));
            }
        }
    }

    /** Counts of the buckets of {@link Buckets} since the lane began. */
    public static final class Counts {
        private final Kind kind;
        private final String message;
        private final Outcome outcome;
        private final long[] counts;

        Counts(Kind kind, String message, Outcome outcome, long[] counts) {
            this.kind = kind;
            this.message = message;
            this.outcome = outcome;
            this.counts = counts;
        }

        public Kind kind() {
            return kind;
        }

        public String message() {
            return message;
        }

        public Outcome outcome() {
            return outcome;
        }

        /** Adds the count of each bucket to these. */
        public void addTo(long[] sums) {
            for (int i = 0; i < counts.length; i++) {
                sums[i] += counts[i];
            }
        }
    }

    /**
     * @param names shared by the lanes of a region
     * @param oneOf one of so many messages is measured, in the mean
     * @param now elapsed milliseconds
     */
    public LaneLatency(MessageNames names, int oneOf, long now) {
        this.names = names;
        this.oneOf = oneOf;
        this.turnAt = now + TimeSeries.TURN;
        this.hotEntities = new HotEntities(oneOf, now);
        this.random = now * 0x9E3779B97F4A7C15L | 1;
    }

    /** Whether the message that is taken up now is to be measured. At random: messages may follow a pattern. */
    public boolean samples() {
        gap--;
        if (gap > 0) {
            return false;
        }
        // xorshift64 (Marsaglia, 2003)
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        gap = 1 + (int) Long.remainderUnsigned(random, 2L * oneOf - 1);
        return true;
    }

    /** The entity's next message waited so long in its mailbox. */
    public void waited(long millis) {
        wait = millis;
    }

    /**
     * An entity takes up a message.
     *
     * @param sampled whether its time is measured, and so that of its waiting
     */
    public void takenUp(boolean sampled) {
        if (sampled) {
            TimeSeries series = waiting == null ? begin() : waiting;
            waiting = series;
            series.add(wait * 1000);
        }
        wait = 0;
    }

    public void handled(Class<?> message, Outcome outcome, long micros) {
        series(times(message), Kind.HANDLE, outcome).add(micros);
    }

    /**
     * What a message that was handled adds to the busy time of its shard, in microseconds. Long messages are few, and
     * each counts; of the others one that is measured counts for all those that are not.
     *
     * @param millis time in hand by the lane's clock, which does not advance while code has the lane's thread
     * @param micros the same as measured; millis as microseconds if it was not
     */
    public long busy(long millis, boolean measured, long micros) {
        if (millis >= LONG_MILLIS) {
            return micros;
        }
        return measured ? micros * oneOf : 0;
    }

    /**
     * An entity has handled a message that is measured or long.
     *
     * @param millis time in hand by the lane's clock
     * @param measured whether {@link #samples} chose it
     * @param micros the same as measured; millis as microseconds if it was not
     */
    public void handledBy(String entityId, int shard, long millis, boolean measured, long micros) {
        hotEntities.handled(entityId, shard, measured, millis >= LONG_MILLIS, micros);
    }

    public void asked(Class<?> message, boolean remote, Outcome outcome, long micros) {
        series(times(message), remote ? Kind.ASK_REMOTE : Kind.ASK_LOCAL, outcome)
                .add(micros);
    }

    /** Whether an ask of this time is among the slowest of these seconds. */
    public boolean isSlow(long micros) {
        return slowAsks.takes(micros);
    }

    /**
     * An ask that is one of the slowest.
     *
     * @param trace as the tracer writes it
     * @param at wall-clock milliseconds
     */
    public void slow(Asked ask, Map<String, String> trace, Outcome outcome, long micros, long at) {
        slowAsks.add(times(ask.message()).message, ask, trace, outcome, micros, at);
    }

    /** Ask that is measured. */
    public interface Asked {
        Class<?> message();

        String entityId();

        boolean remote();

        /** Name of the failure's code; empty for one that was answered. */
        String failure();
    }

    /** The first message for a shard waited so long for a home; {@code moves}: the shard was leaving another one. */
    public void homeless(long millis, boolean moves) {
        TimeSeries present = moves ? moving : homeless;
        TimeSeries series = present == null ? begin() : present;
        if (moves) {
            moving = series;
        } else {
            homeless = series;
        }
        series.add(millis * 1000);
    }

    private ClassTimes times(Class<?> message) {
        ClassTimes known = classes.get(message);
        if (known != null) {
            return known;
        }
        String name = names.of(message);
        if (name.equals(MessageNames.OTHER)) {
            ClassTimes shared = others == null ? new ClassTimes(name) : others;
            others = shared;
            return shared;
        }
        ClassTimes made = new ClassTimes(name);
        classes.put(message, made);
        return made;
    }

    private TimeSeries series(ClassTimes times, Kind kind, Outcome outcome) {
        Map<Outcome, TimeSeries> ofKind =
                Objects.requireNonNull(times.series.get(kind), "every kind of a class has one");
        TimeSeries known = ofKind.get(outcome);
        if (known != null) {
            return known;
        }
        TimeSeries made = begin();
        ofKind.put(outcome, made);
        return made;
    }

    private TimeSeries begin() {
        TimeSeries series = new TimeSeries();
        all.add(series);
        return series;
    }

    /**
     * Time passed.
     *
     * @param now elapsed milliseconds
     * @param at wall-clock milliseconds
     */
    public void tick(long now, long at) {
        hotEntities.tick(now);
        if (now < turnAt) {
            return;
        }
        // after a pause of the process more turns are over than this one
        long turns = 1 + (now - turnAt) / TimeSeries.TURN;
        turnAt += turns * TimeSeries.TURN;
        for (long i = Math.min(turns, TimeSeries.MOST_TURNS); i > 0; i--) {
            all.forEach(TimeSeries::turn);
        }
        slowAsks.turn(at);
    }

    /** The content of the windows. */
    public List<Series> windows() {
        List<Series> found = new ArrayList<>();
        forEach((kind, message, outcome, series) -> found.add(
                new Series(kind, message, outcome, series.lastMinute(), series.lastQuarter(), series.lastHour())));
        return found;
    }

    /** The counts since the lane began. */
    public List<Counts> counts() {
        List<Counts> found = new ArrayList<>();
        forEach((kind, message, outcome, series) -> found.add(new Counts(kind, message, outcome, series.counts())));
        return found;
    }

    /**
     * The slowest asks of the last minute, quarter of an hour and hour.
     *
     * @param at wall-clock milliseconds
     */
    public List<SlowAsk> slowest(long at) {
        return slowAsks.slowest(at);
    }

    /**
     * The entities of the lane with the most messages of the last half to whole minute, and those that handled
     * messages for longest; those with the most messages first.
     *
     * @param now elapsed milliseconds
     */
    public List<HotEntity> hottest(long now) {
        return hotEntities.hottest(now);
    }

    private interface Reader {
        void read(Kind kind, String message, Outcome outcome, TimeSeries series);
    }

    private void forEach(Reader reader) {
        classes.values().forEach(times -> read(times, reader));
        read(others, reader);
        read(Kind.MAILBOX, waiting, reader);
        read(Kind.HOME, homeless, reader);
        read(Kind.MOVE, moving, reader);
    }

    private static void read(@Nullable ClassTimes times, Reader reader) {
        if (times != null) {
            times.series.forEach((kind, ofKind) ->
                    ofKind.forEach((outcome, series) -> reader.read(kind, times.message, outcome, series)));
        }
    }

    private static void read(Kind kind, @Nullable TimeSeries series, Reader reader) {
        if (series != null) {
            reader.read(kind, NONE, Outcome.OK, series);
        }
    }

    /** One of how many messages is measured. */
    public int oneOf() {
        return oneOf;
    }
}
