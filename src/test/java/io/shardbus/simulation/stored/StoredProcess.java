package io.shardbus.simulation.stored;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.hosting.Lease;
import io.shardbus.core.latency.LaneLatency;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.EraseEntity;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.core.routing.FrameWriter;
import io.shardbus.core.routing.Lane;
import io.shardbus.core.routing.LanePort;
import io.shardbus.core.routing.PendingAsk;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StopReason;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.entity.EntityCounters;
import io.shardbus.runtime.entity.EntityHost;
import io.shardbus.runtime.entity.EntityLane;
import io.shardbus.runtime.entity.EntityPlace;
import io.shardbus.runtime.entity.EntityRegion;
import io.shardbus.runtime.entity.GuardedMetrics;
import io.shardbus.runtime.entity.LanePart;
import io.shardbus.runtime.entity.LaneTask;
import io.shardbus.runtime.entity.LiveEntity;
import io.shardbus.runtime.entity.TypedPayloads;
import io.shardbus.runtime.tracing.MessageTracing;
import io.shardbus.simulation.Violation;
import io.shardbus.simulation.Violation.Kind;
import io.vertx.core.Context;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process with one lane: the real lane, cells, and runtime of persistent entities, on the simulation's time. There is
 * no coordinator: homes are given and taken by the simulation, which does not wait for leases.
 */
final class StoredProcess implements LanePort, EntityLane, EntityRegion<Tally.Command>, FrameWriter {
    private static final long FOREVER = Long.MAX_VALUE / 2;
    private static final long TICK = 100;
    private static final long HOMES = 20;
    private static final int BURSTS = 1_000;

    final NodeId id;
    private final StoredWorld world;
    private final EntityDefinition<Tally.Command> definition;
    private final Surroundings surroundings;
    private final TypedPayloads payloads = new TypedPayloads(new Tally.Texts());
    private final GuardedMetrics metrics = new GuardedMetrics("tally", null, () -> {}, start -> {}, stop -> {});
    private final ElapsedClock clock;
    private final EntityHost<Tally.Command> host;
    private final Lane lane;
    private final Map<Object, LanePart> parts = new HashMap<>();
    private final Deque<LaneTask> tasks = new ArrayDeque<>();
    private final List<Runnable> held = new ArrayList<>();
    private final Map<Integer, FencingToken> hosted = new HashMap<>();
    private Lease lease = Lease.NONE.extended(FOREVER, 0);
    /** Shards that come when all that was here has ended. */
    private final Map<Integer, FencingToken> given = new TreeMap<>();

    private boolean isLapsing;
    private boolean isWoken;
    private boolean isWorking;
    private boolean isFrozen;
    private boolean isDead;

    StoredProcess(StoredWorld world, String name, EntityDefinition<Tally.Command> definition) {
        this.world = world;
        this.id = new NodeId(name);
        this.definition = definition;
        this.surroundings = new Surroundings(this::after);
        this.clock = ElapsedClock.manual(world::now);
        this.host = new EntityHost<>(this, surroundings.vertx(), id);
        LaneSettings settings = new LaneSettings(
                id,
                0,
                world.shards(),
                10_000,
                1_000,
                64,
                4,
                new LaneSettings.LaneTimes(60, 8_000, 1_000, StoredWorld.STOP_TIMEOUT, 5_000));
        this.lane = new Lane(settings, this, this, world.now());
        tick();
    }

    private void tick() {
        after(TICK, () -> {
            turn(() -> lane.tick(world.now()));
            tick();
        });
    }

    Surroundings surroundings() {
        return surroundings;
    }

    boolean isUp() {
        return !isDead && !isFrozen;
    }

    boolean isDead() {
        return isDead;
    }

    /** In this process, which may be gone by then, or stand still. */
    void after(long millis, Runnable task) {
        world.after(millis, () -> {
            if (isFrozen && !isDead) {
                held.add(task);
            } else if (!isDead) {
                task.run();
            }
        });
    }

    void crash() {
        isDead = true;
    }

    void freeze() {
        isFrozen = true;
    }

    void thaw() {
        isFrozen = false;
        List<Runnable> waiting = new ArrayList<>(held);
        held.clear();
        waiting.forEach(Runnable::run);
    }

