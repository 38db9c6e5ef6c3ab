package io.shardbus.runtime.entity;

import io.shardbus.Entity;
import io.shardbus.EntityFailure;
import io.shardbus.EntityType;
import io.shardbus.core.entity.CellState;
import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityCode;
import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.latency.LaneLatency;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.EraseEntity;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FaultText;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.EntityReport;
import io.shardbus.model.FencingToken;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.runtime.entity.UserCalls.Ending;
import io.shardbus.runtime.entity.UserCalls.LeaseOver;
import io.shardbus.spi.Discardable;
import io.shardbus.spi.EntityFailureHandler;
import io.shardbus.spi.Inspectable;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The user's instance of one entity, as its cell runs it. The calls of the user's code, the handling of a message and
 * its measurement are parts that the entities of a shard share. Each instance has a context of its own. Supervision,
 * state transfer and inspection are parts of the entity, each made when an instance first needs it.
 */
public final class LiveEntity<M> implements EntityCode, UserCalls.Called {
    final EntityPlace<M> place;
    private final EntityCell cell;
    /** Context of the present instance, or of the last one; null before the first. */
    private volatile @Nullable InstanceContext<M> context;

    private @Nullable Entity<M> instance;
    /** Calls of its code that have not come back from their threads. */
    private int onThreads;
    /** Clock reading when the handling of the message in hand began; 0 if its time is not measured. */
    private int takenUp;
    /** These readings of messages that are decided, not answered, and measured; null for none. */
    private @Nullable Map<Envelope, Integer> measured;

    /** The last message that the instance asked for with its passivation. */
    private @Nullable M lastMessage;

    private @Nullable EntityStateTransfer transfer;
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
    public void wanted() {
        place.wanted(id());
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
        EntityState state = place.owner.takeState(cell);
        var mine = new InstanceContext<>(this, place.host.nextLife(), state == null ? reason : StartReason.MOVED);
        context = mine;
        place.host.metrics.started(place.shard, mine.startReason());
        if (state == null) {
            call(() -> create().started(mine), this::started);
        } else {
            transfer().taking(state);
            call(
                    () -> EntityStateTransfer.takeOver(create(), state),
                    (value, failure, threw) -> goOnWith(reason, state, failure));
        }
    }

