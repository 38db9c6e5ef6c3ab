package io.shardbus.transport;

import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.vertx.core.buffer.Buffer;
import java.util.Collection;
import java.util.function.Consumer;

/** Writes control messages: a kind, then the fields in the order of the record. */
final class ControlEncoder implements ToCoordinator.Visitor, ToRegion.Visitor, NodeMessage.Visitor {
    private final WireWriter out;

    ControlEncoder(Buffer buffer) {
        this.out = new WireWriter(buffer);
    }

    void write(ControlMessage message) {
        if (message instanceof ControlMessage.ForCoordinator m) {
            out.byteValue(ControlKind.FOR_COORDINATOR).term(m.term()).string(m.type());
            m.body().accept(this);
        } else if (message instanceof ControlMessage.ForRegion m) {
            out.byteValue(ControlKind.FOR_REGION).term(m.term()).string(m.type());
            m.body().accept(this);
        } else if (message instanceof ControlMessage.ForNode m) {
            out.byteValue(ControlKind.FOR_NODE);
            m.body().accept(this);
        }
    }

    private <T> void list(Collection<T> elements, Consumer<T> writer) {
        out.intValue(elements.size());
        elements.forEach(writer);
    }

    private void report(ShardReport report) {
        out.intValue(report.shard()).token(report.token());
    }

    private void profile(RegionProfile profile) {
        out.bool(profile.proxy())
                .intValue(profile.numberOfShards())
                .string(profile.extractorVersion())
                .string(profile.appVersion())
                .intValue(profile.lanes())
                .intValue(profile.minimumMembers())
                .string(profile.safety().splitBrain())
                .longValue(profile.safety().leaseMillis())
                .bool(profile.memory().remembers())
                .string(profile.memory().store());
    }

    @Override
    public void register(ToCoordinator.Register m) {
        out.byteValue(ControlKind.REGISTER).longValue(m.attempt());
        profile(m.profile());
        list(m.shards(), this::report);
        out.longValue(m.heartbeat());
    }

    @Override
    public void heartbeat(ToCoordinator.Heartbeat m) {
        out.byteValue(ControlKind.HEARTBEAT)
                .longValue(m.attempt())
                .longValue(m.number())
                .longValue(m.echo());
        list(m.shards(), this::report);
    }

    @Override
    public void getShardHomes(ToCoordinator.GetShardHomes m) {
        out.byteValue(ControlKind.GET_SHARD_HOMES).longValue(m.attempt());
        list(m.shards(), out::intValue);
    }

    @Override
    public void shardHosted(ToCoordinator.ShardHosted m) {
        out.byteValue(ControlKind.SHARD_HOSTED)
                .longValue(m.attempt())
                .intValue(m.shard())
                .token(m.token());
        out.longValue(m.heartbeat());
    }

    @Override
    public void shardStopped(ToCoordinator.ShardStopped m) {
        out.byteValue(ControlKind.SHARD_STOPPED)
                .intValue(m.shard())
                .token(m.token())
                .bool(m.states());
    }

    @Override
    public void handoffAborted(ToCoordinator.HandoffAborted m) {
        out.byteValue(ControlKind.HANDOFF_ABORTED).intValue(m.shard()).token(m.version());
    }

    @Override
    public void leave(ToCoordinator.Leave m) {
        out.byteValue(ControlKind.LEAVE).longValue(m.attempt());
    }

    @Override
    public void goodbye(ToCoordinator.Goodbye m) {
        out.byteValue(ControlKind.GOODBYE).longValue(m.attempt());
    }

    @Override
    public void registered(ToRegion.Registered m) {
        out.byteValue(ControlKind.REGISTERED).longValue(m.attempt());
        list(m.keep(), out::intValue);
    }

    @Override
    public void refused(ToRegion.Refused m) {
        out.byteValue(ControlKind.REFUSED).longValue(m.attempt()).string(m.reason());
    }

    @Override
    public void leaseGranted(ToRegion.LeaseGranted m) {
        out.byteValue(ControlKind.LEASE_GRANTED)
                .longValue(m.attempt())
                .longValue(m.heartbeat())
                .longValue(m.millis());
    }

    @Override
    public void registerAgain(ToRegion.RegisterAgain m) {
        out.byteValue(ControlKind.REGISTER_AGAIN).longValue(m.attempt());
    }

    @Override
    public void hostShard(ToRegion.HostShard m) {
        out.byteValue(ControlKind.HOST_SHARD)
                .longValue(m.attempt())
                .intValue(m.shard())
                .token(m.token());
        ShardHome former = m.former();
        out.bool(former != null);
        if (former != null) {
            home(former);
        }
    }

    @Override
    public void shardHomes(ToRegion.ShardHomes m) {
        out.byteValue(ControlKind.SHARD_HOMES);
        list(m.homes(), this::home);
    }

    private void home(ShardHome home) {
        out.intValue(home.shard())
                .token(home.version())
                .token(home.token())
                .node(home.home())
                .intValue(home.lanes());
    }

    @Override
    public void beginHandoff(ToRegion.BeginHandoff m) {
        out.byteValue(ControlKind.BEGIN_HANDOFF)
                .intValue(m.shard())
                .token(m.version())
                .token(m.token())
                .node(m.home())
                .intValue(m.homeLanes());
        list(m.participants(), out::node);
        out.bool(m.force());
    }

    @Override
    public void abortHandoff(ToRegion.AbortHandoff m) {
        out.byteValue(ControlKind.ABORT_HANDOFF).intValue(m.shard()).token(m.version());
    }

    @Override
    public void stopRecorded(ToRegion.StopRecorded m) {
        out.byteValue(ControlKind.STOP_RECORDED).intValue(m.shard()).token(m.token());
    }

    @Override
    public void leaveComplete(ToRegion.LeaveComplete m) {
        out.byteValue(ControlKind.LEAVE_COMPLETE).longValue(m.attempt());
    }

    @Override
    public void termAnnounced(NodeMessage.TermAnnounced m) {
        out.byteValue(ControlKind.TERM_ANNOUNCED).term(m.term()).node(m.coordinator());
    }

    @Override
    public void abdicated(NodeMessage.Abdicated m) {
        out.byteValue(ControlKind.ABDICATED).term(m.term());
        list(m.sessions().entrySet(), entry -> {
            out.string(entry.getKey());
            list(entry.getValue(), out::node);
        });
    }

    @Override
    public void nodeLeaving(NodeMessage.NodeLeaving m) {
        out.byteValue(ControlKind.NODE_LEAVING).node(m.node()).bool(m.ended());
    }
}