    /** A burst of the lane. */
    private void turn(Runnable first) {
        isWorking = true;
        try {
            lane.at(world.now());
            if (world.isLaneBusy()) {
                // another thread has sent something: what the lane's own code adds waits behind that
                tasks.add((to, now) -> {});
            }
            first.run();
            boolean more = true;
            for (int i = 0; more && i < BURSTS; i++) {
                for (LaneTask task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run(lane, world.now());
                }
                more = lane.flush(world.now()) || !tasks.isEmpty();
            }
        } finally {
            isWorking = false;
        }
    }

    @Override
    public void execute(LaneTask task) {
        if (isWorking && tasks.isEmpty()) {
            task.run(lane, world.now());
            return;
        }
        tasks.add(task);
        if (!isWorking && !isWoken) {
            isWoken = true;
            after(0, () -> {
                isWoken = false;
                turn(() -> {});
            });
        }
    }

    @Override
    public void executeNow(LaneTask task) {
        if (isWorking) {
            task.run(lane, world.now());
        } else {
            execute(task);
        }
    }

    /** The shard is at home here. */
    void host(int shard, FencingToken token) {
        after(
                0,
                () -> turn(() -> {
                    if (isLapsing) {
                        given.put(shard, token);
                        return;
                    }
                    FencingToken before = hosted.put(shard, token);
                    if (before != null) {
                        // it had another home meanwhile
                        lane.dropShard(shard, before, world.now());
                    }
                    lane.hostShard(shard, token, world.now());
                    lane.showHomes(List.of(new ShardHome(shard, token, token, id, 1)), world.now());
                }));
    }

    /** Whether the process believes that it is the home of the shard. */
    boolean hosts(int shard) {
        return hosted.containsKey(shard);
    }

    /** A planned move begins; answered with {@link #shardStopped} or {@link #handoffAborted}. */
    void handOff(int shard, FencingToken version) {
        after(
                0,
                () -> turn(() -> {
                    FencingToken token = hosted.get(shard);
                    if (token != null) {
                        lane.beginHandoff(
                                new BeginHandoff(shard, version, token, id, 1, Set.of(id), false), true, world.now());
                    }
                }));
    }

    /** The lease is over, and everything here ends; another one begins when it has. */
    void loseLease() {
        after(
                0,
                () -> turn(() -> {
                    lease = lease.lapsed();
                    isLapsing = true;
                    hosted.clear();
                    given.clear();
                    lane.stopAll(StopReason.LEASE_LOST, world.now());
                }));
    }

    @Override
    public void allStopped() {
        isLapsing = false;
        lease = lease.extended(FOREVER, world.now());
        world.turn(id, "has another lease", lease.stay());
        given.forEach(this::host);
        given.clear();
    }

    /**
     * At once where an entity of this process sends, as its code does.
     *
     * @param leaves runs when it is sent
     */
    void send(int shard, String entity, Tally.Command command, String commandId, PendingAsk ask, Runnable leaves) {
        LaneTask sending = (to, now) -> {
            leaves.run();
            to.send(
                    shard,
                    entity,
                    command.manner() == Tally.Manner.ERASE ? EraseEntity.REQUEST : command,
                    ask,
                    commandId.isEmpty()
                            ? ItemHeaders.NONE
                            : new ItemHeaders(Map.of(), ItemHeaders.NO_DEADLINE, commandId),
                    now);
        };
        if (isWorking) {
            execute(sending);
        } else {
            after(0, () -> execute(sending));
        }
    }

    @Override
    public Function<String, EntityCell> cells(EntityOwner owner, int shard, FencingToken token) {
        EntityPlace<Tally.Command> place = new EntityPlace<>(host, this, owner, shard, token);
        return entity -> new LiveEntity<>(place, entity).cell();
    }

    @Override
    public void shardStopped(int shard, FencingToken token, boolean states) {
        hosted.remove(shard, token);
        world.turn(id, "has stopped", shard + " " + token);
        world.after(1, () -> world.moved(shard, token));
    }

    @Override
    public void handoffAborted(int shard, FencingToken version, HoldUp cause) {
        world.turn(id, "keeps", shard);
        FencingToken token = hosted.get(shard);
        if (token != null) {
            after(
                    0,
                    () -> turn(() -> lane.showHomes(
                            List.of(new ShardHome(shard, world.nextToken(), token, id, 1)), world.now())));
        }
    }

