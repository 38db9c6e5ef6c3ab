package io.shardbus.simulation;

import io.shardbus.core.hosting.Lease;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.region.Region;
import io.shardbus.core.region.RegionCommand;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.FailureCode;
import io.shardbus.model.HoldUp;
import io.shardbus.model.SharedStore;
import io.shardbus.model.StopReason;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node's region: its control, and the way from there to the lanes and back. */
final class Hosting implements RegionCommand.Visitor {
    final SimNode node;
    final SimType type;
    final List<LaneLoop> lanes = new ArrayList<>();
    final SharedPassivation passivation;
    private final Simulation world;
    private final Region region;
    private final OutsideLeases leases;
    private final int[] stopped;
    private int stops;
    /** Of the last registration. */
    private long attempt;
    /** Whether the node's control knows of it. */
    private boolean added;

    /** What its lanes see of its lease. */
    private Lease lease = Lease.NONE;
    /** What it was really granted, on this node's clock. */
    private long grantedUntil = Long.MIN_VALUE;
    /** How often it lost its lease. */
    private int lapses;

    private boolean proxy;
    private boolean shutDown;
    private boolean ending;
    private boolean mute;

    /** @param start how many regions the node has had before, and one */
    Hosting(SimNode node, SimType type, boolean proxy, long start) {
        this.node = node;
        this.type = type;
        this.proxy = proxy;
        this.world = node.world;
        this.passivation = new SharedPassivation(node);
        SimulationOptions options = world.options();
        this.region = new Region(profile(proxy), node.times, options.retryInterval, ToCoordinator.firstAttempt(start));
        this.stopped = new int[options.lanes];
        this.leases = new OutsideLeases(node, type, this::leaseChanged);
        if (options.leased) {
            region.requireLeases();
        }
        for (int lane = 0; lane < options.lanes; lane++) {
            lanes.add(new LaneLoop(this, lane));
        }
    }

    private RegionProfile profile(boolean sendsOnly) {
        SimulationOptions options = world.options();
        RegionProfile.Memory memory = new RegionProfile.Memory(remembers(), "one");
        RegionProfile.Safety safety = new RegionProfile.Safety("", options.lease);
        RegionProfile profile = new RegionProfile(
                sendsOnly, type.shards(), "1", "1", options.lanes, type.minimumMembers(), safety, memory);
        return options.storeAhead == 0 || sendsOnly ? profile : profile.storedIn(store());
    }

    /** The region that comes after this one. */
    Hosting next(long start) {
        return new Hosting(node, type, proxy, start);
    }

    /** Whether it has no entities, and only sends. */
    boolean isProxy() {
        return proxy;
    }

    /** The proxy becomes a host. */
    void becomeHost() {
        proxy = false;
        run(region.hostingRequested(profile(false), node.clock()));
    }

    /** Whether the ids of its entities are remembered. */
    boolean remembers() {
        return world.options().remembering && type.isMain();
    }

    /** From now on it hears of terms, messages and views. */
    void add(TermId term, @Nullable String refused) {
        added = true;
        permit(refused);
        if (!term.equals(TermId.NONE)) {
            termSeen(term);
        }
    }

    boolean isAdded() {
        return added;
    }

    /** Whether it was told to leave or to stop. */
    boolean isEnding() {
        return ending;
    }

    /** Of its last registration. */
    long attempt() {
        return attempt;
    }

    Lease lease() {
        return lease;
    }

    /** Whether what its lanes host since so many lapses may run at this moment. */
    boolean holdsLease(int since) {
        return since == lapses && node.clock() < grantedUntil;
    }

    LaneLoop laneOf(int shard) {
        return lanes.get(shard % lanes.size());
    }

    Region region() {
        return region;
    }

    private void run(List<RegionCommand> commands) {
        world.rules().losesLease(this, commands);
        commands.forEach(command -> command.accept(this));
    }

    void tick() {
        if (added) {
            run(region.tick(node.clock()));
        }
    }

    void termSeen(TermId term) {
        if (added) {
            run(region.termSeen(term, node.clock()));
            run(region.storeRead(store(), node.clock()));
        }
    }

    private SharedStore store() {
        return new SharedStore("1", "a store", world.ledger().highestTerm());
    }

    void received(TermId term, ToRegion message) {
        if (!added) {
            return;
        }
        List<RegionCommand> commands = region.received(term, message, node.clock());
        world.rules().obeys(this, term, message, attempt, commands);
        run(commands);
    }

    void leave() {
        ending = true;
        run(region.leaveRequested(node.clock()));
    }

    void stopNow() {
        ending = true;
        run(region.stopRequested(node.clock()));
    }

    /** From now on its goodbye is lost. */
    void mute() {
        mute = true;
    }

    void homesWanted(List<Integer> shards) {
        run(region.homesWanted(shards, node.clock()));
    }

    void shardStopped(int shard, io.shardbus.model.FencingToken token, boolean states) {
        leases.ended(shard, () -> run(region.shardStopped(shard, token, states, node.clock())));
    }

    void statesFetched(int shard, io.shardbus.model.FencingToken token) {
        run(region.statesFetched(shard, token, node.clock()));
    }

