package io.shardbus.core.hosting;

import io.shardbus.core.entity.CellState;
import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.passivation.PassivationNode;
import io.shardbus.core.passivation.ShardPassivation;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.core.remember.RememberedLane;
import io.shardbus.core.remember.RememberedShard;
import io.shardbus.core.statetransfer.StateTransfers;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A shard at its home: its entities, and its handoff.
 *
 * <pre>
 * ACTIVE --BeginHandoff--> DRAINING --all drained, nothing under way--> STOPPING --last entity ended--> STOPPED
 *    ^                        |
 *    +---- AbortHandoff ------+
 * </pre>
 */
final class HostedShard implements EntityOwner, RememberedShard.Shard {
    private static final int STARTS_PER_TICK = 256;

    /** Phase of the shard's life at this home. */
    enum Phase {
        ACTIVE,
        DRAINING,
        STOPPING,
        STOPPED
    }

    final int shard;
    final FencingToken token;
    /** Number of messages that it was given at this home. */
    long delivered;

    /** Busy time of the shard's entities since it was hosted here, in microseconds. */
    long busyMicros;

    private final HostingLane lane;
    private final HostedShards hosted;
    private final ShardPassivation passivation;
    private final Map<String, EntityCell> cells = new HashMap<>();
    private final Function<String, EntityCell> newCells;
    private final StateTransfers transfers;
    private final ArrivedStates arrived;
    /** The stay of the lane's lease in which it came here. */
    private final long stay;

    private Phase phase = Phase.ACTIVE;
    /** Whether the shard may have another home by now, although the region's lease is valid. */
    private volatile boolean lost;

    private int unfinished;
    private int live;
    private long passivated;
    private boolean silent;
    private final ShardHandoff handoff = new ShardHandoff();
    private boolean mayStay;
    /** Whether entities are asked what they know while the shard may still stay, and how many have not said it. */
    private boolean collecting;

    private int asked;
    /** Entities whose handOver has a thread though the shard stays: none of their messages may begin before its end. */
    private Set<EntityCell> handingOver = new LinkedHashSet<>(0);

    private final SilentEntities silentEntities;
    /** Null where entities are not remembered. */
    private final @Nullable RememberedShard memory;

    HostedShard(
            int shard,
            FencingToken token,
            HostingLane lane,
            HostedShards hosted,
            @Nullable RememberedLane rememberedShards) {
        this.shard = shard;
        this.token = token;
        this.lane = lane;
        this.hosted = hosted;
        this.stay = lane.stay();
        this.transfers = hosted.transfers();
        this.silentEntities = new SilentEntities(shard, lane);
        this.arrived = new ArrivedStates(transfers, shard, token);
        this.newCells = lane.port().cells(this, shard, token);
        this.memory = rememberedShards == null ? null : rememberedShards.open(this);
        this.passivation = hosted.passivation().open(this::putAway);
    }

    Phase phase() {
        return phase;
    }

    /** Whether it takes messages that carry its token. */
    boolean accepts() {
        return phase == Phase.ACTIVE || phase == Phase.DRAINING;
    }

    /**
     * Whether its entities give their states. Messages then wait at their senders, also at this shard's own entities,
     * for the next home or for this one.
     */
    boolean givesStates() {
        return collecting;
    }

    /** Whether it is in its stop, of which the coordinator will hear, under this token. */
    boolean stopsUnder(FencingToken of) {
        return phase == Phase.STOPPING && !silent && token.equals(of);
    }

    void offer(Envelope envelope) {
        EntityCell present = cells.get(envelope.entityId());
        if (present != null) {
            passivation.touched(present.place(), lane.now());
        }
        take(present, envelope);
    }

    /** A message that the entity sent to itself: it does not count as activity. */
    void offerOwn(Envelope envelope) {
        take(cells.get(envelope.entityId()), envelope);
    }

