package io.shardbus.runtime.region;

import io.shardbus.EntityDefinition;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.core.routing.Lane;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.entity.EntityHost;
import io.shardbus.store.InMemoryRememberedEntities;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A region of one lane without a cluster, for the test kit. Lane, mailbox, cell and codec are those of production; what
 * a coordinator would say to the region is said here: a shard is at home when a message wants it, and a handoff leads
 * back under a greater token. Its lease lasts until {@link #loseLease}.
 */
public final class SoloRegion<M> {
    private static final NodeId SELF = new NodeId("test");
    private static final long FOREVER = Long.MAX_VALUE / 2;

    private final Vertx vertx;
    private final RegionHandle<M> handle;
    private final LaneVerticle<M> lane;
    private final AtomicLong tokens;

    private final Map<Integer, ShardHome> homes = new HashMap<>();
    private @Nullable Promise<Void> moved;
    private @Nullable Promise<Void> stopped;
    private boolean closing;

    /**
     * @param entities what the entities see as their Vertx: its timers may be the test's
     * @param tokens the last fencing token that was given: regions that follow one another share it
     */
    public SoloRegion(
            EntityDefinition<M> definition,
            ShardingOptions options,
            Vertx vertx,
            Vertx entities,
            ElapsedClock clock,
            AtomicLong tokens) {
        this.vertx = vertx;
        this.tokens = tokens;
        RegionSettings settings = RegionSettings.of(definition, new ShardingOptions(options).setLanes(1), SELF, false);
        RegionHandle.Actions actions = new RegionHandle.Actions(this::close, this::state, () -> true, () -> true);
        this.handle = new RegionHandle<>(definition, settings, PayloadCodecs.of(definition), clock, actions, null);
        BusTransport transport = BusTransport.within(vertx, "testkit.", clock::now);
        var store = new InMemoryRememberedEntities();
        RegionWiring wiring = new RegionWiring(
                vertx,
                vertx::getOrCreateContext,
                clock,
                transport,
                new LeaseTimes(options.getLeaseDurationMs(), 1, false),
                message -> {},
                SELF::equals,
                until -> {},
                null,
                () -> Future.succeededFuture(store));
        EntityHost<M> host = new EntityHost<>(handle, entities, SELF);
        this.lane = new LaneVerticle<>(
                0,
                handle,
                host,
                new LaneVerticle.LaneWiring(
                        handle.counters(),
                        new Coordination(),
                        transport,
                        SELF::equals,
                        clock,
                        RememberedRegion.of(handle, wiring, handle.counters())));
    }

    private Future<TypeState.Region> state() {
        return Future.failedFuture(
                new UnsupportedOperationException("a region of the test kit has no place in a cluster"));
    }

    /** Opens the lane. */
    public Future<Void> open() {
        return vertx.deployVerticle((Deployable) lane).map(id -> {
            handle.extendLease(FOREVER);
            handle.open(new LaneQueue[] {lane.queue()});
            handle.readiness().registered(true);
            return null;
        });
    }

    public RegionHandle<M> handle() {
        return handle;
    }

    /** Calls this on the lane's event loop after what waits there. */
    public void afterwards(Runnable task) {
        lane.queue().afterwards(task);
    }

    /** Time passed; on the lane's event loop. */
    public void tick() {
        lane.queue().burst(Lane::tick);
    }

    /** Whether the lane has nothing to do before something comes from outside; on the lane's event loop. */
    public boolean isAtRest() {
        return lane.queue().isAtRest();
    }

    /** The place of an entity, if it has one; on the lane's event loop. */
    public Optional<EntityCell> cell(String entityId) {
        AtomicReference<@Nullable EntityCell> found = new AtomicReference<>();
        int shard = handle.shard(entityId);
        lane.queue().burst((on, now) -> on.hosted().cell(shard, entityId).ifPresent(found::set));
        return Optional.ofNullable(found.get());
    }

    /** Passivates the entity. */
    public void putAway(String entityId) {
        int shard = handle.shard(entityId);
        lane.queue().execute((on, now) -> on.hosted().cell(shard, entityId).ifPresent(EntityCell::putAway));
    }

    /**
     * Lets the entity's shard leave and come home again; completes when it is here, whether it moved or had to stay. A
     * shard that is not here only comes.
     */
    public Future<Void> move(String entityId) {
        int shard = handle.shard(entityId);
        Promise<Void> done = Promise.promise();
        control(now -> {
            ShardHome home = homes.get(shard);
            if (home == null) {
                host(shard);
                done.complete();
                return;
            }
            moved = done;
            var handoff = new BeginHandoff(shard, nextToken(), home.token(), SELF, 1, Set.of(SELF), false);
            lane.queue().execute((on, moment) -> on.beginHandoff(handoff, true, moment));
        });
        return done.future();
    }

    /** Brings the entity's shard home if it is not: entities that are remembered start. */
    public void bringHome(String entityId) {
        control(now -> {
            if (!homes.containsKey(handle.shard(entityId))) {
                host(handle.shard(entityId));
            }
        });
    }

    /** Ends the lease, and with it all entities; completes when their shards are here again, under a new lease. */
    public Future<Void> loseLease() {
        Promise<Void> done = Promise.promise();
        control(now -> {
            stopped = done;
            handle.leaseLapsed();
            lane.stopAll(StopReason.LEASE_LOST);
        });
        return done.future();
    }

    /** Ends all entities, and the region when those asks have ended that wait. */
    public Future<Void> close() {
        Promise<Void> done = Promise.promise();
        control(now -> {
            closing = true;
            stopped = done;
            lane.stopAll(StopReason.SHUTDOWN);
        });
        return done.future().onSuccess(ended -> handle.close());
    }

    private interface ControlTask {
        void run(long now);
    }

    /** In the order of these calls, and never within what the lane does now. */
    private void control(ControlTask task) {
        lane.queue().afterwards(() -> task.run(lane.now()));
    }

    private FencingToken nextToken() {
        return new FencingToken(1, 1, tokens.incrementAndGet());
    }

    private void host(int shard) {
        FencingToken token = nextToken();
        settle(new ShardHome(shard, token, token, SELF, 1));
    }

    private void settle(ShardHome home) {
        homes.put(home.shard(), home);
        lane.queue().execute((on, now) -> {
            on.hostShard(home.shard(), home.token(), now);
            on.showHomes(List.of(home), now);
        });
    }

    private void arrived() {
        Promise<Void> waiting = moved;
        moved = null;
        if (waiting != null) {
            waiting.complete();
        }
    }

    /** The lane's words, as a coordinator answers them. */
    private final class Coordination implements LaneVerticle.Control {
        @Override
        public void homesWanted(List<Integer> shards) {
            control(now -> shards.stream()
                    .filter(shard -> !closing && moved == null && stopped == null)
                    .forEach(shard -> {
                        ShardHome home = homes.get(shard);
                        if (home == null) {
                            host(shard);
                        } else {
                            settle(home);
                        }
                    }));
        }

        @Override
        public void shardStopped(int shard, FencingToken token, boolean states) {
            control(now -> {
                ShardHome former = homes.remove(shard);
                if (states && former != null) {
                    FencingToken next = nextToken();
                    lane.queue().execute((on, moment) -> on.hosted().fetchStates(next, former));
                } else {
                    host(shard);
                    arrived();
                }
            });
        }

        @Override
        public void statesFetched(int shard, FencingToken token) {
            control(now -> {
                settle(new ShardHome(shard, token, token, SELF, 1));
                arrived();
            });
        }

        @Override
        public void shardDropped(int shard, FencingToken token) {}

        /** The shard stays: its messages go on. */
        @Override
        public void handoffAborted(int shard, FencingToken version, HoldUp cause) {
            control(now -> {
                ShardHome home = homes.get(shard);
                if (home != null) {
                    settle(new ShardHome(shard, nextToken(), home.token(), SELF, 1));
                }
                arrived();
            });
        }

        @Override
        public void lapseSeen(long stay) {}

        @Override
        public void allStopped(int number, int stops) {
            control(now -> {
                Promise<Void> waiting = stopped;
                stopped = null;
                List<Integer> shards = List.copyOf(homes.keySet());
                homes.clear();
                if (!closing) {
                    handle.extendLease(FOREVER);
                    shards.forEach(SoloRegion.this::host);
                }
                if (waiting != null) {
                    waiting.complete();
                }
            });
        }
    }
}
