package io.shardbus.runtime.entity;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityFailure;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardingException;
import io.shardbus.codec.AnswerTypes;
import io.shardbus.core.entity.CellState;
import io.shardbus.core.entity.EntityOwner;
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
import io.shardbus.runtime.tracing.MessageTracing;
import io.shardbus.runtime.tracing.TracedTurn;
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

/** The cell of one entity with the user's instance in it; also the context that the instance sees. */
public final class LiveEntity<M> extends CalledEntity<M> implements EntityContext<M>, HostedContext {
    private final EntityOwner owner;
    private final int shard;
    private final FencingToken token;
    private @Nullable Entity<M> instance;
    private StartReason startReason = StartReason.MESSAGE;
    /** Null until an instance asks for one. */
    private volatile @Nullable OwnTimes<M> times;

    /** The last message that the instance asked for with its passivation. */
    private @Nullable M lastMessage;
    /** Why the policy is asked; while it is asked. */
    private @Nullable Throwable thrown;
    /** Whether the instance is about to say what it knows. */
    private boolean handsOver;
    /** How often instances were asked what they know while they might stay; answers to earlier questions are void. */
    private long offers;
    /** When the present instance began. */
    private long liveFrom;

    private @Nullable Troubles troubles;
    private @Nullable Inspection inspection;

    public LiveEntity(EntityHost.Place<M> place, EntityOwner owner, int shard, FencingToken token, String id) {
        super(place, id);
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
        Throwable cause = thrown;
        return cause == null ? host.definition.restartPolicy() : host.definition.restartPolicy(cause);
    }

    @Override
    protected void beginStart(StartReason reason) {
        host.outsideOfTraces(queue, () -> startHere(reason));
    }

    private void startHere(StartReason reason) {
        life = host.nextLife();
        liveFrom = owner.now();
        host.metrics.started(shard, reason);
        EntityState state = owner.takeState(this);
        startReason = reason;
        if (state == null) {
            call(() -> create().started(this), this::started);
        } else {
            startReason = StartReason.MOVED;
            call(() -> Moving.takeOver(create(), state), (value, failure, threw) -> goOnWith(reason, state, failure));
        }
    }

