package io.shardbus.runtime.entity;

import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.model.TypeState;
import io.shardbus.spi.ShardingMetrics;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An application's metrics for one region, if there are any; exceptions that they throw are counted. Any thread. */
public final class GuardedMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedMetrics.class);

    private final String type;
    private final Runnable failed;
    private final Consumer<StartReason> starts;
    private final Consumer<StopReason> stops;
    private final AtomicBoolean hasFailed = new AtomicBoolean();
    private volatile @Nullable ShardingMetrics metrics;

    /**
     * @param failed counts what the metrics throw
     * @param starts counts instances that start
     * @param stops counts instances that stop
     */
    public GuardedMetrics(
            String type,
            @Nullable ShardingMetrics metrics,
            Runnable failed,
            Consumer<StartReason> starts,
            Consumer<StopReason> stops) {
        this.starts = starts;
        this.stops = stops;
        this.type = type;
        this.metrics = metrics;
        this.failed = failed;
    }

    /** The definition has been replaced by an equal one. */
    public void use(@Nullable ShardingMetrics next) {
        metrics = next;
    }

    /** Empty where samples are not wanted. */
    public Optional<Duration> sampleInterval() {
        return Optional.ofNullable(metrics).map(ShardingMetrics::sampleInterval);
    }

    public void sampled(TypeState.Region region) {
        call(metrics, present -> present.sampled(type, region));
    }

    void started(int shard, StartReason reason) {
        starts.accept(reason);
        ShardingMetrics present = metrics;
        if (present != null) {
            call(present, known -> known.entityStarted(type, shard, reason));
        }
    }

    void stopped(int shard, StopReason reason) {
        stops.accept(reason);
        ShardingMetrics present = metrics;
        if (present != null) {
            call(present, known -> known.entityStopped(type, shard, reason));
        }
    }

    void failed(int shard, Throwable failure) {
        call(metrics, present -> present.entityFailed(type, shard, failure));
    }

    private void call(@Nullable ShardingMetrics present, Consumer<ShardingMetrics> call) {
        if (present == null) {
            return;
        }
        try {
            call.accept(present);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            failed.run();
            if (hasFailed.compareAndSet(false, true)) {
                LOG.warn(
                        "type={}: the metrics listener failed; further failures are counted as metrics_failures",
                        type,
                        e);
            }
        }
    }
}
