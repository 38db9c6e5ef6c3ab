package io.shardbus.simulation;

import io.shardbus.FailureCode;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.TermId;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.region.Region;
import io.shardbus.core.region.RegionCommand;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node's region: its control, and the way from there to the lanes and back. */
final class Hosting implements RegionCommand.Visitor {
    private final SimNode node;
    private final Simulation world;
    private final Region region;
    private final OutsideLeases leases;
    private final int[] stopped;
    private int stops;
    /** Of the last registration. */
    private long attempt;

    Hosting(SimNode node) {
        this.node = node;
        this.world = node.world;
        SimulationOptions options = world.options();
        RegionProfile.Memory memory = new RegionProfile.Memory(options.remembering, "one");
        RegionProfile.Safety safety = new RegionProfile.Safety("", options.lease);
        RegionProfile profile = new RegionProfile(
                false, options.shards, "1", "1", options.lanes, options.minimumMembers, safety, memory);
        this.region = new Region(profile, node.times, options.retryInterval, 1);
        this.stopped = new int[options.lanes];
        this.leases = new OutsideLeases(node, this::leaseChanged);
        if (options.leased) {
            region.requireLeases();
        }
    }

    Region region() {
        return region;
    }

    private void run(List<RegionCommand> commands) {
        commands.forEach(command -> command.accept(this));
    }

    void tick() {
        run(region.tick(node.clock()));
    }

    void termSeen(TermId term) {
        run(region.termSeen(term, node.clock()));
    }

    void received(TermId term, ToRegion message) {
        List<RegionCommand> commands = region.received(term, message, node.clock());
        world.rules().obeys(node, term, message, attempt, commands);
        run(commands);
    }

    void leave() {
        run(region.leaveRequested(node.clock()));
    }

    void stopNow() {
        run(region.stopRequested(node.clock()));
    }

    void homesWanted(List<Integer> shards) {
        run(region.homesWanted(shards, node.clock()));
    }

    void shardStopped(int shard, io.shardbus.FencingToken token, boolean states) {
        leases.release(shard);
        run(region.shardStopped(shard, token, states, node.clock()));
    }

    void statesFetched(int shard, io.shardbus.FencingToken token) {
        run(region.statesFetched(shard, token, node.clock()));
    }

    void handoffAborted(int shard, io.shardbus.FencingToken version) {
        run(region.handoffAborted(shard, version, node.clock()));
    }

    /** Without permission nothing runs, and what waits or comes is refused. */
    void permit(@Nullable String stopped) {
        if (stopped != null) {
            run(region.suspended(stopped, node.clock()));
        }
        Failure refusal = stopped == null ? null : Failure.of(FailureCode.NOT_IN_MAJORITY, stopped);
        node.lanes.forEach(lane -> lane.order(() -> lane.lane().refuse(refusal, node.clock())));
    }

    void lapseSeen() {
        run(region.lapseSeen(node.clock()));
    }

    /** A lane has carried out as many stops; the region hears of it when the last lane has carried out the last one. */
    void laneStopped(int lane, int count) {
        stopped[lane] = count;
        if (Arrays.stream(stopped).allMatch(done -> done == stops)) {
            run(region.allStopped(node.clock()));
        }
    }

    @Override
    public void send(RegionCommand.Send command) {
        if (command.message() instanceof ToCoordinator.Register register) {
            attempt = register.attempt();
        }
        node.toCoordinator(region.term(), command.message());
    }

    @Override
    public void hostShard(RegionCommand.HostShard command) {
        world.rules().hosts(node, command.shard(), command.token());
        world.check(leases.mayHost(command.shard()), "shard " + command.shard() + " starts without a lease on " + node);
        LaneLoop lane = node.laneOf(command.shard());
        lane.order(() -> lane.lane().hostShard(command.shard(), command.token(), node.clock()));
    }

    @Override
    public void fetchStates(RegionCommand.FetchStates command) {
        LaneLoop lane = node.laneOf(command.shard());
        lane.order(() -> lane.lane().hosted().fetchStates(command.token(), command.former()));
    }

    @Override
    public void dropShard(RegionCommand.DropShard command) {
        LaneLoop lane = node.laneOf(command.shard());
        lane.order(() -> lane.lane().dropShard(command.shard(), command.token(), node.clock()));
    }

    @Override
    public void stopShard(RegionCommand.StopShard command) {
        LaneLoop lane = node.laneOf(command.shard());
        lane.order(() -> lane.lane().hosted().stop(command.shard(), command.token()));
    }

    @Override
    public void wantLease(RegionCommand.WantLease command) {
        leases.want(command.shard(), command.wanted());
    }

    void leaseChanged(int shard, boolean held) {
        run(region.leaseChanged(shard, held, node.clock()));
    }

    void shardEnded(int shard) {
        leases.release(shard);
    }

    @Override
    public void showHomes(RegionCommand.ShowHomes command) {
        for (LaneLoop lane : node.lanes) {
            lane.order(() -> lane.showHomes(command.homes()));
        }
    }

    @Override
    public void beginHandoff(RegionCommand.ForwardHandoff command) {
        LaneLoop lane = node.laneOf(command.message().shard());
        lane.order(() -> lane.lane().beginHandoff(command.message(), node.clock()));
    }

    @Override
    public void abortHandoff(RegionCommand.AbortHandoff command) {
        LaneLoop lane = node.laneOf(command.shard());
        lane.order(() -> lane.lane().abortHandoff(command.shard(), command.version(), node.clock()));
    }

    @Override
    public void cancelHandoffs(RegionCommand.CancelHandoffs command) {
        node.lanes.forEach(lane -> lane.order(() -> lane.lane().cancelHandoffs(node.clock())));
    }

    @Override
    public void extendLease(RegionCommand.ExtendLease command) {
        node.lanes.forEach(lane -> lane.order(() -> lane.extendLease(command.until())));
    }

    @Override
    public void stopAll(RegionCommand.StopAll command) {
        stops++;
        node.lanes.forEach(lane -> lane.order(() -> lane.stopAll(command.reason())));
    }

    @Override
    public void statusChanged(RegionCommand.StatusChanged command) {
        world.timeline().add(node, "status", command.status() + ": " + command.reason());
    }
}
