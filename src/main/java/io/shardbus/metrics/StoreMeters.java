package io.shardbus.metrics;

import io.micrometer.core.instrument.Timer;
import io.shardbus.runtime.entity.StoreCall;
import io.shardbus.runtime.persistence.Backlog;
import io.shardbus.runtime.region.RegionCounters;
import io.shardbus.runtime.region.RegionHandle;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Timers of what a type waits for outside its node's lanes: the store of its entities, and the coordinator's answers.
 */
final class StoreMeters implements RegionCounters.DurationListener {
    private final RegionCounters counters;
    private final Map<StoreCall, Timer> succeeded = new EnumMap<>(StoreCall.class);
    private final Map<StoreCall, Timer> failed = new EnumMap<>(StoreCall.class);
    private final Timer homes;

    StoreMeters(RegionHandle<?> region, Meters meters, Backlog backlog) {
        counters = region.counters();
        homes = meters.timer("shard.home.duration", "from the first request for a shard's home to its name");
        for (StoreCall call : StoreCall.values()) {
            succeeded.put(call, timer(meters, call, "ok"));
            failed.put(call, timer(meters, call, "failed"));
        }
        String type = region.type().name();
        meters.gauge(
                "store.troubled.lanes",
                "lanes that refuse commands of persistent entities, as their store does not answer",
                counters::lanesWithoutStore);
        meters.count(
                "store.failures", "calls of the store of persistent entities that failed", counters::storeFailures);
        meters.count(
                "store.regressions",
                "logs that ended before what their store had confirmed",
                counters::storeRegressions);
        meters.count("reminders.failures", "tries to bring a reminder that failed", counters::reminderFailures);
        meters.gauge(
                "reminders.due",
                "reminders that were due at the last look of the workers here",
                () -> backlog.of(Backlog.Kind.REMINDERS, type));
        meters.gauge(
                "store.commits",
                "commits of persistent entities that wait for the store, or are under way to it",
                () -> backlog.of(Backlog.Kind.COMMITS, type));
        counters.listen(this);
    }

    private static Timer timer(Meters meters, StoreCall call, String outcome) {
        return meters.timer(
                "store.duration",
                "calls of the store of persistent entities",
                "operation",
                Meters.text(call),
                "outcome",
                outcome);
    }

    @Override
    public void storeAnswered(StoreCall call, boolean isDone, long nanos) {
        Timer timer = (isDone ? succeeded : failed).get(call);
        if (timer != null) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void homeNamed(long millis) {
        homes.record(millis, TimeUnit.MILLISECONDS);
    }

    void close() {
        counters.unlisten(this);
    }
}