    private void take(@Nullable EntityCell present, Envelope envelope) {
        unfinished++;
        RememberedShard remembered = memory;
        if (remembered == null) {
            (present == null ? cell(envelope.entityId()) : present).offer(envelope);
        } else if (remembered.admits(envelope.entityId(), present)) {
            remembered.offer(cell(envelope.entityId()), envelope);
        } else {
            String text = "too many messages wait for the store of remembered entities";
            failed(envelope, Failure.of(FailureCode.REGION_BUFFER_FULL, text));
        }
    }

    private EntityCell cell(String entityId) {
        EntityCell cell = cells.get(entityId);
        if (cell == null) {
            cell = newCells.apply(entityId);
            cells.put(entityId, cell);
        }
        return cell;
    }

    @Override
    public int number() {
        return shard;
    }

    @Override
    public FencingToken token() {
        return token;
    }

    @Override
    public boolean startsByItself() {
        return phase == Phase.ACTIVE && mayRun();
    }

    @Override
    public void start(String entityId, StartReason reason) {
        EntityCell cell = cell(entityId);
        if (!cell.isLive()) {
            cell.start(reason);
        }
    }

    @Override
    public void superseded() {
        leaseLost();
    }

    /** Starts entities that were live at the former home; not all at once, as messages must be served between them. */
    void startMoved() {
        if (!handingOver.isEmpty()) {
            goOnWithoutThread();
        }
        if (arrived.isEmpty() || !startsByItself()) {
            return;
        }
        for (String id : arrived.first(STARTS_PER_TICK)) {
            start(id, StartReason.MOVED);
        }
    }

    @Override
    public @Nullable EntityState takeState(EntityCell cell) {
        return arrived.take(cell.id());
    }

    @Override
    public void giveState(EntityState state) {
        transfers.give(shard, token, state);
    }

    @Override
    public void stateTaken(int bytes) {
        lane.port().stateTaken(bytes);
    }

    @Override
    public void stateLost(StateLoss loss) {
        lane.port().stateLost(loss);
    }

    /** @param staysIfLate whether the shard may stay when the handoff takes too long */
    void beginHandoff(BeginHandoff message, Set<NodeId> alreadyDrained, boolean staysIfLate) {
        boolean over = handoff.isAborted(message.version()) && !message.force();
        if (!accepts() || !message.token().equals(token) || over) {
            return;
        }
        if (handoff.begin(message, lane.now())) {
            phase = Phase.DRAINING;
            // an entity whose start fails leaves the map at once
            new ArrayList<>(cells.values()).forEach(EntityCell::hurry);
        }
        handoff.drained(alreadyDrained);
        mayStay = staysIfLate;
        if (message.force()) {
            stop(StopReason.HANDOFF, FailureCode.SHUTTING_DOWN);
        }
    }

    /** Nodes that have not drained for too long and keep a handoff waiting, if the shard may stay. */
    Set<NodeId> lateDrains() {
        return phase == Phase.DRAINING && mayStay
                ? handoff.lateDrains(lane.settings().drainPatience(), lane.now())
                : Set.of();
    }

    ShardHandoff handoff() {
        return handoff;
    }

    /** Aborts the handoff; false when the stop has begun and goes on. */
    boolean abort(FencingToken version) {
        if (!accepts()) {
            return false;
        }
        if (handoff.abort(version)) {
            phase = Phase.ACTIVE;
            stay();
        }
        return true;
    }

    /** The shard stays: states that entities have offered are void, and late answers are not heard any more. */
    private void stay() {
        if (!collecting) {
            return;
        }
        collecting = false;
        transfers.withdraw(shard, token);
        List<EntityCell> present = List.copyOf(cells.values());
        if (asked > 0) {
            asked = 0;
            present.stream()
                    .filter(cell -> cell.state() == CellState.ASKED)
                    .limit(1)
                    .forEach(cell -> declined(cell.id(), 0, "handOver has not ended"));
        }
        Set<EntityCell> onThread = new LinkedHashSet<>();
        for (EntityCell cell : present) {
            if (cell.state() == CellState.ASKED && cell.code().occupiesThread()) {
                onThread.add(cell);
            } else {
                cell.goOn();
            }
        }
        handingOver = onThread;
        lane.stays(shard);
    }