    /** The store has said that another home has the shard. */
    @Override
    public void shardDropped(int shard, FencingToken token) {
        hosted.remove(shard, token);
        world.turn(id, "drops", shard + " " + token);
    }

    @Override
    public long now() {
        return world.now();
    }

    @Override
    public Lease lease() {
        return lease;
    }

    /** Of shards that are at home elsewhere nothing is known here: what is sent to them waits until its deadline. */
    @Override
    public void homesWanted(List<Integer> shards) {
        after(
                HOMES,
                () -> turn(() -> {
                    for (int shard : shards) {
                        FencingToken token = hosted.get(shard);
                        if (token != null) {
                            lane.showHomes(List.of(new ShardHome(shard, world.nextToken(), token, id, 1)), world.now());
                        }
                    }
                }));
    }

    @Override
    public void lapseSeen(long stay) {}

    @Override
    public void writeQueueFull(int shard, boolean full) {}

    @Override
    public void deadLetter(Envelope envelope, Failure reason) {}

    @Override
    public void fault(Throwable fault) {
        Violation.report(fault);
    }

    @Override
    public void count(FailureCode kind) {}

    @Override
    public void afterwards(Runnable task) {
        after(0, task);
    }

    @Override
    public @Nullable LaneLatency latency() {
        return null;
    }

    @Override
    public int micros() {
        return 1;
    }

    @Override
    public long microsSince(int reading) {
        return 0;
    }

    @Override
    public Context context() {
        return surroundings.context();
    }

    @Override
    public boolean isLane() {
        return isWorking;
    }

    @Override
    public long wallMillis() {
        return StoredWorld.EPOCH + world.now();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends LanePart> T part(Object key, Supplier<T> make) {
        return (T) parts.computeIfAbsent(key, absent -> make.get());
    }

    @Override
    public long stay() {
        return lane.stay();
    }

    @Override
    public EntityDefinition<Tally.Command> definition() {
        return definition;
    }

    @Override
    public TypedPayloads payloads() {
        return payloads;
    }

    @Override
    public int maxPayloadBytes() {
        return Integer.MAX_VALUE;
    }

    @Override
    public GuardedMetrics metrics() {
        return metrics;
    }

    @Override
    public EntityCounters counters() {
        return new Counts();
    }

    @Override
    public ElapsedClock clock() {
        return clock;
    }

    @Override
    public @Nullable MessageTracing tracing() {
        return null;
    }

    @Override
    public boolean hasLease(long stay) {
        return lease.isHeld(stay, world.now());
    }

    @Override
    public int numberOfShards() {
        return world.shards();
    }

    @Override
    public String addressing() {
        return "simulated";
    }

    @Override
    public EntityRef<Tally.Command> entityRef(String entityId) {
        throw new UnsupportedOperationException("no entity of the simulation sends");
    }

    @Override
    public EntityRef<Tally.Command> entityRef(String entityId, int fromShard, BooleanSupplier lives) {
        return entityRef(entityId);
    }

    /** What no run may count. */
    private final class Counts implements EntityCounters {
        @Override
        public void treated(RestartPolicy.Action action) {}

        @Override
        public void handlerFailed() {}

        @Override
        public void storeFailed(String type, String reason) {}

        @Override
        public void storeRegressed() {
            world.broken(Kind.HISTORY, "the store has lost nothing, and " + id + " says that it has");
        }

        @Override
        public void storeUnreachable(Object of, String reason) {
            world.note(id, "gives up", reason);
        }

        @Override
        public void storeReached(Object of) {}

        @Override
        public void stoppedByForce(String type, String entityId, int shard, StopReason reason, long millis) {
            world.note(id, "forces", entityId);
        }
    }

    @Override
    public void begin(PeerLane to, FrameHead head) {
        throw new IllegalStateException("nothing is sent to " + to);
    }

    @Override
    public @Nullable Failure append(FrameItem item) {
        throw new IllegalStateException("no frame was begun");
    }

    @Override
    public boolean isFull() {
        return false;
    }

    @Override
    public Object send() {
        throw new IllegalStateException("no frame was begun");
    }

    @Override
    public void repeat(PeerLane to, Object sent) {
        throw new IllegalStateException("no frame was sent");
    }

    @Override
    public String toString() {
        return id.value();
    }
}
