package io.shardbus.runtime.region;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.region.Region;
import io.shardbus.core.region.RegionCommand;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.SharedStore;
import io.shardbus.model.StopReason;
import io.shardbus.model.TermId;
import io.shardbus.runtime.entity.EntityHost;
import io.shardbus.runtime.entity.LaneTask;
import io.shardbus.runtime.entity.UserCode;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A region on this node: its control machine on the node's control context, and its lanes. All methods on that context
 * but where said.
 */
public final class RegionControl<M> {
    private static final Logger LOG = LoggerFactory.getLogger(RegionControl.class);

    private final RegionHandle<M> handle;
    private final RegionWiring wiring;
    private final Region region;
    private final RegionCounters counters;
    private final Runner runner = new Runner();
    private volatile Promise<Void> registered = Promise.promise();
    private final Promise<Void> ended = Promise.promise();
    private final EntityHost<M> host;
    private final ShardLeaseRunner leases;
    private final List<LaneVerticle<M>> verticles = new ArrayList<>();
    private final List<String> deployments = Collections.synchronizedList(new ArrayList<>());
    private volatile List<LaneQueue> lanes = List.of();
    private int stops;
    private final int[] stopsDone;
    /** Since when homes are asked for, by shard; on the control context. */
    private final Map<Integer, Long> homesAsked = new HashMap<>();

    private boolean ending;

    public RegionControl(RegionHandle<M> handle, RegionWiring wiring, long firstAttempt) {
        this.handle = handle;
        this.wiring = wiring;
        this.counters = handle.counters();
        RegionSettings settings = handle.settings();
        long retry = settings.times().retry();
        this.region = new Region(settings.profile(), wiring.times(), retry, firstAttempt);
        this.leases = new ShardLeaseRunner(
                name(),
                wiring.leases(),
                wiring.control(),
                (shard, held) -> run(region.leaseChanged(shard, held, now())),
                counters::shardLeaseFailed);
        if (leases.isRequired()) {
            region.requireLeases();
        }
        this.host = new EntityHost<>(
                handle,
                wiring.vertx(),
                settings.self(),
                settings.options().node().isLogEntityIds());
        LaneVerticle.LaneWiring lane = new LaneVerticle.LaneWiring(
                counters,
                new FromLanes(),
                wiring.transport(),
                wiring.knows(),
                wiring.clock(),
                RememberedRegion.of(handle, wiring, counters));
        this.stopsDone = new int[settings.lanes()];
        for (int i = 0; i < settings.lanes(); i++) {
            verticles.add(new LaneVerticle<>(i, handle, host, lane));
        }
    }

    public RegionHandle<M> handle() {
        return handle;
    }

    public RegionStatus status() {
        return region.status();
    }

    /** Completes at the first registration, or fails when the cluster refuses the region. */
    public Future<Void> registered() {
        return registered.future();
    }

    /** Completes when the region has left, or nothing runs any more of one that was refused. */
    public Future<Void> ended() {
        return ended.future();
    }

    /** Deploys the lanes; ends when each of them has been deployed or has failed, and can be taken down. */
    public Future<Void> deploy() {
        List<Future<?>> deployed = new ArrayList<>();
        for (LaneVerticle<M> verticle : verticles) {
            deployed.add(wiring.vertx()
                    .deployVerticle((Deployable) verticle, new DeploymentOptions())
                    .onSuccess(deployments::add));
        }
        return Future.join(deployed).map(all -> {
            lanes = verticles.stream().map(LaneVerticle::queue).toList();
            handle.open(lanes.toArray(LaneQueue[]::new));
            return null;
        });
    }

    /** Takes the lanes down again. */
    public Future<Void> undeploy() {
        List<Future<Void>> undeployed =
                List.copyOf(deployments).stream().map(wiring.vertx()::undeploy).toList();
        return Future.join(undeployed).<Void>mapEmpty().onComplete(done -> handle.close());
    }

    public void termSeen(TermId term) {
        boolean isNew = term.isHigherThan(region.term());
        run(region.termSeen(term, now()));
        if (isNew && !handle.isProxy()) {
            handle.definition().sharedStore().ifPresent(this::askStore);
        }
    }

    /** A region that waits for a reign may have asked its store for the highest term long ago. */
    private void askStore(Supplier<Future<SharedStore>> store) {
        Context control = wiring.control().get();
        UserCode.call(store)
                .onSuccess(read -> control.runOnContext(now -> run(region.storeRead(read, now()))))
                .onFailure(failure -> LOG.debug("type={}: the store did not say its highest term", name(), failure));
    }

    public void received(TermId term, ToRegion message) {
        run(region.received(term, message, now()));
    }

