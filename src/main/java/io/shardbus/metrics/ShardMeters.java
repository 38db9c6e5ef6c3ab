package io.shardbus.metrics;

import io.micrometer.core.instrument.DistributionSummary;
import io.shardbus.core.hosting.HostedShards.ShardCount;
import io.shardbus.model.FencingToken;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Meters of the distribution of messages, busy time and entities over the shards of this node; no meter names a shard.
 * Looks follow each other.
 */
final class ShardMeters {
    private static final double NANOS = 1e9;
    private static final double MICROS = 1e6;
    private static final double[] BOUNDS = {0.1, 1, 10, 100, 1_000, 10_000, 100_000};
    private static final double[] SHARES = {0.001, 0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10};

    private final DistributionSummary messages;
    private final DistributionSummary busy;
    private final DistributionSummary entities;
    private final LongSupplier nanos;
    /** Messages given to each shard, and its busy time, by the last look. */
    private Map<Integer, Given> last = Map.of();

    private long lastLook;

    private record Given(FencingToken token, long messages, long busyMicros) {}

    /** @param nanos of a clock that only rises */
    ShardMeters(Meters meters, LongSupplier nanos) {
        this.nanos = nanos;
        messages = meters.distribution(
                "shard.messages", "messages a second of each shard at home here, at each look", BOUNDS);
        busy = meters.distribution(
                "shard.busy",
                "messages that each shard at home here has in hand, in the mean since the last look",
                SHARES);
        entities =
                meters.distribution("shard.entities", "live entities of each shard at home here, at each look", BOUNDS);
    }

    /** A shard that has come here since the last look has no rate yet. */
    void looked(List<ShardCount> shards) {
        long now = nanos.getAsLong();
        double seconds = (now - lastLook) / NANOS;
        Map<Integer, Given> present = new HashMap<>();
        for (ShardCount shard : shards) {
            entities.record(shard.entities());
            Given before = last.get(shard.shard());
            if (before != null && before.token().equals(shard.token()) && seconds > 0) {
                messages.record((shard.messages() - before.messages()) / seconds);
                if (shard.busyMicros() >= 0) {
                    busy.record((shard.busyMicros() - before.busyMicros()) / MICROS / seconds);
                }
            }
            present.put(shard.shard(), new Given(shard.token(), shard.messages(), shard.busyMicros()));
        }
        last = Map.copyOf(present);
        lastLook = now;
    }
}
