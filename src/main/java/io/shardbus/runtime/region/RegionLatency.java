package io.shardbus.runtime.region;

import io.shardbus.core.latency.HotEntities;
import io.shardbus.core.latency.LaneLatency;
import io.shardbus.model.LatencyReport;
import io.shardbus.model.LatencyReport.HotEntity;
import io.shardbus.model.LatencyReport.Series;
import io.shardbus.model.LatencyReport.SlowAsk;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Latencies of a region's asks and messages: recorded by its lanes, each for itself. Any thread. */
public final class RegionLatency {
    private final SharedMessageNames names = new SharedMessageNames();
    private final int oneOf;
    private volatile List<LaneQueue> lanes = List.of();

    /** @param oneOf one in this many messages is measured; 0: none */
    RegionLatency(int oneOf) {
        this.oneOf = oneOf;
    }

    /** One in this many messages is measured; 0: none. */
    public int oneOf() {
        return oneOf;
    }

    @Nullable
    LaneLatency ofLane(long now) {
        return oneOf == 0 ? null : new LaneLatency(names, oneOf, now);
    }

    void open(List<LaneQueue> opened) {
        lanes = opened;
    }

    /** The reading of the clock with which the time of an ask begins; 0 if it is not measured. */
    int begins(ElapsedClock clock) {
        return oneOf == 0 ? 0 : clock.microsOfOneIn(oneOf);
    }

    /** The lanes' records of the last hour. */
    public Future<LatencyReport.OfType> report() {
        return each((queue, latency, now) -> new LatencyReport.OfType(
                        oneOf, latency.windows(), latency.slowest(queue.wallMillis()), latency.hottest(now)))
                .map(RegionLatency::merge);
    }

    /** The counts of each lane since it began. */
    public Future<List<LaneLatency.Counts>> counts() {
        return each((queue, latency, now) -> latency.counts())
                .map(all -> all.stream().flatMap(List::stream).toList());
    }

    private interface Reader<T> {
        T read(LaneQueue queue, LaneLatency latency, long now);
    }

    private <T> Future<List<T>> each(Reader<T> reader) {
        List<Future<T>> answers = new ArrayList<>();
        for (LaneQueue queue : lanes) {
            LaneLatency latency = queue.latency();
            if (latency != null) {
                Promise<T> answer = Promise.promise();
                queue.execute((lane, now) -> answer.complete(reader.read(queue, latency, now)));
                answers.add(answer.future());
            }
        }
        return Future.all(answers)
                .map(all -> answers.stream().map(Future::result).toList());
    }

    /** Merges the records of lanes or nodes of one type. */
    public static LatencyReport.OfType merge(List<LatencyReport.OfType> parts) {
        Map<List<Object>, Series> series = new HashMap<>();
        List<SlowAsk> slowest = new ArrayList<>();
        Map<String, HotEntity> hottest = new HashMap<>();
        int oneOf = 0;
        for (LatencyReport.OfType part : parts) {
            oneOf = Math.max(oneOf, part.oneOf());
            slowest.addAll(part.slowest());
            part.hottest().forEach(entity -> hottest.merge(entity.id(), entity, HotEntity::plus));
            for (Series one : part.series()) {
                series.merge(List.of(one.kind(), one.message(), one.outcome()), one, Series::plus);
            }
        }
        slowest.sort(Comparator.comparingLong(SlowAsk::micros).reversed());
        List<Series> sorted = series.values().stream()
                .sorted(Comparator.comparing(Series::kind)
                        .thenComparing(Series::message)
                        .thenComparing(Series::outcome))
                .toList();
        return new LatencyReport.OfType(oneOf, sorted, slowest, HotEntities.hottest(hottest.values()));
    }
}
