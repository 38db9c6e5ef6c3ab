package io.shardbus.runtime.entity;

import io.shardbus.core.latency.LaneLatency;
import io.vertx.core.Context;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The lane on which entities run, as their cells see it. */
public interface EntityLane {
    /** Runs the task on the lane; any thread. At once on the lane itself, unless that would overtake an earlier one. */
    void execute(LaneTask task);

    /** As {@link #execute}, but on the lane itself always at once, also before tasks that wait there. */
    void executeNow(LaneTask task);

    /**
     * Runs the task on the lane's event loop after the work under way there, in the order of these calls. On the lane
     * only.
     */
    void afterwards(Runnable task);

    /** The recorder of latencies; null where none are recorded. On the lane. */
    @Nullable
    LaneLatency latency();

    /** Microseconds of a clock that is read anew, for {@link #microsSince}; never 0. Any thread. */
    int micros();

    /** Microseconds since that reading. Any thread. */
    long microsSince(int reading);

    /** The context of the lane's event loop. */
    Context context();

    /** Whether the calling thread is working on the lane. */
    boolean isLane();

    /** Milliseconds since 1970; any thread. */
    long wallMillis();

    /** The part of this lane under the key; made and kept until the lane closes. On the lane. */
    <T extends LanePart> T part(Object key, Supplier<T> make);

    /** The stay of the lease in which what the lane hosts now came here; on the lane. */
    long stay();
}
