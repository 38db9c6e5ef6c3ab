package io.shardbus.simulation.growth;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.core.region.Region;
import io.shardbus.core.region.RegionCommand;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A region whose shards have no entities: they stop as soon as everyone has drained. */
final class SilentRegion implements RegionCommand.Visitor {
    private final NodeId node;
    private final ControlPlane world;
    private final Region region;
    private final BitSet known = new BitSet();
    private final Map<Integer, Drain> drains = new HashMap<>();

    /** Who has drained so far, for a handoff of a shard that is at home here. */
    private record Drain(FencingToken version, FencingToken token, Set<NodeId> missing) {}

    SilentRegion(NodeId node, int shards, LeaseTimes times, ControlPlane world) {
        this.node = node;
        this.world = world;
        this.region = new Region(new RegionProfile(false, shards, "1", "1", 2, 1), times, 2_000, 1);
    }

    void begin() {
        run(region.termSeen(ControlPlane.TERM, world.now()));
    }

    boolean isRegistered() {
        return region.status() == RegionStatus.REGISTERED;
    }

    int knownHomes() {
        return known.cardinality();
    }

    /** Its lanes have messages for these shards. */
    void want(List<Integer> shards) {
        run(region.homesWanted(shards, world.now()));
    }

    void tick() {
        run(region.tick(world.now()));
    }

    void received(ToRegion message) {
        run(region.received(ControlPlane.TERM, message, world.now()));
    }

    private void run(List<RegionCommand> commands) {
        commands.forEach(command -> command.accept(this));
    }

    @Override
    public void send(RegionCommand.Send command) {
        world.toCoordinator(node, command.message());
    }

    @Override
    public void showHomes(RegionCommand.ShowHomes command) {
        for (ShardHome home : command.homes()) {
            known.set(home.shard());
        }
    }

    @Override
    public void beginHandoff(RegionCommand.ForwardHandoff command) {
        BeginHandoff message = command.message();
        if (message.home().equals(node)) {
            drains.put(
                    message.shard(),
                    new Drain(message.version(), message.token(), new HashSet<>(message.participants())));
        }
        SilentRegion home = world.region(message.home());
        // the home hears of the handoff as late as this region does
        world.between(() -> home.drained(message.shard(), node, message.version()));
    }

    private void drained(int shard, NodeId from, FencingToken version) {
        Drain drain = drains.get(shard);
        if (drain == null || !drain.version().equals(version)) {
            return;
        }
        drain.missing().remove(from);
        if (drain.missing().isEmpty()) {
            drains.remove(shard);
            run(region.shardStopped(shard, drain.token(), false, world.now()));
        }
    }

    @Override
    public void hostShard(RegionCommand.HostShard command) {}

    @Override
    public void extendLease(RegionCommand.ExtendLease command) {}

    @Override
    public void statusChanged(RegionCommand.StatusChanged command) {}

    @Override
    public void cancelHandoffs(RegionCommand.CancelHandoffs command) {}

    @Override
    public void abortHandoff(RegionCommand.AbortHandoff command) {
        throw unexpected(command);
    }

    @Override
    public void fetchStates(RegionCommand.FetchStates command) {
        throw unexpected(command);
    }

    @Override
    public void dropShard(RegionCommand.DropShard command) {
        throw unexpected(command);
    }

    @Override
    public void stopShard(RegionCommand.StopShard command) {
        throw unexpected(command);
    }

    @Override
    public void wantLease(RegionCommand.WantLease command) {
        throw unexpected(command);
    }

    @Override
    public void stopAll(RegionCommand.StopAll command) {
        throw unexpected(command);
    }

    private IllegalStateException unexpected(RegionCommand command) {
        return new IllegalStateException(node + ": nothing goes wrong here, but " + command);
    }
}
