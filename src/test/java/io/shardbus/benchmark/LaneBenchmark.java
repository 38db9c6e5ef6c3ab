package io.shardbus.benchmark;

import io.shardbus.model.ShardHash;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a message costs on its lane, without threads and wire: the way to its shard, the mailbox, the table and the
 * wheel of asks.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LaneBenchmark {
    private static final int ENTITIES = 10_000;
    private static final int BURST = 1000;
    private static final long DEADLINE = 5000;

    private final LaneStub stub = new LaneStub();
    private final String[] ids =
            IntStream.range(0, ENTITIES).mapToObj(i -> "counter-" + i).toArray(String[]::new);
    private final int[] shards = IntStream.range(0, ENTITIES)
            .map(i -> ShardHash.shard(ids[i], LaneStub.SHARDS))
            .toArray();
    private int next;
    private long now;

    private int next() {
        next = next + 1 < ENTITIES ? next + 1 : 0;
        return next;
    }

    @Benchmark
    public int shardOfAnId() {
        return ShardHash.shard(ids[next()], LaneStub.SHARDS);
    }

    /** Route, lease check, shard, entity. */
    @Benchmark
    public void tell() {
        int i = next();
        stub.lane.send(shards[i], ids[i], "message", null, now);
    }

    /** The same with a number in the table of asks and a deadline on the wheel, both taken out again by the answer. */
    @Benchmark
    public Object ask() {
        int i = next();
        var ask = new LaneStub.Ask(now + DEADLINE);
        stub.lane.send(shards[i], ids[i], "message", ask, now);
        return ask.value;
    }

    /** Through the mailbox of an entity that is busy. */
    @Benchmark
    @OperationsPerInvocation(BURST)
    public void tellToABusyEntity() {
        stub.holding = true;
        for (int i = 0; i < BURST; i++) {
            stub.lane.send(shards[0], ids[0], "message", null, now);
        }
        stub.answerHeld();
    }

    /** One look at the wheel, which has a bucket for every 8 ms. */
    @Benchmark
    public void tick() {
        now += 10;
        stub.lane.tick(now);
    }
}