    /** Entities whose handOver has returned handle messages again, though its future may not be complete. */
    private void goOnWithoutThread() {
        for (EntityCell cell : List.copyOf(handingOver)) {
            if (!cell.code().occupiesThread()) {
                handingOver.remove(cell);
                cell.goOn();
            }
        }
    }

    private void declined(String entityId, long bytes, String reason) {
        lane.port().moveDeclined(shard, entityId, bytes, reason);
    }

    /** Aborts the handoff, if there is one. */
    void cancelHandoff() {
        if (phase == Phase.DRAINING) {
            abort(handoff.version());
        }
    }

    /** Begins the stop if all have drained and nothing is under way. */
    void proceed() {
        boolean drained = phase == Phase.DRAINING && handoff.isDrained() && (unfinished == 0 || collecting);
        if (drained && mayRun() && isCollected()) {
            stop(StopReason.HANDOFF, FailureCode.SHUTTING_DOWN);
        }
    }

    /** Whether it can stop: at once, or when each of its entities has said what it knows and that can move. */
    private boolean isCollected() {
        if (!collecting && !(mayStay && transfers.isRequired())) {
            return true;
        }
        collecting = true;
        if (asked > 0) {
            return false;
        }
        boolean all = true;
        for (EntityCell cell : List.copyOf(cells.values())) {
            if (collecting && cell.state() == CellState.IDLE) {
                asked++;
                cell.offerState();
            }
            all &= !cell.isLive() || cell.state() == CellState.OFFERED;
        }
        return collecting && all;
    }

    @Override
    public void offered(EntityCell cell, @Nullable EntityState known, @Nullable String refusal) {
        if (handingOver.remove(cell)) {
            cell.goOn();
            return;
        }
        asked--;
        if (!collecting || !mayStay) {
            give(cell, known, refusal);
            return;
        }
        String reason = known == null || refusal != null ? refusal : transfers.offer(shard, token, known);
        if (reason != null) {
            declined(cell.id(), known == null ? 0 : known.bytes().length, reason);
            asked = 0;
            hosted.abort(this, handoff.version(), new HoldUp(cell.id(), 0, live, List.of()));
        }
    }

    /** The shard goes, with or without this state. */
    private void give(EntityCell cell, @Nullable EntityState known, @Nullable String refusal) {
        if (refusal != null) {
            stateLost(StateLoss.of(StateTransferOutcome.FAILED, shard, cell.id(), refusal));
        } else if (known != null) {
            giveState(known);
        }
    }

    /** Ends the shard without telling the coordinator. */
    void drop(StopReason reason) {
        silent = true;
        if (reason == StopReason.LEASE_LOST) {
            lost = true;
        }
        if (accepts()) {
            stop(reason, reason == StopReason.SHUTDOWN ? FailureCode.SHUTTING_DOWN : FailureCode.NOT_IN_MAJORITY);
        } else if (reason == StopReason.LEASE_LOST) {
            leaseLost();
        }
    }

    /**
     * Ends the shard and tells the coordinator, which assigns it again; code that still waits for a thread does not
     * begin.
     */
    void leaseLost() {
        lost = true;
        if (accepts()) {
            stop(StopReason.LEASE_LOST, FailureCode.NOT_IN_MAJORITY);
        } else {
            new ArrayList<>(cells.values()).forEach(cell -> cell.stop(StopReason.LEASE_LOST));
        }
    }

