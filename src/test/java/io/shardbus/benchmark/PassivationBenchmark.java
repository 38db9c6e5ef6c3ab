package io.shardbus.benchmark;

import io.shardbus.core.passivation.LanePassivation;
import io.shardbus.core.passivation.PassivationNode;
import io.shardbus.core.passivation.PassivationSettings;
import io.shardbus.core.passivation.PassivationSettings.ActiveLimit;
import io.shardbus.core.passivation.PassivationSettings.Admission;
import io.shardbus.core.passivation.PassivationSettings.Climbing;
import io.shardbus.core.passivation.PassivationSettings.Idle;
import io.shardbus.core.passivation.PassivationSettings.Order;
import io.shardbus.core.passivation.PassivationSettings.Replacing;
import io.shardbus.core.passivation.PassivationSettings.Sketch;
import io.shardbus.core.passivation.PassivationSettings.Window;
import io.shardbus.core.passivation.RegionShare;
import io.shardbus.core.passivation.ShardPassivation;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a policy adds to a message for an entity that is active: 10,000 entities of one shard in a shuffled order. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PassivationBenchmark {
    private static final int ENTITIES = 10_000;
    /** Has no factor in common with the number of entities. */
    private static final int STRIDE = 7_919;

    /** The policy. */
    @Param({"none", "idle", "lru", "segmented-lru", "lru-idle", "mru", "lfu", "composite"})
    public String policy = "none";

    private final PassivationNode[] nodes = new PassivationNode[ENTITIES];
    private ShardPassivation shard = LanePassivation.none().open(victim -> {});
    private int next;
    private long now;

    private static final class Region implements RegionShare {
        @Override
        public void shards(int change) {}

        @Override
        public int shards() {
            return 1;
        }

        @Override
        public int limit() {
            return ENTITIES;
        }
    }

    private PassivationSettings settings() {
        Idle idle = new Idle(120_000, 60_000);
        Replacing segments = new Replacing(Order.LEAST_RECENT, List.of(0.2, 0.8));
        Admission admission = new Admission(
                new Window(Replacing.RECENT, 0.01, 0.01, 1),
                new Sketch(4, 4, 4, 10),
                new Climbing(10, 0.0625, 0.05, 0.98));
        return switch (policy) {
            case "idle" -> new PassivationSettings(idle, null);
            case "lru" -> limited(null, Replacing.RECENT, null);
            case "segmented-lru" -> limited(null, segments, null);
            case "lru-idle" -> limited(idle, Replacing.RECENT, null);
            case "mru" -> limited(null, new Replacing(Order.MOST_RECENT, List.of()), null);
            case "lfu" -> limited(null, new Replacing(Order.LEAST_FREQUENT, List.of()), null);
            case "composite" -> limited(null, segments, admission);
            default -> PassivationSettings.NONE;
        };
    }

    private static PassivationSettings limited(Idle idle, Replacing main, Admission admission) {
        return new PassivationSettings(idle, new ActiveLimit(ENTITIES, main, admission));
    }

    @Setup
    public void fill() {
        shard = new LanePassivation(settings(), new Region()).open(victim -> {
            throw new IllegalStateException("all have a place");
        });
        for (int i = 0; i < ENTITIES; i++) {
            String id = "counter-" + i;
            nodes[i] = new PassivationNode(() -> id);
            shard.started(nodes[i], now);
        }
    }

    @Benchmark
    public void touch() {
        next = (next + STRIDE) % ENTITIES;
        shard.touched(nodes[next], now++);
    }
}
