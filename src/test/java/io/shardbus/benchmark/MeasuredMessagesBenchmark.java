package io.shardbus.benchmark;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.metrics.ShardbusMetrics;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What meters and times of messages add to a tell and an ask of one node with one lane: time, and bytes that are
 * allocated ({@code gc.alloc.rate.norm}). A batch of messages at a time, so that waking the lane is not what is
 * measured.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MeasuredMessagesBenchmark {
    private static final int BATCH = 1_000;
    private static final int ENTITIES = 100;
    private static final Duration DEADLINE = Duration.ofMinutes(1);
    private static final EntityType<String> ECHO = EntityType.of("echo", String.class);

    /** What is measured: nothing, meters alone, and meters with times of one message of so many. */
    @Param({"off", "meters", "64", "16"})
    public String measured = "off";

    private final EntityRef<?>[] entities = new EntityRef<?>[ENTITIES];
    private Vertx vertx;

    private static final class Echo implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }
    }

    @Setup
    public void start() throws Exception {
        vertx = Vertx.vertx();
        int sampling = measured.matches("\\d+") ? Integer.parseInt(measured) : 0;
        ClusterSharding sharding = ClusterSharding.create(
                vertx,
                new ShardingOptions()
                        .setAwaitPredecessorLeases(false)
                        .setLanes(1)
                        .setLatencySampling(sampling));
        var region = sharding.start(EntityDefinition.of(ECHO, id -> new Echo())).await(1, TimeUnit.MINUTES);
        region.ready().await(1, TimeUnit.MINUTES);
        if (!measured.equals("off")) {
            ShardbusMetrics unused =
                    ShardbusMetrics.bind(sharding, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        }
        for (int i = 0; i < ENTITIES; i++) {
            entities[i] = region.entityRef("e" + i);
        }
        ask();
    }

    @TearDown
    public void stop() throws Exception {
        vertx.close().await(1, TimeUnit.MINUTES);
    }

    @SuppressWarnings("unchecked")
    private EntityRef<String> entity(int i) {
        return (EntityRef<String>) entities[i % ENTITIES];
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void ask() throws InterruptedException {
        var all = new CountDownLatch(BATCH);
        for (int i = 0; i < BATCH; i++) {
            entity(i).request("hello", String.class, DEADLINE).onComplete(answer -> all.countDown());
        }
        all.await();
    }

    /** With an ask of each entity at its end. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void tell() throws InterruptedException {
        var all = new CountDownLatch(ENTITIES);
        for (int i = 0; i < BATCH - ENTITIES; i++) {
            entity(i).tell("hello");
        }
        for (int i = 0; i < ENTITIES; i++) {
            entity(i).request("hello", String.class, DEADLINE).onComplete(answer -> all.countDown());
        }
        all.await();
    }
}
