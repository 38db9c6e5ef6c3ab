package io.shardbus.runtime.entity;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityFailure;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.core.entity.CellState;
import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityCode;
import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.core.routing.Lane;
import io.shardbus.model.EntityReport;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.runtime.entity.UserCalls.Ending;
import io.shardbus.runtime.entity.UserCalls.LeaseOver;
import io.shardbus.spi.Discardable;
import io.shardbus.spi.EntityFailureHandler;
import io.shardbus.spi.Inspectable;
import io.shardbus.transport.PayloadWire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The user's instance of one entity, as its cell runs it; also the context that the instance sees. The calls of the
 * user's code, the handling of a message and its measurement are parts that the entities of a shard share. Timers,
 * supervision, the state handover and inspection are parts of its own, each made when an instance first needs it.
 */
public final class LiveEntity<M> implements EntityCode, UserCalls.Called, EntityContext<M>, HostedContext {
    private final EntityPlace<M> place;
    private final EntityCell cell;
    /** The number of the live instance; 0 for none. */
    private volatile long life;

    private @Nullable Entity<M> instance;
    private StartReason startReason = StartReason.MESSAGE;
    /** Begin of the present instance. */
    private long liveFrom;
    /** Calls of its code that have not come back from their threads. */
    private int onThreads;
    /** The reading at which the message in hand was taken up; 0 if its time is not measured. */
    private int takenUp;

    /** The last message that the instance asked for with its passivation. */
    private @Nullable M lastMessage;

    private volatile @Nullable OwnTimes<M> times;
    private @Nullable StateHandover handover;
    private @Nullable Supervision supervision;
    private @Nullable Inspection inspection;

    public LiveEntity(EntityPlace<M> place, String id) {
        this.place = place;
        this.cell = new EntityCell(id, place.owner, this);
    }

    /** The cell that runs it. */
    public EntityCell cell() {
        return cell;
    }

    @Override
    public String id() {
        return cell.id();
    }

    @Override
    public void onThreads(int change) {
        onThreads += change;
    }

    @Override
    public boolean occupiesThread() {
        return onThreads > 0;
    }

    private void call(Callable<Future<?>> code, Ending ending) {
        place.calls.call(this, code, ending);
    }

    @Override
    public void waited(long millis) {
        place.times.waited(millis);
    }

    @Override
    public void beginStart(StartReason reason) {
        place.host.outsideOfTraces(place.lane, () -> startHere(reason));
    }

    private void startHere(StartReason reason) {
        life = place.host.nextLife();
        liveFrom = place.owner.now();
        place.host.metrics.started(place.shard, reason);
        EntityState state = place.owner.takeState(cell);
        startReason = reason;
        if (state == null) {
            call(() -> create().started(this), this::started);
        } else {
            startReason = StartReason.MOVED;
            call(
                    () -> StateHandover.takeOver(create(), state),
                    (value, failure, threw) -> goOnWith(reason, state, failure));
        }
    }

    /**
     * The new instance starts with the state from the former home; if it refused that state, another instance starts
     * without it.
     */
    private void goOnWith(StartReason reason, EntityState state, @Nullable Throwable refusal) {
        if (refusal instanceof LeaseOver) {
            place.owner.stateLost(StateLoss.of(
                    StateTransferOutcome.LOST, place.shard, state, "the lease ended before takeOver began"));
            cell.force();
        } else if (refusal == null) {
            place.owner.stateTaken(state.bytes().length);
            call(() -> live().started(this), this::started);
        } else {
            place.owner.stateLost(
                    StateLoss.of(StateTransferOutcome.REFUSED, place.shard, state, "takeOver refused it: " + refusal));
            startReason = reason;
            call(() -> create().started(this), this::started);
        }
    }

    private Entity<M> create() {
        Entity<M> created =
                Objects.requireNonNull(place.host.definition.factory().apply(id()), "the factory gave null");
        instance = created;
        return created;
    }

