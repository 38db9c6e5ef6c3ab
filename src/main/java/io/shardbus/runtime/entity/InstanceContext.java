package io.shardbus.runtime.entity;

import io.shardbus.EntityContext;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.core.routing.Lane;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StartReason;
import io.shardbus.transport.PayloadWire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The context of one instance. An instance that has ended acts on nothing through it, though its entity may live on in
 * another instance.
 */
final class InstanceContext<M> implements EntityContext<M>, HostedContext {
    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<InstanceContext, OwnTimes> TIMES =
            AtomicReferenceFieldUpdater.newUpdater(InstanceContext.class, OwnTimes.class, "times");

    private final LiveEntity<M> entity;
    private final long from;

    /** The number of the instance, unique on its node; negative since the instance has ended. Written on the lane. */
    private volatile long life;

    private volatile StartReason startReason;
    private volatile @Nullable OwnTimes<M> times;

    InstanceContext(LiveEntity<M> entity, long life, StartReason startReason) {
        this.entity = entity;
        this.life = life;
        this.startReason = startReason;
        this.from = entity.place.owner.now();
    }

    /** The state that moved was refused: the instance starts for this reason. */
    void startsFor(StartReason reason) {
        startReason = reason;
    }

    private long life() {
        return Math.abs(life);
    }

    /** The number of the instance while it lives, else 0. */
    long presentLife() {
        return Math.max(0, life);
    }

    /** Begin of the instance. */
    long from() {
        return from;
    }

    /** The lane's present moment. On the lane. */
    long now() {
        return entity.place.owner.now();
    }

    /** Timers that have yet to fire. */
    int timers() {
        OwnTimes<M> running = times;
        return running == null ? 0 : running.count();
    }

    /** A message of another sender came. On the lane. */
    void touched(long now) {
        OwnTimes<M> asked = times;
        if (asked != null) {
            asked.touched(now);
        }
    }

    /** Whether a timer keeps its entity alive. */
    boolean keepsAlive() {
        OwnTimes<M> running = times;
        return running != null && running.keepAlive();
    }

    /** The instance has ended. On the lane. */
    void end() {
        life = -life();
        entity.place.whenWanted(id(), null);
        OwnTimes<M> running = times;
        if (running != null) {
            running.cancelAll();
        }
    }

    /** Whether the instance lives. Any thread. */
    boolean isLive() {
        return life > 0;
    }

    private void requireLive() {
        if (!isLive()) {
            throw new ShardingException(
                    FailureCode.ENTITY_STOPPED, "entity '" + id() + "': the instance of this context has stopped");
        }
    }

    /** A message of the instance's own, on the lane. */
    void deliverOwn(Lane on, OwnMessage<M> message, long now) {
        if (!on.deliverHere(shard(), id(), message, now)) {
            OwnMessage.lost(message);
        }
    }

    /** On the lane, unless the instance has ended by then. */
    private void ifLive(Runnable action) {
        lane().execute((on, now) -> {
            if (isLive()) {
                action.run();
            }
        });
    }

    /** From the instance's own code, on any thread: before what that code does next. */
    private void onLane(Runnable action) {
        requireLive();
        if (lane().isLane()) {
            action.run();
        } else {
            ifLive(action);
        }
    }

    @Override
    public String id() {
        return entity.id();
    }

    @Override
    public EntityType<M> type() {
        return entity.type();
    }

    @Override
    public int shard() {
        return entity.shard();
    }

    @Override
    public NodeId node() {
        return entity.place.host.node;
    }

    @Override
    public FencingToken token() {
        return entity.token();
    }

    @Override
    public String incarnation() {
        return node() + "/" + type().name() + "/" + life();
    }

    @Override
    public StartReason startReason() {
        return startReason;
    }

    @Override
    public EntityRef<M> self() {
        return entity.place.host.reference(id());
    }

    @Override
    public EntityRef<M> entityRef(String entityId) {
        return entity.place.host.reference(entityId, shard(), this::isLive);
    }

    @Override
    public Vertx vertx() {
        return entity.place.host.vertx;
    }

    @Override
    public EntityLane lane() {
        return entity.place.lane;
    }

    @Override
    public void decided() {
        if (isLive()) {
            entity.decided();
        }
    }

    @Override
    public <T> Future<T> goOn(Supplier<Future<T>> code) {
        return entity.place.calls.goOn(entity, code);
    }

    @Override
    public boolean isWanted() {
        return entity.cell().inHand() != null || entity.cell().waiting() > 0;
    }

    @Override
    public void whenWanted(@Nullable Runnable action) {
        if (isLive()) {
            entity.place.whenWanted(id(), action);
        }
    }

    @Override
    public int numberOfShards() {
        return entity.place.host.numberOfShards();
    }

    @Override
    public String addressing() {
        return entity.place.host.addressing();
    }

    @Override
    public PayloadWire payloads() {
        return entity.place.host.wire;
    }

    @Override
    public int maxPayloadBytes() {
        return entity.place.host.maxPayloadBytes();
    }

    @Override
    public EntityCounters counters() {
        return entity.place.host.counters();
    }

    @Override
    public void passivate() {
        ifLive(entity.cell()::putAway);
    }

    @Override
    public void passivate(M stopMessage) {
        Objects.requireNonNull(stopMessage, "stopMessage");
        ifLive(() -> entity.putAway(stopMessage));
    }

    @Override
    public void stop() {
        if (!lane().isLane()) {
            ifLive(entity.cell()::putAwayAtOnce);
        } else if (isLive()) {
            // at once: messages that wait on the lane are for the next instance
            entity.cell().putAwayAtOnce();
        }
    }

    @Override
    public long setTimer(Duration delay, M message, boolean keepAlive) {
        requireLive();
        return times().timers().set(delay, message, false, keepAlive);
    }

    @Override
    public long setPeriodicTimer(Duration period, M message, boolean keepAlive) {
        requireLive();
        return times().timers().set(period, message, true, keepAlive);
    }

    /** The lane and the thread of the instance's code may both need them first. */
    private OwnTimes<M> times() {
        OwnTimes<M> present = times;
        if (present == null) {
            TIMES.compareAndSet(this, null, new OwnTimes<>(this, entity.cell()));
            present = Objects.requireNonNull(times);
        }
        return present;
    }

    @Override
    public boolean cancelTimer(long timer) {
        OwnTimes<M> running = times;
        return running != null && running.cancel(timer);
    }

    @Override
    public void setReceiveTimeout(Duration timeout, M message) {
        Objects.requireNonNull(message, "message");
        long millis = OwnTimers.millis("receive timeout", timeout);
        onLane(() -> times().awaitSilence(millis, message, now()));
    }

    @Override
    public void cancelReceiveTimeout() {
        if (isLive()) {
            onLane(this::stopSilence);
        }
    }

    /** On the lane, where a timeout that was set before is known. */
    private void stopSilence() {
        OwnTimes<M> running = times;
        if (running != null) {
            running.stopSilence();
        }
    }

    @Override
    public void stash() {
        onLane(entity.cell()::stashCurrent);
    }

    @Override
    public void unstashAll() {
        onLane(entity.cell()::unstash);
    }

    @Override
    public void discardStash() {
        onLane(entity.cell()::failStash);
    }
}