    /** The new instance has what the one at the former home knew; or another one starts without it. */
    private void goOnWith(StartReason reason, EntityState state, @Nullable Throwable refusal) {
        if (refusal instanceof LeaseOver) {
            owner.stateLost(
                    StateLoss.of(StateTransferOutcome.LOST, shard, state, "the lease ended before takeOver began"));
            force();
        } else if (refusal == null) {
            owner.stateTaken(state.bytes().length);
            call(() -> live().started(this), this::started);
        } else {
            owner.stateLost(
                    StateLoss.of(StateTransferOutcome.REFUSED, shard, state, "takeOver refused it: " + refusal));
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
        } else if (failure instanceof LeaseOver) {
            force();
        } else {
            if (!threw || failure instanceof EntityFailure) {
                host.logFailure(id(), failure);
            }
            host.metrics.failed(shard, failure);
            thrown = failure;
            startFailed(EntityHost.describe(failure));
            thrown = null;
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    void receive(Envelope envelope) {
        Entity<M> live = live();
        M message;
        if (envelope.payload() instanceof OwnMessage<?> own) {
            message = (M) own.message();
        } else {
            message = (M) envelope.payload();
            OwnTimes<M> asked = times;
            if (asked != null) {
                asked.touched(owner.now());
            }
        }
        MessageTracing tracing = host.tracing;
        TracedTurn turn = tracing == null ? null : tracing.handle(queue.context(), envelope, message);
        if (turn != null || !envelope.headers().commandId().isEmpty()) {
            receiveWithHeaders(turn, live, message, envelope);
        } else if (host.definition.execution() == ExecutionModel.EVENT_LOOP) {
            receiveHere(live, message, envelope);
        } else {
            call(() -> live.receive(message, this), receiving(envelope, message));
        }
    }

    /** The way of nearly every message: nothing is allocated when the future is complete. */
    private void receiveHere(Entity<M> live, M message, Envelope envelope) {
        Future<?> future;
        try {
            future = live.receive(message, this);
        } catch (Throwable e) {
            fail(e, receiving(envelope, message));
            return;
        }
        if (future == null) {
            handled(envelope, null, null, false);
        } else if (future.succeeded()) {
            answered(envelope, message, future.result());
        } else {
            await(future, receiving(envelope, message));
        }
    }

    private void receiveWithHeaders(@Nullable TracedTurn turn, Entity<M> live, M message, Envelope envelope) {
        Callable<Future<?>> code = Handling.of(live, message, envelope, this);
        if (code == null) {
            Failure refusal = Handling.storesNothing(this);
            if (turn != null) {
                turn.end(new ShardingException(refusal.code(), refusal.message()), LiveEntity::code);
            }
            handled(envelope, null, refusal, false);
        } else if (turn == null) {
            call(code, receiving(envelope, message));
        } else {
            receiveTraced(turn, turn.watched(code, LiveEntity::code), receiving(envelope, message));
        }
    }

    /** The entity's code runs in the turn's context; what follows from its end does not. */
    private void receiveTraced(TracedTurn turn, Callable<Future<?>> code, Ending ending) {
        if (host.definition.execution() == ExecutionModel.EVENT_LOOP) {
            Future<?> future;
            try {
                future = turn.within(code);
            } catch (Throwable e) {
                fail(e, ending);
                return;
            }
            await(future, ending);
            return;
        }
        turn.dispatch(() -> call(code, (value, failure, threw) -> {
            if (failure instanceof LeaseOver) {
                turn.end(failure, refusal -> FailureCode.NOT_IN_MAJORITY);
            }
            ending.ended(value, failure, threw);
        }));
    }

    private static FailureCode code(Throwable failure) {
        return EntityHost.describe(failure).code();
    }

    private Ending receiving(Envelope envelope, M message) {
        return (value, failure, threw) -> {
            if (failure instanceof LeaseOver) {
                String text = "entity '" + id() + "': " + failure.getMessage();
                handled(envelope, null, Failure.of(FailureCode.NOT_IN_MAJORITY, text), false);
                return;
            }
            boolean fault = threw && !(failure instanceof EntityFailure);
            if (fault && failure != null) {
                host.metrics.failed(shard, failure);
            }
            if (failure == null) {
                answered(envelope, message, value);
                return;
            }
            thrown = fault ? failure : null;
            handled(envelope, null, EntityHost.describe(failure), fault);
            thrown = null;
        };
    }

    /** An answer that is not what the message's Ask says fails the ask, and nothing else. */
    private void answered(Envelope envelope, M message, @Nullable Object value) {
        boolean asked = envelope.ask() != 0;
        if (asked && value != null && !AnswerTypes.fits(message, value)) {
            String text = AnswerTypes.mismatch(type().name() + "/" + id(), message, value);
            handled(envelope, null, Failure.of(FailureCode.INVALID_ANSWER, text), false);
        } else {
            handled(envelope, value, null, false);
        }
    }

    @Override
    protected void beginStop(StopReason reason) {
        host.outsideOfTraces(queue, () -> stopHere(reason));
    }

    private void stopHere(StopReason reason) {
        host.metrics.stopped(shard, reason);
        Entity<M> live = live();
        boolean gives = Moving.handsOver(live, reason) && !hasOffered();
        handsOver = gives;
        callAtEnd(() -> stop(live, reason, gives), (value, failure, threw) -> {
            if (handsOver) {
                handsOver = false;
                Moving.give(owner, shard, id(), value, failure);
            }
            stopped();
        });
    }

    @Override
    protected void beginOffer() {
        Entity<M> live = live();
        long number = ++offers;
        if (!Moving.handsOver(live, StopReason.HANDOFF)) {
            offered(null, null);
            return;
        }
        call(() -> Moving.handOver(live), (value, failure, threw) -> {
            if (number == offers) {
                offered(Moving.stateOf(id(), value), failure == null ? null : "handOver failed: " + failure);
            }
        });
    }

    private Future<?> stop(Entity<M> live, StopReason reason, boolean gives) {
        M own = reason == StopReason.PASSIVATION ? lastMessage : null;
        M message = own != null ? own : host.definition.stopMessage().orElse(null);
        if (message == null) {
            return Moving.stop(live, reason, gives);
        }
        Future<?> last = live.receive(message, this);
        return last == null
                ? Moving.stop(live, reason, gives)
                : last.transform((answer, failure) -> Moving.stop(live, reason, gives));
    }

    private Entity<M> live() {
        return Objects.requireNonNull(instance, "a live entity has an instance");
    }

    @Override
    protected void failureTreated(RestartPolicy.Action action, int inARow) {
        Throwable cause = Objects.requireNonNull(thrown, "a failure has a cause");
        if (troubles == null) {
            troubles = new Troubles();
        }
        troubles.treated(action, cause, owner.now());
        host.treated(queue, new EntityFailureHandler.Report(type().name(), id(), shard, node(), cause, action, inARow));
    }

    @Override
    protected void discard() {
        if (state() != CellState.STOPPING) {
            host.metrics.stopped(shard, StopReason.FAILURE);
        }
        life = 0;
        if (instance instanceof Discardable discardable) {
            host.discard(id(), discardable);
        }
        instance = null;
        lastMessage = null;
        if (inspection != null) {
            inspection.ended();
            inspection = null;
        }
        if (handsOver || isAsked()) {
            handsOver = false;
            Moving.notGivenInTime(owner, shard, id());
        }
        OwnTimes<M> running = times;
        if (running != null) {
            running.cancelAll();
        }
    }

    /** What there is of the entity; null when nothing is. On the lane. */
    public EntityReport.@Nullable Instance report() {
        OwnTimes<M> running = times;
        return InstanceReport.of(
                this,
                instance instanceof Inspectable,
                new InstanceReport.Age(liveFrom, owner.now()),
                running == null ? 0 : running.count(),
                troubles);
    }

    /** The class of the message in hand; null for none. */
    @Nullable
    String messageInHand() {
        Envelope message = inHand();
        return message == null ? null : OwnMessage.className(message.payload());
    }

    /** The answer for the state of an entity without an instance. */
    public static QueryAnswer.State notLive() {
        return Inspection.notLive();
    }

    /** Asks the instance for its state in its turn. On the lane. */
    public Future<QueryAnswer.State> inspect() {
        if (isLive() && instance != null && !(instance instanceof Inspectable)) {
            return Future.succeededFuture(Inspection.notInspectable());
        }
        Inspection asked = inspection;
        if (asked == null) {
            if (!askForTurn()) {
                return Future.succeededFuture(Inspection.notLive());
            }
            asked = new Inspection();
            inspection = asked;
        }
        return asked.answer();
    }

    @Override
    protected void beginTurn() {
        Inspection asked = inspection;
        if (asked == null || !(instance instanceof Inspectable inspectable)) {
            turnEnded();
            return;
        }
        call(() -> Future.succeededFuture(inspectable.inspect()), (shown, failure, threw) -> {
            asked.answered(shown, failure);
            inspection = null;
            turnEnded();
        });
    }

    @Override
    protected Object location() {
        return host.location(this);
    }

    @Override
    public EntityLane lane() {
        return queue;
    }

    @Override
    public int numberOfShards() {
        return host.numberOfShards();
    }

    @Override
    public String addressing() {
        return host.addressing();
    }

    @Override
    public PayloadWire payloads() {
        return host.wire;
    }

    @Override
    public EntityCounters counters() {
        return host.counters();
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
        ifAlive(this::putAway);
    }

    @Override
    public void passivate(M stopMessage) {
        Objects.requireNonNull(stopMessage, "stopMessage");
        ifAlive(() -> {
            lastMessage = stopMessage;
            putAway();
        });
    }

    @Override
    public void stop() {
        if (queue.isLane()) {
            // at once: messages that wait on the lane are for the next instance
            putAwayAtOnce();
        } else {
            ifAlive(this::putAwayAtOnce);
        }
    }

    /** On the lane, unless the instance that asks has ended by then. */
    private void ifAlive(Runnable action) {
        long of = life;
        queue.execute((lane, now) -> {
            if (life == of) {
                action.run();
            }
        });
    }

    @Override
    protected void overtime(StopReason reason, long millis) {
        host.stoppedByForce(this, reason, millis);
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
    protected boolean isAwaited() {
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

    /** Which instance lives, as a number; 0 for none. */
    long life() {
        return life;
    }

    /** A message of the instance's own, on the lane. */
    void deliverOwn(Lane lane, M message, long now) {
        lane.deliverHere(shard, id(), new OwnMessage<>(message), now);
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
                times().awaitSilence(millis, message, owner.now());
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
        onLane(this::stashCurrent);
    }

    @Override
    public void unstashAll() {
        onLane(this::unstash);
    }

    @Override
    public void discardStash() {
        onLane(this::failStash);
    }

    /** From the instance's own code, on any thread: before what that code does next. */
    private void onLane(Runnable action) {
        long of = life;
        if (queue.isLane()) {
            action.run();
        } else {
            queue.execute((lane, now) -> {
                if (life == of) {
                    action.run();
                }
            });
        }
    }
}