    /** Tells of entities that are at one message for longer than an asker waits. */
    void lookForSilent(long patience) {
        if (unfinished > 0 || !silentEntities.isEmpty()) {
            silentEntities.look(phase == Phase.STOPPED ? List.of() : cells.values(), patience);
        }
    }

    /** No entity of the shard is here any more. */
    void forgetSilent() {
        silentEntities.forget();
    }

    boolean isSilent() {
        return silent;
    }

    private void stop(StopReason reason, FailureCode forWaiting) {
        phase = Phase.STOPPING;
        if (collecting && reason != StopReason.HANDOFF) {
            transfers.withdraw(shard, token);
        }
        collecting = false;
        if (memory != null) {
            memory.close();
        }
        // before the cells: with the last of them the shard ends, and says whether it has states
        arrived.leave(reason == StopReason.HANDOFF);
        for (EntityCell cell : new ArrayList<>(cells.values())) {
            cell.failWaiting(Failure.of(forWaiting, "entity '" + cell.id() + "' is stopping: " + reason));
            cell.stop(reason);
        }
        finishIfEmpty();
    }

    private void finishIfEmpty() {
        if (phase == Phase.STOPPING && cells.isEmpty()) {
            phase = Phase.STOPPED;
            hosted.passivation().close(passivation);
            hosted.ended(this);
        }
    }

    /** Number of instances that were passivated since the shard is at home here. */
    long passivated() {
        return passivated;
    }

    int liveEntities() {
        return live;
    }

    boolean isLive(String entityId) {
        EntityCell cell = cells.get(entityId);
        return cell != null && cell.isLive();
    }

    Optional<EntityCell> find(String entityId) {
        return Optional.ofNullable(cells.get(entityId));
    }

    Collection<EntityCell> cells() {
        return cells.values();
    }

    @Override
    public void answered(Envelope envelope, @Nullable Object value) {
        unfinished--;
        lane.answered(envelope, value);
    }

    @Override
    public void failed(Envelope envelope, Failure failure) {
        unfinished--;
        lane.failed(envelope, failure);
    }

    @Override
    public void ready(EntityCell cell) {
        lane.ready(cell);
    }

    @Override
    public boolean mayRun() {
        return !lost && lane.mayRun(stay);
    }

    @Override
    public boolean holdsLease() {
        return !lost && lane.holdsLease(stay);
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    public boolean mayStart(EntityCell cell) {
        return mayRun() && (memory == null || memory.mayStart(cell));
    }

    @Override
    public boolean isRunning() {
        return lane.isRunning();
    }

    @Override
    public void running(@Nullable EntityCell cell) {
        lane.running(cell == null ? -1 : shard);
    }

    @Override
    public void live(int change) {
        live += change;
    }

    @Override
    public void waiting(int change) {
        hosted.waiting += change;
    }

    @Override
    public void busy(long micros) {
        busyMicros += micros;
    }

    @Override
    public void stashing(int change) {
        hosted.stashing += change;
    }

    @Override
    public void starting(EntityCell cell) {
        passivation.started(cell.place(), lane.now());
    }

    @Override
    public void passivating() {
        passivated++;
        lane.port().entityPassivated();
    }

    private void putAway(PassivationNode victim) {
        EntityCell cell = cells.get(victim.id());
        if (cell != null) {
            cell.putAway();
        }
    }

    @Override
    public void ended(EntityCell cell, @Nullable StopReason reason) {
        cells.remove(cell.id(), cell);
        passivation.ended(cell.place());
        if (memory != null) {
            memory.ended(cell.id(), reason == StopReason.PASSIVATION);
        }
        finishIfEmpty();
    }

    @Override
    public void wakeAt(EntityCell cell, long moment) {
        lane.wakeAt(cell, moment);
    }

    @Override
    public int mailboxSize() {
        return lane.settings().mailboxSize();
    }

    @Override
    public long stopTimeout() {
        return lane.settings().times().stopTimeout();
    }

    @Override
    public long now() {
        return lane.now();
    }
}
