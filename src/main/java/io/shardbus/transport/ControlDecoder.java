package io.shardbus.transport;

import io.shardbus.FencingToken;
import io.shardbus.NodeId;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.TermId;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Reads what {@link ControlEncoder} wrote. */
final class ControlDecoder {
    private final NodeId from;
    private final WireReader in;

    ControlDecoder(NodeId from, WireReader in) {
        this.from = from;
        this.in = in;
    }

    ControlMessage read() {
        int kind = in.byteValue();
        return switch (kind) {
            case ControlKind.FOR_COORDINATOR -> {
                TermId term = in.term();
                yield new ControlMessage.ForCoordinator(from, term, in.string(), toCoordinator(in.byteValue()));
            }
            case ControlKind.FOR_REGION -> {
                TermId term = in.term();
                yield new ControlMessage.ForRegion(from, term, in.string(), toRegion(in.byteValue()));
            }
            case ControlKind.FOR_NODE -> new ControlMessage.ForNode(from, toNode(in.byteValue()));
            default -> throw unknown(kind);
        };
    }

    private static WireFormatException unknown(int kind) {
        return new WireFormatException("unknown kind of control message: " + kind);
    }

    private ToCoordinator toCoordinator(int kind) {
        return switch (kind) {
            case ControlKind.REGISTER ->
                new ToCoordinator.Register(in.longValue(), profile(), in.list(this::report), in.longValue());
            case ControlKind.HEARTBEAT ->
                new ToCoordinator.Heartbeat(in.longValue(), in.longValue(), in.longValue(), in.list(this::report));
            case ControlKind.GET_SHARD_HOMES -> new ToCoordinator.GetShardHomes(in.longValue(), in.list(in::intValue));
            case ControlKind.SHARD_HOSTED ->
                new ToCoordinator.ShardHosted(in.longValue(), in.intValue(), in.token(), in.longValue());
            case ControlKind.SHARD_STOPPED -> new ToCoordinator.ShardStopped(in.intValue(), in.token(), in.bool());
            case ControlKind.HANDOFF_ABORTED -> new ToCoordinator.HandoffAborted(in.intValue(), in.token());
            case ControlKind.LEAVE -> new ToCoordinator.Leave(in.longValue());
            case ControlKind.GOODBYE -> new ToCoordinator.Goodbye(in.longValue());
            default -> throw unknown(kind);
        };
    }

    private ShardReport report() {
        return new ShardReport(in.intValue(), in.token());
    }

    private RegionProfile profile() {
        return new RegionProfile(
                in.bool(),
                in.intValue(),
                in.string(),
                in.string(),
                in.intValue(),
                in.intValue(),
                new RegionProfile.Safety(in.string(), in.longValue()),
                new RegionProfile.Memory(in.bool(), in.string()));
    }

    private ToRegion toRegion(int kind) {
        return switch (kind) {
            case ControlKind.REGISTERED ->
                new ToRegion.Registered(in.longValue(), new HashSet<>(in.list(in::intValue)));
            case ControlKind.REFUSED -> new ToRegion.Refused(in.longValue(), in.string());
            case ControlKind.LEASE_GRANTED -> new ToRegion.LeaseGranted(in.longValue(), in.longValue(), in.longValue());
            case ControlKind.REGISTER_AGAIN -> new ToRegion.RegisterAgain(in.longValue());
            case ControlKind.HOST_SHARD ->
                new ToRegion.HostShard(in.longValue(), in.intValue(), in.token(), in.bool() ? home() : null);
            case ControlKind.SHARD_HOMES -> new ToRegion.ShardHomes(in.list(this::home));
            case ControlKind.BEGIN_HANDOFF -> beginHandoff();
            case ControlKind.ABORT_HANDOFF -> new ToRegion.AbortHandoff(in.intValue(), in.token());
            case ControlKind.STOP_RECORDED -> new ToRegion.StopRecorded(in.intValue(), in.token());
            case ControlKind.LEAVE_COMPLETE -> new ToRegion.LeaveComplete(in.longValue());
            default -> throw unknown(kind);
        };
    }

    private ShardHome home() {
        return new ShardHome(in.intValue(), in.token(), in.token(), in.node(), lanes());
    }

    private int lanes() {
        int lanes = in.intValue();
        if (lanes < 1) {
            throw new WireFormatException(lanes + " lanes");
        }
        return lanes;
    }

    private ToRegion.BeginHandoff beginHandoff() {
        int shard = in.intValue();
        FencingToken version = in.token();
        FencingToken token = in.token();
        NodeId home = in.node();
        int lanes = lanes();
        Set<NodeId> participants = new LinkedHashSet<>(in.list(in::node));
        return new ToRegion.BeginHandoff(shard, version, token, home, lanes, participants, in.bool());
    }

    private NodeMessage toNode(int kind) {
        return switch (kind) {
            case ControlKind.TERM_ANNOUNCED -> new NodeMessage.TermAnnounced(in.term(), in.node());
            case ControlKind.ABDICATED -> new NodeMessage.Abdicated(in.term(), sessions());
            case ControlKind.NODE_LEAVING -> new NodeMessage.NodeLeaving(in.node(), in.bool());
            default -> throw unknown(kind);
        };
    }

    private Map<String, Set<NodeId>> sessions() {
        Map<String, Set<NodeId>> sessions = new HashMap<>();
        int types = in.intValue();
        for (int i = 0; i < types; i++) {
            sessions.put(in.string(), new LinkedHashSet<>(in.list(in::node)));
        }
        return sessions;
    }
}
