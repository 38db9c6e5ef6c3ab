package io.shardbus.transport;

import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.SharedStore;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.Fields;
import io.shardbus.wire.WireFormatException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what {@link ControlEncoder} wrote. */
final class ControlDecoder {
    private final NodeId from;
    private final Fields message;

    ControlDecoder(NodeId from, FieldReader message) {
        this.from = from;
        this.message = Fields.of(message);
    }

    ControlMessage read() {
        int kind = message.count(ControlEncoder.KIND);
        Fields body = message.record(ControlEncoder.BODY).orElse(Fields.NONE);
        return toCoordinator(kind, body)
                .<ControlMessage>map(read -> new ControlMessage.ForCoordinator(
                        from, message.term(ControlEncoder.TERM), message.text(ControlEncoder.TYPE), read))
                .or(() -> toRegion(kind, body)
                        .map(read -> new ControlMessage.ForRegion(
                                from, message.term(ControlEncoder.TERM), message.text(ControlEncoder.TYPE), read)))
                .or(() -> toNode(kind, body).map(read -> new ControlMessage.ForNode(from, read)))
                .orElseGet(() -> new ControlMessage.Unknown(from, kind));
    }

    private static Optional<ToCoordinator> toCoordinator(int kind, Fields in) {
        return Optional.ofNullable(
                switch (kind) {
                    case ControlKind.REGISTER ->
                        new ToCoordinator.Register(
                                in.number(1),
                                profile(in.requireRecord(2)),
                                reports(in, 3),
                                in.number(4),
                                in.flag(5),
                                reports(in, 6),
                                in.number(7));
                    case ControlKind.HEARTBEAT ->
                        new ToCoordinator.Heartbeat(
                                in.number(1), in.number(2), in.number(3), reports(in, 4), reports(in, 5));
                    case ControlKind.GET_SHARD_HOMES -> new ToCoordinator.GetShardHomes(in.number(1), in.counts(2));
                    case ControlKind.SHARD_HOSTED ->
                        new ToCoordinator.ShardHosted(in.number(1), in.count(2), in.token(3), in.number(4));
                    case ControlKind.SHARD_STOPPED ->
                        new ToCoordinator.ShardStopped(in.count(1), in.token(2), in.flag(3));
                    case ControlKind.HANDOFF_ABORTED ->
                        new ToCoordinator.HandoffAborted(in.count(1), in.token(2), holdUp(in));
                    case ControlKind.LEAVE -> new ToCoordinator.Leave(in.number(1));
                    case ControlKind.GOODBYE -> new ToCoordinator.Goodbye(in.number(1), in.number(2));
                    default -> null;
                });
    }

    private static HoldUp holdUp(Fields in) {
        String entity = in.text(3);
        return new HoldUp(entity.isEmpty() ? null : entity, in.number(4), in.count(5), in.list(6, FieldReader::node));
    }

    private static List<ShardReport> reports(Fields in, int field) {
        return in.list(field, one -> {
            Fields report = Fields.of(one.record());
            return new ShardReport(report.count(1), report.token(2));
        });
    }

    private static RegionProfile profile(Fields in) {
        return new RegionProfile(
                in.flag(1),
                in.count(2),
                in.text(3),
                in.text(4),
                in.count(5),
                in.count(6),
                new RegionProfile.Safety(in.text(7), in.number(8)),
                new RegionProfile.Memory(in.flag(9), in.text(10)),
                in.flag(11) ? in.text(12) : null,
                store(in.text(13), in.text(14), in.number(15)));
    }

    /** Of an earlier build, and of a type without a store: none. */
    private static @Nullable SharedStore store(String id, String name, long term) {
        return id.isEmpty() ? null : new SharedStore(id, name, term);
    }

    private static Optional<ToRegion> toRegion(int kind, Fields in) {
        return Optional.ofNullable(
                switch (kind) {
                    case ControlKind.REGISTERED -> new ToRegion.Registered(in.number(1), new HashSet<>(in.counts(2)));
                    case ControlKind.REFUSED -> new ToRegion.Refused(in.number(1), in.text(2));
                    case ControlKind.LEASE_GRANTED ->
                        new ToRegion.LeaseGranted(in.number(1), in.number(2), in.signed(3), in.flag(4), in.number(5));
                    case ControlKind.REGISTER_AGAIN -> new ToRegion.RegisterAgain(in.number(1));
                    case ControlKind.HOST_SHARD ->
                        new ToRegion.HostShard(
                                in.number(1),
                                in.count(2),
                                in.token(3),
                                in.record(4).map(ControlDecoder::home).orElse(null));
                    case ControlKind.SHARD_HOMES ->
                        new ToRegion.ShardHomes(in.list(1, one -> home(Fields.of(one.record()))));
                    case ControlKind.BEGIN_HANDOFF -> beginHandoff(in);
                    case ControlKind.ABORT_HANDOFF -> new ToRegion.AbortHandoff(in.count(1), in.token(2));
                    case ControlKind.STOP_RECORDED -> new ToRegion.StopRecorded(in.count(1), in.token(2));
                    case ControlKind.LEAVE_COMPLETE -> new ToRegion.LeaveComplete(in.number(1));
                    default -> null;
                });
    }

    private static ShardHome home(Fields in) {
        return new ShardHome(in.count(1), in.token(2), in.token(3), in.node(4), lanes(in.count(5)));
    }

    private static int lanes(int lanes) {
        if (lanes < 1) {
            throw new WireFormatException(lanes + " lanes");
        }
        return lanes;
    }

    private static ToRegion.BeginHandoff beginHandoff(Fields in) {
        return new ToRegion.BeginHandoff(
                in.count(1), in.token(2), in.token(3), in.node(4), lanes(in.count(5)), nodes(in, 6), in.flag(7));
    }

    private static Set<NodeId> nodes(Fields in, int field) {
        return new LinkedHashSet<>(in.list(field, FieldReader::node));
    }

    private static Set<String> seats(Fields in, int field) {
        return new LinkedHashSet<>(in.list(field, FieldReader::text));
    }

    private static Optional<NodeMessage> toNode(int kind, Fields in) {
        return Optional.ofNullable(
                switch (kind) {
                    case ControlKind.TERM_ANNOUNCED ->
                        new NodeMessage.TermAnnounced(in.term(1), in.node(2), in.flag(3) ? nodes(in, 4) : null);
                    case ControlKind.ABDICATED -> new NodeMessage.Abdicated(in.term(1), sessions(in));
                    case ControlKind.NODE_LEAVING -> new NodeMessage.NodeLeaving(in.node(1), in.flag(2));
                    case ControlKind.SEATS_ASKED ->
                        new NodeMessage.SeatsAsked(in.node(1), in.term(2), in.count(3), seats(in, 4));
                    case ControlKind.SEAT_ANSWERED ->
                        new NodeMessage.SeatAnswered(
                                in.node(1), in.term(2), in.count(3), in.text(4), in.flag(5), in.flag(6), seats(in, 7));
                    default -> null;
                });
    }

    private static Map<String, Set<NodeId>> sessions(Fields in) {
        Map<String, Set<NodeId>> sessions = new HashMap<>();
        in.list(2, FieldReader::record).stream()
                .map(Fields::of)
                .forEach(session -> sessions.put(session.text(1), nodes(session, 2)));
        return sessions;
    }
}