    /**
     * The new instance starts with the state from the former home; if it refused that state, another instance starts
     * without it.
     */
    private void goOnWith(StartReason reason, EntityState state, @Nullable Throwable refusal) {
        transfer = null;
        if (refusal instanceof LeaseOver) {
            place.owner.stateLost(StateLoss.of(
                    StateTransferOutcome.LOST, place.shard, state, "the lease ended before takeOver began"));
            cell.force();
        } else if (refusal == null) {
            place.owner.stateTaken(state.bytes().length);
            call(() -> live().started(context()), this::started);
        } else {
            place.owner.stateLost(StateLoss.of(
                    StateTransferOutcome.REFUSED,
                    place.shard,
                    state,
                    "takeOver refused it: " + FaultText.whole(refusal)));
            discardInstance();
            InstanceContext<M> mine = context();
            mine.startsFor(reason);
            call(() -> create().started(mine), this::started);
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
        if (!(envelope.payload() instanceof OwnMessage<?> own)) {
            context().touched(place.owner.now());
        } else if (!own.takeUp()) {
            cell.handled(envelope, null, null, false);
            return;
        }
        takenUp = place.times.takenUp();
        Entity<M> live = live();
        M message = (M) OwnMessage.message(envelope.payload());
        if (message == EraseEntity.REQUEST) {
            place.handling.erase(this, live, message, envelope);
        } else {
            place.handling.begin(this, live, message, envelope);
        }
    }

    /** The message in hand is decided on, and the next one may come before it is done. */
    void decided() {
        Envelope inHand = cell.inHand();
        if (takenUp != 0 && inHand != null) {
            Map<Envelope, Integer> readings = measured == null ? new HashMap<>() : measured;
            readings.put(inHand, takenUp);
            measured = readings;
            takenUp = 0;
        }
        cell.decided();
    }

    /** A message is done: the one in hand, or one that is decided on. */
    void done(Envelope envelope, @Nullable Object value, @Nullable Failure failure, boolean threw) {
        int reading = reading(envelope);
        long now = place.owner.now();
        // messages are done in their order: this one is the oldest
        long millis = now - cell.busyFrom();
        if (reading != 0 || failure != null || millis >= LaneLatency.LONG_MILLIS) {
            place.times.handled(envelope, reading, millis, failure != null);
        }
        if (!(envelope.payload() instanceof OwnMessage)) {
            // the silence that a receive timeout waits for begins now, not when the message came
            context().touched(now);
        }
        cell.handled(envelope, value, failure, threw);
    }

    private int reading(Envelope envelope) {
        Integer kept = measured == null ? null : measured.remove(envelope);
        if (kept != null) {
            return kept;
        }
        if (cell.inHand() != envelope) {
            return 0;
        }
        int reading = takenUp;
        takenUp = 0;
        return reading;
    }

    /** The continuation of this message has thrown. */
    void broken(Envelope envelope, Throwable fault) {
        cell.broken(envelope, fault);
    }

    @Override
    public void beginStop(StopReason reason, boolean offered) {
        place.host.outsideOfTraces(place.lane, () -> stopHere(reason, offered));
    }

    private void stopHere(StopReason reason, boolean offered) {
        place.host.metrics.stopped(place.shard, reason);
        Entity<M> live = live();
        boolean gives = reason == StopReason.HANDOFF && !offered && EntityStateTransfer.applies(live);
        if (gives) {
            transfer().askedLast();
        }
        M own = reason == StopReason.PASSIVATION ? lastMessage : null;
        M message = own != null ? own : place.host.definition.stopMessage().orElse(null);
        if (message == null) {
            handOverLast(live, reason, gives);
            return;
        }
        InstanceContext<M> mine = context();
        place.calls.callAtEnd(this, () -> live.receive(message, mine), (value, failure, threw) -> {
            if (failure != null && !threw && !(failure instanceof EntityFailure)) {
                place.host.logFailure(id(), failure);
            }
            handOverLast(live, reason, gives);
        });
    }

    /** The stop message may have failed: the instance hands over and ends all the same. */
    private void handOverLast(Entity<M> live, StopReason reason, boolean gives) {
        if (!gives) {
            stopping(live, reason);
            return;
        }
        place.calls.callAtEnd(this, () -> EntityStateTransfer.handOver(live), (value, failure, threw) -> {
            transfer().ended(value, failure);
            stopping(live, reason);
        });
    }

    private void stopping(Entity<M> live, StopReason reason) {
        place.calls.callAtEnd(this, () -> live.stopping(reason), (value, failure, threw) -> cell.stopped());
    }

    @Override
    public void beginOffer() {
        Entity<M> live = live();
        if (!EntityStateTransfer.applies(live)) {
            cell.offered(null, null);
            return;
        }
        EntityStateTransfer asked = transfer();
        long question = asked.asked();
        call(() -> EntityStateTransfer.handOver(live), (value, failure, threw) -> {
            if (asked.isAwaited(question)) {
                String refusal = failure == null ? null : "handOver failed: " + FaultText.whole(failure);
                cell.offered(EntityStateTransfer.stateOf(id(), value), refusal);
            }
        });
    }

    private EntityStateTransfer transfer() {
        EntityStateTransfer present = transfer;
        if (present == null) {
            present = new EntityStateTransfer(place.owner, place.shard, id());
            transfer = present;
        }
        return present;
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
        var report =
                new EntityFailureHandler.Report(type().name(), id(), shard(), place.host.node, cause, action, inARow);
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
    public void broken(Throwable fault) {
        place.host.logFailure(id(), fault);
    }

    @Override
    public void endBroken(Throwable fault) {
        cell.broken(fault);
    }

    @Override
    public void discard() {
        if (cell.state() != CellState.STOPPING) {
            place.host.metrics.stopped(place.shard, StopReason.FAILURE);
        }
        InstanceContext<M> ended = context;
        if (ended != null) {
            ended.end();
        }
        discardInstance();
        lastMessage = null;
        measured = null;
        if (inspection != null) {
            inspection.ended();
            inspection = null;
        }
        if (transfer != null) {
            transfer.discarded(cell.state() == CellState.ASKED);
        }
    }

    private void discardInstance() {
        if (instance instanceof Discardable discardable) {
            place.host.discard(id(), discardable);
        }
        instance = null;
    }

    /** Report of the entity; null when nothing is there. On the lane. */
    public EntityReport.@Nullable Instance report() {
        InstanceContext<M> present = context;
        return present == null ? null : InstanceReport.of(cell, present, instance instanceof Inspectable, supervision);
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
            inspection = null;
            asked.answered(shown, failure);
            cell.turnEnded();
        });
    }

    @Override
    public Object location() {
        return place.host.location(this);
    }

    int shard() {
        return place.shard;
    }

    FencingToken token() {
        return place.token;
    }

    EntityType<M> type() {
        return place.host.definition.type();
    }

    @Override
    public void overtime(StopReason reason, long millis) {
        if (transfer != null && reason == StopReason.HANDOFF) {
            transfer.movesOn();
        }
        place.host.stoppedByForce(this, reason, millis);
    }

    @Override
    public boolean isAwaited() {
        InstanceContext<M> present = context;
        return present != null && present.keepsAlive();
    }

    @Override
    public long life() {
        InstanceContext<M> present = context;
        return present == null ? 0 : present.presentLife();
    }

    /** Of the live instance. */
    InstanceContext<M> context() {
        return Objects.requireNonNull(context, "a live entity has a context");
    }

    /** The stop message of an instance that asks for its passivation. On the lane. */
    void putAway(M stopMessage) {
        lastMessage = stopMessage;
        cell.putAway();
    }
}
