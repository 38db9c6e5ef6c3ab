package io.shardbus.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.shardbus.core.latency.Buckets;
import io.shardbus.core.latency.LaneLatency.Counts;
import io.shardbus.core.latency.MessageNames;
import io.shardbus.model.LatencyReport.Kind;
import io.shardbus.model.LatencyReport.Outcome;
import io.shardbus.runtime.region.RegionHandle;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The measured times of one type on this node. What lanes have counted since the last look is recorded at each. */
final class LatencyMeters {
    private static final String MESSAGE = "message";
    private static final String SIDE = "side";
    private static final String OUTCOME = "outcome";

    private final RegionHandle<?> region;
    private final Meters meters;
    private final Timer waiting;
    private final Map<List<Object>, Timer> timers = new HashMap<>();
    private Map<List<Object>, long[]> before = Map.of();
    private volatile boolean closed;

    LatencyMeters(RegionHandle<?> region, MeterRegistry registry) {
        this.region = region;
        this.meters = new Meters(registry, Tags.of("type", region.type().name()));
        this.waiting = meters.timer("mailbox.wait", "how long messages waited in mailboxes");
        for (Outcome outcome : Outcome.values()) {
            timer(Kind.ASK_LOCAL, MessageNames.OTHER, outcome);
            timer(Kind.ASK_REMOTE, MessageNames.OTHER, outcome);
        }
        timer(Kind.HANDLE, MessageNames.OTHER, Outcome.OK);
        timer(Kind.HANDLE, MessageNames.OTHER, Outcome.FAILED);
    }

    private Timer timer(Kind kind, String message, Outcome outcome) {
        return timers.computeIfAbsent(List.of(kind, message, outcome), key -> {
            String ended = Meters.text(outcome);
            if (kind == Kind.HANDLE) {
                String text = "how long the code of entities took";
                return meters.timer("handle.duration", text, MESSAGE, message, OUTCOME, ended);
            }
            String side = kind == Kind.ASK_LOCAL ? "local" : "remote";
            String text = "how long asks took at their sender";
            return meters.timer("ask.duration", text, MESSAGE, message, SIDE, side, OUTCOME, ended);
        });
    }

    /** On the context of the looks. */
    void look() {
        Context context = Vertx.currentContext();
        region.latency().counts().onSuccess(lanes -> {
            if (context == null) {
                record(lanes);
            } else {
                context.runOnContext(ignored -> record(lanes));
            }
        });
    }

    private void record(List<Counts> lanes) {
        if (closed) {
            return;
        }
        Map<List<Object>, long[]> sums = new HashMap<>();
        for (Counts lane : lanes) {
            long[] sum = sums.computeIfAbsent(
                    List.of(lane.kind(), lane.message(), lane.outcome()), key -> new long[Buckets.COUNT]);
            lane.addTo(sum);
            if (lane.kind() == Kind.ASK_LOCAL || lane.kind() == Kind.ASK_REMOTE || lane.kind() == Kind.HANDLE) {
                timer(lane.kind(), lane.message(), lane.outcome());
            }
        }
        sums.forEach((key, sum) -> {
            Timer timer = key.get(0) == Kind.MAILBOX ? waiting : timers.get(key);
            if (timer != null) {
                add(timer, sum, before.getOrDefault(key, new long[Buckets.COUNT]));
            }
        });
        before = sums;
    }

    private static void add(Timer timer, long[] counts, long[] earlier) {
        for (int i = 0; i < counts.length; i++) {
            for (long more = counts[i] - earlier[i]; more > 0; more--) {
                timer.record(Buckets.upper(i), TimeUnit.MICROSECONDS);
            }
        }
    }

    void close() {
        closed = true;
        meters.close();
    }
}