    private void started(@Nullable Object ignored, @Nullable Throwable failure, boolean threw) {
        if (failure == null) {
            cell.begun();
        } else if (failure instanceof LeaseOver) {
            cell.force();
        } else {
            if (!threw || failure instanceof EntityFailure) {
                place.host.logFailure(id(), failure);
            }
            place.host.metrics.failed(place.shard, failure);
            supervision().ask(failure, () -> cell.startFailed(EntityHost.describe(failure)));
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public void beginReceive(Envelope envelope) {
        takenUp = place.times.takenUp();
        Entity<M> live = live();
        M message;
        if (envelope.payload() instanceof OwnMessage<?> own) {
            message = (M) own.message();
        } else {
            message = (M) envelope.payload();
            OwnTimes<M> asked = times;
            if (asked != null) {
                asked.touched(place.owner.now());
            }
        }
        place.handling.begin(this, live, message, envelope);
    }

    /** The message in hand is done. */
    void done(Envelope envelope, @Nullable Object value, @Nullable Failure failure, boolean threw) {
        if (takenUp != 0 || failure != null) {
            place.times.handled(envelope, takenUp, cell.busyFrom(), failure != null);
            takenUp = 0;
        }
        cell.handled(envelope, value, failure, threw);
    }

    @Override
    public void beginStop(StopReason reason, boolean offered) {
        place.host.outsideOfTraces(place.lane, () -> stopHere(reason, offered));
    }

    private void stopHere(StopReason reason, boolean offered) {
        place.host.metrics.stopped(place.shard, reason);
        Entity<M> live = live();
        boolean gives = reason == StopReason.HANDOFF && !offered && StateHandover.applies(live);
        if (gives) {
            handover().askedLast();
        }
        place.calls.callAtEnd(this, () -> stop(live, reason, gives), (value, failure, threw) -> {
            if (handover != null) {
                handover.ended(value, failure);
            }
            cell.stopped();
        });
    }

    @Override
    public void beginOffer() {
        Entity<M> live = live();
        if (!StateHandover.applies(live)) {
            cell.offered(null, null);
            return;
        }
        StateHandover asked = handover();
        long question = asked.asked();
        call(() -> StateHandover.handOver(live), (value, failure, threw) -> {
            if (asked.isAwaited(question)) {
                String refusal = failure == null ? null : "handOver failed: " + failure;
                cell.offered(StateHandover.stateOf(id(), value), refusal);
            }
        });
    }

    private StateHandover handover() {
        StateHandover present = handover;
        if (present == null) {
            present = new StateHandover(place.owner, place.shard, id());
            handover = present;
        }
        return present;
    }

    private Future<?> stop(Entity<M> live, StopReason reason, boolean gives) {
        M own = reason == StopReason.PASSIVATION ? lastMessage : null;
        M message = own != null ? own : place.host.definition.stopMessage().orElse(null);
        if (message == null) {
            return StateHandover.stop(live, reason, gives);
        }
        Future<?> last = live.receive(message, this);
        return last == null
                ? StateHandover.stop(live, reason, gives)
                : last.transform((answer, failure) -> StateHandover.stop(live, reason, gives));
    }

    private Entity<M> live() {
        return Objects.requireNonNull(instance, "a live entity has an instance");
    }

    @Override
    public RestartPolicy restartPolicy() {
        Supervision known = supervision;
        return known == null ? place.host.definition.restartPolicy() : known.policy(place.host.definition);
    }

    @Override
    public void failureTreated(RestartPolicy.Action action, int inARow) {
        Throwable cause = supervision().treated(action, place.owner.now());
        var report = new EntityFailureHandler.Report(type().name(), id(), shard(), node(), cause, action, inARow);
        place.host.treated(place.lane, report);
    }

    Supervision supervision() {
        Supervision present = supervision;
        if (present == null) {
            present = new Supervision();
            supervision = present;
        }
        return present;
    }

    @Override
    public void discard() {
        if (cell.state() != CellState.STOPPING) {
            place.host.metrics.stopped(place.shard, StopReason.FAILURE);
        }
        life = 0;
        if (instance instanceof Discardable discardable) {
            place.host.discard(id(), discardable);
        }
        instance = null;
        lastMessage = null;
        if (inspection != null) {
            inspection.ended();
            inspection = null;
        }
        if (handover != null) {
            handover.discarded(cell.state() == CellState.ASKED);
        }
        OwnTimes<M> running = times;
        if (running != null) {
            running.cancelAll();
        }
    }

    /** Report of the entity; null when nothing is there. On the lane. */
    public EntityReport.@Nullable Instance report() {
        OwnTimes<M> running = times;
        return InstanceReport.of(
                this,
                instance instanceof Inspectable,
                new InstanceReport.Age(liveFrom, place.owner.now()),
                running == null ? 0 : running.count(),
                supervision);
    }

    /** The class of the message in hand; null for none. */
    @Nullable
    String messageInHand() {
        Envelope message = cell.inHand();
        return message == null ? null : OwnMessage.className(message.payload());
    }

    /** The answer for the state of an entity without an instance. */
    public static QueryAnswer.State notLive() {
        return Inspection.notLive();
    }

    /** Asks the instance for its state in its turn. On the lane. */
    public Future<QueryAnswer.State> inspect() {
        if (cell.isLive() && instance != null && !(instance instanceof Inspectable)) {
            return Future.succeededFuture(Inspection.notInspectable());
        }
        Inspection asked = inspection;
        if (asked == null) {
            if (!cell.askForTurn()) {
                return Future.succeededFuture(Inspection.notLive());
            }
            asked = new Inspection();
            inspection = asked;
        }
        return asked.answer();
    }

    @Override
    public void beginTurn() {
        Inspection asked = inspection;
        if (asked == null || !(instance instanceof Inspectable inspectable)) {
            cell.turnEnded();
            return;
        }
        call(() -> Future.succeededFuture(inspectable.inspect()), (shown, failure, threw) -> {
            asked.answered(shown, failure);
            inspection = null;
            cell.turnEnded();
        });
    }

    @Override
    public Object location() {
        return place.host.location(this);
    }

    @Override
    public EntityLane lane() {
        return place.lane;
    }

    @Override
    public int numberOfShards() {
        return place.host.numberOfShards();
    }

    @Override
    public String addressing() {
        return place.host.addressing();
    }

    @Override
    public PayloadWire payloads() {
        return place.host.wire;
    }

    @Override
    public EntityCounters counters() {
        return place.host.counters();
    }

    @Override
    public EntityType<M> type() {
        return place.host.definition.type();
    }

    @Override
    public int shard() {
        return place.shard;
    }

    @Override
    public NodeId node() {
        return place.host.node;
    }

    @Override
    public FencingToken token() {
        return place.token;
    }

    @Override
    public String incarnation() {
        return place.host.node + "/" + type().name() + "/" + life;
    }

    @Override
    public StartReason startReason() {
        return startReason;
    }

    @Override
    public EntityRef<M> self() {
        return place.host.reference(id());
    }

    @Override
    public Vertx vertx() {
        return place.host.vertx;
    }

    @Override
    public void passivate() {
        ifAlive(cell::putAway);
    }

    @Override
    public void passivate(M stopMessage) {
        Objects.requireNonNull(stopMessage, "stopMessage");
        ifAlive(() -> {
            lastMessage = stopMessage;
            cell.putAway();
        });
    }

    @Override
    public void stop() {
        if (place.lane.isLane()) {
            // at once: messages that wait on the lane are for the next instance
            cell.putAwayAtOnce();
        } else {
            ifAlive(cell::putAwayAtOnce);
        }
    }

    /** On the lane, unless the instance that asks has ended by then. */
    private void ifAlive(Runnable action) {
        long of = life;
        place.lane.execute((lane, now) -> {
            if (life == of) {
                action.run();
            }
        });
    }

    @Override
    public void overtime(StopReason reason, long millis) {
        place.host.stoppedByForce(this, reason, millis);
    }

    @Override
    public long setTimer(Duration delay, M message, boolean keepAlive) {
        return times().timers().set(delay, message, false, keepAlive);
    }

    @Override
    public long setPeriodicTimer(Duration period, M message, boolean keepAlive) {
        return times().timers().set(period, message, true, keepAlive);
    }

    @Override
    public boolean isAwaited() {
        OwnTimes<M> running = times;
        return running != null && running.keepAlive();
    }

    private OwnTimes<M> times() {
        OwnTimes<M> present = times;
        if (present == null) {
            present = new OwnTimes<>(this);
            times = present;
        }
        return present;
    }

    @Override
    public long life() {
        return life;
    }

    /** A message of the instance's own, on the lane. */
    void deliverOwn(Lane lane, M message, long now) {
        lane.deliverHere(place.shard, id(), new OwnMessage<>(message), now);
    }

    long presentLife() {
        long of = life;
        if (of == 0) {
            throw new ShardingException(
                    FailureCode.ENTITY_STOPPED, "entity '" + id() + "': the instance of this context has stopped");
        }
        return of;
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
        presentLife();
        onLane(() -> {
            if (life != 0) {
                times().awaitSilence(millis, message, place.owner.now());
            }
        });
    }

    @Override
    public void cancelReceiveTimeout() {
        OwnTimes<M> running = times;
        if (running != null) {
            onLane(running::stopSilence);
        }
    }

    @Override
    public void stash() {
        onLane(cell::stashCurrent);
    }

    @Override
    public void unstashAll() {
        onLane(cell::unstash);
    }

    @Override
    public void discardStash() {
        onLane(cell::failStash);
    }

    /** From the instance's own code, on any thread: before what that code does next. */
    private void onLane(Runnable action) {
        long of = life;
        if (place.lane.isLane()) {
            action.run();
        } else {
            place.lane.execute((lane, now) -> {
                if (life == of) {
                    action.run();
                }
            });
        }
    }
}
