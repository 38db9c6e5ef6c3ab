package io.shardbus.runtime.entity;

import io.shardbus.EntityFailure;
import io.shardbus.ExecutionModel;
import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.latency.LaneLatency;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.LatencyReport.Outcome;
import io.vertx.core.Future;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** How the user's code is called: on the lane, or on a thread of its own, from where it comes back to the lane. */
abstract class CalledEntity<M> extends EntityCell {
    /** How a call of the user's code ended. */
    interface Ending {
        void ended(@Nullable Object value, @Nullable Throwable failure, boolean threw);
    }

    /** How a call ends that did not begin. */
    static final class LeaseOver extends RuntimeException {
        private static final long serialVersionUID = 1;

        LeaseOver() {
            super("the lease ended before there was a thread for it", null, false, false);
        }
    }

    final EntityHost<M> host;
    final EntityLane queue;
    /** The number of the live instance; 0 for none. */
    volatile long life;

    private final long stay;
    /** When the message in hand was taken up, as the lane says it; 0 if its time is not measured. */
    private int takenUp;

    private int onThreads;

    CalledEntity(EntityHost.Place<M> place, String id) {
        super(id);
        this.host = place.host();
        this.queue = place.queue();
        this.stay = queue.stay();
    }

    @Override
    protected final void waited(long millis) {
        LaneLatency latency = queue.latency();
        if (latency != null) {
            latency.waited(millis);
        }
    }

    @Override
    protected final void beginReceive(Envelope envelope) {
        LaneLatency latency = queue.latency();
        if (latency != null) {
            boolean sampled = latency.samples();
            latency.takenUp(sampled);
            takenUp = sampled ? queue.micros() : 0;
        }
        receive(envelope);
    }

    /** Gives the instance a message; ends with {@link #handled}. */
    abstract void receive(Envelope envelope);

    @Override
    protected final void handled(Envelope envelope, @Nullable Object value, @Nullable Failure failure, boolean threw) {
        if (takenUp != 0 || failure != null) {
            measure(envelope, failure);
        }
        super.handled(envelope, value, failure, threw);
    }

    private void measure(Envelope envelope, @Nullable Failure failure) {
        LaneLatency latency = queue.latency();
        if (latency == null) {
            return;
        }
        Object payload = envelope.payload() instanceof OwnMessage<?> own ? own.message() : envelope.payload();
        long micros = takenUp != 0 ? queue.microsSince(takenUp) : Math.max(0, owner().now() - busyFrom()) * 1000;
        latency.handled(payload.getClass(), failure == null ? Outcome.OK : Outcome.FAILED, micros);
        takenUp = 0;
    }

    @Override
    public final boolean occupiesThread() {
        return onThreads > 0;
    }

    /** Calls code that may begin under a lease only. */
    final void call(Callable<Future<?>> code, Ending ending) {
        call(code, ending, true);
    }

    /** Calls code that ends an instance. */
    final void callAtEnd(Callable<Future<?>> code, Ending ending) {
        call(code, ending, false);
    }

    private void call(Callable<Future<?>> code, Ending ending, boolean leased) {
        ExecutionModel model = host.definition.execution();
        if (model == ExecutionModel.EVENT_LOOP) {
            try {
                await(code.call(), ending);
            } catch (Throwable e) {
                fail(e, ending);
            }
        } else {
            onThreads++;
            Executor threads = host.virtualThreads;
            Runnable run = () -> {
                if (leased && !mayBegin()) {
                    long of = life;
                    queue.execute((lane, now) -> back(of, () -> ending.ended(null, new LeaseOver(), false)));
                } else {
                    callHere(code, life, ending);
                }
            };
            if (threads == null) {
                host.vertx.executeBlocking(
                        () -> {
                            run.run();
                            return null;
                        },
                        false);
            } else {
                threads.execute(run);
            }
        }
    }

    /**
     * It may have waited for its thread for long, or the process was frozen meanwhile: the shard may have another home.
     */
    private boolean mayBegin() {
        return !owner().isLost() && host.hasLease(stay);
    }

    private void callHere(Callable<Future<?>> code, long of, Ending ending) {
        try {
            Future<?> future = code.call();
            queue.execute((lane, now) -> back(of, () -> await(future, ending)));
        } catch (Throwable e) {
            queue.execute((lane, now) -> back(of, () -> fail(e, ending)));
        }
    }

    /** The code has returned from its thread; what it says counts only if its instance is still the live one. */
    private void back(long of, Runnable then) {
        onThreads--;
        if (life == of) {
            then.run();
        }
    }

    final void fail(Throwable failure, Ending ending) {
        if (!(failure instanceof EntityFailure)) {
            host.logFailure(id(), failure);
        }
        ending.ended(null, failure, true);
    }

    final void await(@Nullable Future<?> future, Ending ending) {
        if (future == null) {
            ending.ended(null, null, false);
        } else if (future.isComplete()) {
            ending.ended(future.result(), future.cause(), false);
        } else {
            long of = life;
            future.onComplete(result -> queue.execute((lane, now) -> {
                if (life == of) {
                    ending.ended(result.result(), result.cause(), false);
                }
            }));
        }
    }
}
