package io.shardbus.runtime.entity;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityFailure;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ExecutionModel;
import io.shardbus.FailureCode;
import io.shardbus.FencingToken;
import io.shardbus.NodeId;
import io.shardbus.RestartPolicy;
import io.shardbus.ShardingException;
import io.shardbus.StartReason;
import io.shardbus.StopReason;
import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.entity.EntityState;
import io.shardbus.core.entity.Envelope;
import io.shardbus.core.entity.HandoverOutcome;
import io.shardbus.core.protocol.Failure;
import io.shardbus.runtime.region.LaneQueue;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The cell of one entity with the user's instance in it; also the context that the instance sees. */
public final class LiveEntity<M> extends EntityCell implements EntityContext<M> {
    /** How a call of the user's code ended. */
    private interface Ending {
        void ended(@Nullable Object value, @Nullable Throwable failure, boolean threw);
    }

    private final EntityHost<M> host;
    private final LaneQueue queue;
    private final EntityOwner owner;
    private final int shard;
    private final FencingToken token;
    private @Nullable Entity<M> instance;
    private StartReason startReason = StartReason.MESSAGE;
    private volatile long life;
    private int onThreads;
    /** Whether the instance is about to say what it knows. */
    private boolean handsOver;

    private volatile @Nullable Set<Long> timers;

    public LiveEntity(EntityHost.Place<M> place, EntityOwner owner, int shard, FencingToken token, String id) {
        super(id);
        this.host = place.host();
        this.queue = place.queue();
        this.owner = owner;
        this.shard = shard;
        this.token = token;
    }

    @Override
    protected EntityOwner owner() {
        return owner;
    }

    @Override
    protected RestartPolicy restartPolicy() {
        return host.definition.restartPolicy();
    }

    @Override
    protected void beginStart(StartReason reason) {
        life = host.nextLife();
        EntityState state = owner.takeState(this);
        startReason = reason;
        if (state == null) {
            call(() -> create().started(this), this::started);
        } else {
            startReason = StartReason.MOVED;
            call(() -> Moving.takeOver(create(), state), (value, failure, threw) -> goOnWith(reason, failure));
        }
    }

    /** The new instance has what the one at the former home knew; or another one starts without it. */
    private void goOnWith(StartReason reason, @Nullable Throwable refusal) {
        if (refusal == null) {
            owner.count(HandoverOutcome.TAKEN);
            call(() -> live().started(this), this::started);
        } else {
            owner.count(HandoverOutcome.REFUSED);
            startReason = reason;
            call(() -> create().started(this), this::started);
        }
    }

    private Entity<M> create() {
        Entity<M> created = Objects.requireNonNull(host.definition.factory().apply(id()), "the factory gave null");
        instance = created;
        return created;
    }