    void handoffAborted(int shard, io.shardbus.model.FencingToken version, HoldUp cause) {
        run(region.handoffAborted(shard, version, cause, node.clock()));
    }

    /** Without permission nothing runs, and what waits or comes is refused. */
    void permit(@Nullable String stopped) {
        if (!added) {
            return;
        }
        if (stopped != null) {
            run(region.suspended(stopped, node.clock()));
        }
        Failure refusal = stopped == null ? null : Failure.of(FailureCode.NOT_IN_MAJORITY, stopped);
        lanes.forEach(lane -> lane.order(() -> lane.refuse(refusal)));
    }

    void lapseSeen(long stay) {
        run(region.lapseSeen(stay, node.clock()));
    }

    /** A lane has carried out as many stops; the region hears of it when the last lane has carried out the last one. */
    void laneStopped(int lane, int count) {
        stopped[lane] = count;
        if (Arrays.stream(stopped).allMatch(done -> done == stops)) {
            nothingRuns();
        }
    }

    /** A region that ends gives its external leases back before. */
    private void nothingRuns() {
        Runnable next = () -> run(region.allStopped(0, node.clock()));
        if (ending) {
            leases.close(next);
        } else {
            next.run();
        }
    }

    @Override
    public void send(RegionCommand.Send command) {
        if (command.message() instanceof ToCoordinator.Register register) {
            attempt = register.attempt();
        }
        if (!mute || !(command.message() instanceof ToCoordinator.Goodbye)) {
            node.toCoordinator(region.term(), type.name(), command.message());
        }
    }

    @Override
    public void hostShard(RegionCommand.HostShard command) {
        world.rules().hosts(this, command.shard(), command.token());
        leases.starts(command.shard());
        LaneLoop lane = laneOf(command.shard());
        lane.order(() -> lane.lane().hostShard(command.shard(), command.token(), node.clock()));
    }

    @Override
    public void fetchStates(RegionCommand.FetchStates command) {
        LaneLoop lane = laneOf(command.shard());
        lane.order(() -> lane.lane().hosted().fetchStates(command.token(), command.former()));
    }

    @Override
    public void dropShard(RegionCommand.DropShard command) {
        LaneLoop lane = laneOf(command.shard());
        lane.order(() -> lane.lane().dropShard(command.shard(), command.token(), node.clock()));
    }

    @Override
    public void stopShard(RegionCommand.StopShard command) {
        LaneLoop lane = laneOf(command.shard());
        lane.order(() -> lane.lane().hosted().stop(command.shard(), command.token()));
    }

    @Override
    public void wantLease(RegionCommand.WantLease command) {
        leases.want(command.shard(), command.wanted());
    }

    void leaseChanged(int shard, boolean held) {
        run(region.leaseChanged(shard, held, node.clock()));
    }

    void shardEnded(int shard, io.shardbus.model.FencingToken token) {
        leases.ended(shard, () -> run(region.codeEnded(shard, token, node.clock())));
    }

    @Override
    public void showHomes(RegionCommand.ShowHomes command) {
        for (LaneLoop lane : lanes) {
            lane.order(() -> lane.showHomes(command.homes()));
        }
    }

    @Override
    public void beginHandoff(RegionCommand.ForwardHandoff command) {
        LaneLoop lane = laneOf(command.message().shard());
        lane.order(() -> lane.lane().beginHandoff(command.message(), command.mayStay(), node.clock()));
    }

    @Override
    public void abortHandoff(RegionCommand.AbortHandoff command) {
        LaneLoop lane = laneOf(command.shard());
        lane.order(() -> lane.lane().abortHandoff(command.shard(), command.version(), node.clock()));
    }

    @Override
    public void cancelHandoffs(RegionCommand.CancelHandoffs command) {
        lanes.forEach(lane -> lane.order(() -> lane.lane().cancelHandoffs(node.clock())));
    }

    @Override
    public void extendLease(RegionCommand.ExtendLease command) {
        lease = lease.extended(command.until(), node.clock());
        node.control.machine().leaseGranted(command.until());
        // a lease that has run out while all ends does not come back for what is still there
        if (!shutDown || node.clock() < grantedUntil) {
            grantedUntil = Math.max(grantedUntil, command.until());
        }
    }

    @Override
    public void stopAll(RegionCommand.StopAll command) {
        stops++;
        if (command.reason() == StopReason.LEASE_LOST) {
            world.check(!world.options().keepsLeases || world.isAtRest(), "a region on " + node + " loses its lease");
            lease = lease.lapsed();
            grantedUntil = Long.MIN_VALUE;
            lapses++;
        } else {
            shutDown = true;
        }
        lanes.forEach(lane -> lane.order(() -> lane.stopAll(command.reason())));
    }

    @Override
    public void statusChanged(RegionCommand.StatusChanged command) {
        world.timeline().add(node, "status", command.status() + ": " + command.reason());
        if (command.status() == RegionStatus.LEFT) {
            world.ledger().regionEnded(this);
            node.regions.ended(this);
        }
    }
}