    public void tick() {
        run(region.tick(now()));
        showStanding();
    }

    private void showStanding() {
        handle.readiness().registered(region.status() == RegionStatus.REGISTERED && region.hasLease(now()));
        handle.leaseRemains(region.leaseRemains(now()));
    }

    /** Sets the store of the entities, before the region is added; null where it does not say. */
    public void storedIn(@Nullable SharedStore store) {
        region.storedIn(store);
    }

    /**
     * A proxy becomes a host of this definition, equal to its own; completes when it is registered as one.
     *
     * @param store where the entities are stored; null where it does not say
     */
    public Future<Void> host(EntityDefinition<M> definition, @Nullable SharedStore store) {
        registered = Promise.promise();
        host.use(definition);
        handle.host(definition);
        run(region.hostingRequested(handle.settings().hostingProfile().storedIn(store), now()));
        return registered.future();
    }

    /** Hands off all shards and ends; a region that loses its lease meanwhile has no shard left to hand off. */
    public void leave() {
        handle.readiness().leaving();
        run(region.leaveRequested(now()));
    }

    public void stopNow() {
        handle.readiness().leaving();
        run(region.stopRequested(now()));
    }

    public void nodeGone(NodeId node) {
        verticles.stream().limit(lanes.size()).forEach(lane -> lane.nodeGone(node));
    }

    /** The node is a member, perhaps once more: a merge brings back the same life of a node that was thought lost. */
    public void nodeBack(NodeId node) {
        onLanes((lane, now) -> lane.nodeBack(node, now));
    }

    /**
     * Whether this side of the cluster may act. One that has stopped ends its entities and refuses what waits and what
     * comes; afterwards messages wait for homes again, and the region registers with the coordinator.
     *
     * @param stopped why the region must not act; null if it may
     */
    public void permit(@Nullable String stopped) {
        if (stopped != null) {
            run(region.suspended(stopped, now()));
        }
        Failure refusal = stopped == null ? null : Failure.of(FailureCode.NOT_IN_MAJORITY, stopped);
        onLanes((lane, now) -> lane.refuse(refusal, now));
    }

    /** The node does not fit the cluster, for this reason: the region ends. */
    public void refuse(String reason) {
        run(region.refused(reason, now()));
    }

    private long now() {
        return wiring.clock().now();
    }

    private void run(List<RegionCommand> commands) {
        for (RegionCommand command : commands) {
            command.accept(runner);
        }
    }

    private void onLanes(LaneTask task) {
        lanes.forEach(lane -> lane.execute(task));
    }

    private void onLane(int shard, LaneTask task) {
        if (!lanes.isEmpty()) {
            lanes.get(shard % lanes.size()).execute(task);
        }
    }

    private String name() {
        return handle.type().name();
    }

    private final class Runner implements RegionCommand.Visitor {
        @Override
        public void send(RegionCommand.Send command) {
            wiring.toCoordinator().accept(command.message());
        }

        @Override
        public void hostShard(RegionCommand.HostShard command) {
            onLane(command.shard(), (lane, now) -> lane.hostShard(command.shard(), command.token(), now));
        }

        @Override
        public void fetchStates(RegionCommand.FetchStates command) {
            onLane(command.shard(), (lane, now) -> lane.hosted().fetchStates(command.token(), command.former()));
        }

        @Override
        public void dropShard(RegionCommand.DropShard command) {
            LOG.info("type={} shard={}: stopping, it is assigned to another node", name(), command.shard());
            onLane(command.shard(), (lane, now) -> lane.dropShard(command.shard(), command.token(), now));
        }

        @Override
        public void stopShard(RegionCommand.StopShard command) {
            int shard = command.shard();
            String why = leases.loss(shard);
            onLane(shard, (lane, now) -> {
                int entities = lane.hosted().stop(shard, command.token());
                LOG.error(
                        "type={} shard={}: the external lease is lost, {}: {}",
                        name(),
                        shard,
                        entities == 1 ? "1 entity stops" : entities + " entities stop",
                        why);
            });
        }

        @Override
        public void wantLease(RegionCommand.WantLease command) {
            if (command.wanted()) {
                leases.want(command.shard());
            } else {
                leases.cancel(command.shard());
            }
        }

        @Override
        public void showHomes(RegionCommand.ShowHomes command) {
            command.homes().forEach(home -> named(home.shard()));
            command.homes().stream()
                    .filter(home -> home.shard() >= 0 && home.shard() < handle.numberOfShards())
                    .collect(Collectors.groupingBy(home -> home.shard() % verticles.size()))
                    .forEach((number, homes) -> onLane(number, (lane, now) -> lane.showHomes(homes, now)));
        }