    private void started(@Nullable Object ignored, @Nullable Throwable failure, boolean threw) {
        if (failure == null) {
            begun();
        } else {
            startFailed(describe(failure));
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    protected void beginReceive(Envelope envelope) {
        Entity<M> live = live();
        M message = (M) envelope.payload();
        if (host.definition.execution() == ExecutionModel.EVENT_LOOP) {
            receiveHere(live, message, envelope);
        } else {
            call(() -> live.receive(message, this), receiving(envelope));
        }
    }

    /** The way of nearly every message: nothing is allocated when the future is complete. */
    private void receiveHere(Entity<M> live, M message, Envelope envelope) {
        Future<?> future;
        try {
            future = live.receive(message, this);
        } catch (Throwable e) {
            fail(e, receiving(envelope));
            return;
        }
        if (future == null) {
            handled(envelope, null, null, false);
        } else if (future.succeeded()) {
            handled(envelope, future.result(), null, false);
        } else {
            await(future, receiving(envelope));
        }
    }

    private Ending receiving(Envelope envelope) {
        return (value, failure, threw) -> {
            boolean fault = threw && !(failure instanceof EntityFailure);
            handled(envelope, value, failure == null ? null : describe(failure), fault);
        };
    }

    @Override
    protected void beginStop(StopReason reason) {
        Entity<M> live = live();
        handsOver = Moving.handsOver(live, reason);
        call(() -> stop(live, reason), (value, failure, threw) -> {
            if (handsOver) {
                handsOver = false;
                give(value, failure);
            }
            stopped();
        });
    }

    private void give(@Nullable Object value, @Nullable Throwable failure) {
        EntityState state = Moving.stateOf(id(), value);
        if (failure != null) {
            owner.count(HandoverOutcome.FAILED);
        } else if (state != null) {
            owner.giveState(state);
        }
    }

    private Future<?> stop(Entity<M> live, StopReason reason) {
        M message = host.definition.stopMessage().orElse(null);
        if (message == null) {
            return Moving.stop(live, reason);
        }
        Future<?> last = live.receive(message, this);
        return last == null
                ? Moving.stop(live, reason)
                : last.transform((answer, failure) -> Moving.stop(live, reason));
    }

    private Entity<M> live() {
        return Objects.requireNonNull(instance, "a live entity has an instance");
    }

    @Override
    protected void discard() {
        life = 0;
        instance = null;
        if (handsOver) {
            handsOver = false;
            owner.count(HandoverOutcome.TIMED_OUT);
        }
        Set<Long> running = timers;
        timers = null;
        if (running != null) {
            running.forEach(host.vertx::cancelTimer);
        }
    }

    @Override
    protected boolean occupiesThread() {
        return onThreads > 0;
    }

    @Override
    protected Object location() {
        return host.location(this);
    }

    private void call(Callable<Future<?>> code, Ending ending) {
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
            Runnable run = () -> callHere(code, life, ending);
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

    private void fail(Throwable failure, Ending ending) {
        if (!(failure instanceof EntityFailure)) {
            host.logFailure(id(), failure);
        }
        ending.ended(null, failure, true);
    }

    private void await(@Nullable Future<?> future, Ending ending) {
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

    private static Failure describe(Throwable failure) {
        if (failure instanceof EntityFailure refusal) {
            return new Failure(FailureCode.ENTITY_FAILED, String.valueOf(refusal.getMessage()), refusal.code());
        }
        if (failure instanceof ShardingException sharding) {
            String text = sharding.code() + ": " + sharding.getMessage();
            return new Failure(FailureCode.ENTITY_FAILED, text, sharding.code().name());
        }
        return Failure.of(FailureCode.ENTITY_FAILED, failure.toString());
    }

    @Override
    public EntityType<M> type() {
        return host.definition.type();
    }

    @Override
    public int shard() {
        return shard;
    }

    @Override
    public NodeId node() {
        return host.node;
    }

    @Override
    public FencingToken token() {
        return token;
    }

    @Override
    public String incarnation() {
        return host.node + "/" + type().name() + "/" + life;
    }

    @Override
    public StartReason startReason() {
        return startReason;
    }

    @Override
    public EntityRef<M> self() {
        return host.reference(id());
    }

    @Override
    public Vertx vertx() {
        return host.vertx;
    }

    @Override
    public void passivate() {
        long of = life;
        queue.execute((lane, now) -> {
            if (life == of) {
                putAway();
            }
        });
    }

    @Override
    public long setTimer(Duration delay, M message) {
        return timer(delay, message, false);
    }

    @Override
    public long setPeriodicTimer(Duration period, M message) {
        return timer(period, message, true);
    }

    private long timer(Duration delay, M message, boolean periodic) {
        Objects.requireNonNull(message, "message");
        if (delay.toMillis() < 1) {
            throw new IllegalArgumentException("timer of " + delay + ": must be at least 1 ms");
        }
        long of = life;
        Set<Long> running = timers;
        if (running == null) {
            running = ConcurrentHashMap.newKeySet();
            timers = running;
        }
        Set<Long> mine = running;
        long timer = periodic
                ? host.vertx.setPeriodic(delay.toMillis(), fired -> fire(of, message))
                : host.vertx.setTimer(delay.toMillis(), fired -> {
                    mine.remove(fired);
                    fire(of, message);
                });
        mine.add(timer);
        return timer;
    }

    private void fire(long of, M message) {
        queue.execute((lane, now) -> {
            if (life == of) {
                lane.deliverHere(shard, id(), message, now);
            }
        });
    }

    @Override
    public boolean cancelTimer(long timer) {
        Set<Long> running = timers;
        return running != null && running.remove(timer) && host.vertx.cancelTimer(timer);
    }
}