        @Override
        public void beginHandoff(RegionCommand.ForwardHandoff command) {
            int shard = command.message().shard();
            if (shard >= 0 && shard < handle.numberOfShards()) {
                onLane(shard, (lane, now) -> lane.beginHandoff(command.message(), command.mayStay(), now));
            }
        }

        @Override
        public void abortHandoff(RegionCommand.AbortHandoff command) {
            onLane(command.shard(), (lane, now) -> lane.abortHandoff(command.shard(), command.version(), now));
        }

        @Override
        public void cancelHandoffs(RegionCommand.CancelHandoffs command) {
            onLanes((lane, now) -> lane.cancelHandoffs(now));
        }

        @Override
        public void extendLease(RegionCommand.ExtendLease command) {
            handle.extendLease(command.until());
            wiring.granted().accept(command.until());
        }

        @Override
        public void stopAll(RegionCommand.StopAll command) {
            stops++;
            if (command.reason() == StopReason.LEASE_LOST) {
                handle.leaseLapsed();
            }
            ending |= command.reason() == StopReason.SHUTDOWN;
            if (lanes.isEmpty()) {
                wiring.control().get().runOnContext(ignored -> nothingRuns());
            } else {
                verticles.forEach(lane -> lane.stopAll(command.reason()));
            }
        }

        @Override
        public void statusChanged(RegionCommand.StatusChanged command) {
            if (command.status() == RegionStatus.LAPSED || command.status() == RegionStatus.REFUSED) {
                LOG.warn("type={}: region {}: {}", name(), command.status(), command.reason());
            } else {
                LOG.debug("type={}: region {}: {}", name(), command.status(), command.reason());
            }
            showStanding();
            switch (command.status()) {
                case REGISTERED -> registered.tryComplete();
                case REFUSED -> {
                    ShardingException refusal = new ShardingException(
                            FailureCode.INCOMPATIBLE, "entity type '" + name() + "': " + command.reason());
                    registered.tryFail(refusal);
                    handle.readiness().ended(refusal);
                    onLanes((lane, now) -> lane.refuse(Failure.of(refusal.code(), "" + refusal.getMessage()), now));
                }
                case LEFT -> ended.tryComplete();
                case LAPSED -> lapsed();
                default -> {}
            }
        }
    }

    /** All entities have ended. A region that ends releases its external leases first: a later region may want them. */
    private void nothingRuns() {
        Future<Void> ready = ending ? leases.close() : Future.succeededFuture();
        ready.onComplete(done -> {
            counters.tellLossesAtEnd(handle.type().name());
            run(region.allStopped(counters.statesLost(), now()));
            if (region.status() == RegionStatus.REFUSED) {
                ended.tryComplete();
            }
        });
    }

    private void named(int shard) {
        Long asked = homesAsked.remove(shard);
        if (asked != null) {
            counters.homeNamed(now() - asked);
        }
    }

    private void lapsed() {
        homesAsked.clear();
        counters.leaseLost();
    }

    /** Takes the reports of the lanes on their threads, and handles them on the control context in their order. */
    private final class FromLanes implements LaneVerticle.Control {
        @Override
        public void homesWanted(List<Integer> shards) {
            counters.homesRequested(shards.size());
            submit(() -> {
                shards.forEach(shard -> homesAsked.putIfAbsent(shard, now()));
                run(region.homesWanted(shards, now()));
            });
        }

        @Override
        public void shardStopped(int shard, FencingToken token, boolean states) {
            // the next home needs the lease
            submit(() -> leases.ended(shard).onComplete(back -> run(region.shardStopped(shard, token, states, now()))));
        }

        @Override
        public void statesFetched(int shard, FencingToken token) {
            submit(() -> run(region.statesFetched(shard, token, now())));
        }

        @Override
        public void shardDropped(int shard, FencingToken token) {
            submit(() -> leases.ended(shard).onComplete(back -> run(region.codeEnded(shard, token, now()))));
        }

        @Override
        public void handoffAborted(int shard, FencingToken version, HoldUp cause) {
            submit(() -> run(region.handoffAborted(shard, version, cause, now())));
        }

        @Override
        public void lapseSeen(long stay) {
            submit(() -> run(region.lapseSeen(stay, now())));
        }

        @Override
        public void allStopped(int lane, int done) {
            submit(() -> {
                stopsDone[lane] = done;
                if (Arrays.stream(stopsDone).allMatch(count -> count == stops)) {
                    nothingRuns();
                }
            });
        }

        private void submit(Runnable task) {
            wiring.control().get().runOnContext(ignored -> task.run());
        }
    }
}
