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
import io.shardbus.model.TermId;
import io.shardbus.wire.FieldWriter;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/** Writes the fields of control messages: the kind, term and entity type, and a record of the kind's own fields. */
final class ControlEncoder implements ToCoordinator.Visitor, ToRegion.Visitor, NodeMessage.Visitor {
    static final int KIND = 1;
    static final int TERM = 2;
    static final int TYPE = 3;
    static final int BODY = 4;

    private final FieldWriter out;

    ControlEncoder(FieldWriter out) {
        this.out = out;
    }

    void write(ControlMessage message) {
        if (message instanceof ControlMessage.ForCoordinator m) {
            address(m.term(), m.type());
            m.body().accept(this);
        } else if (message instanceof ControlMessage.ForRegion m) {
            address(m.term(), m.type());
            m.body().accept(this);
        } else if (message instanceof ControlMessage.ForNode m) {
            m.body().accept(this);
        } else {
            throw new IllegalArgumentException("never sent: " + message);
        }
    }

    private void address(TermId term, String type) {
        out.term(TERM, term).text(TYPE, type);
    }

    private void body(int kind, Consumer<FieldWriter> fields) {
        out.number(KIND, kind).record(BODY, fields);
    }

    private static void reports(FieldWriter out, int field, Collection<ShardReport> reports) {
        for (ShardReport report : reports) {
            out.record(field, one -> one.number(1, report.shard()).token(2, report.token()));
        }
    }

    private static void nodes(FieldWriter out, int field, Collection<NodeId> nodes) {
        nodes.forEach(node -> out.node(field, node));
    }

    private static void profile(FieldWriter out, RegionProfile profile) {
        out.flag(1, profile.proxy())
                .number(2, profile.numberOfShards())
                .text(3, profile.extractorVersion())
                .text(4, profile.appVersion())
                .number(5, profile.lanes())
                .number(6, profile.minimumMembers())
                .text(7, profile.safety().splitBrain())
                .number(8, profile.safety().leaseMillis())
                .flag(9, profile.memory().remembers())
                .text(10, profile.memory().store());
        String role = profile.role();
        if (role != null) {
            out.flag(11, true).text(12, role);
        }
        SharedStore store = profile.persistence();
        if (store != null) {
            out.text(13, store.id()).text(14, store.name()).number(15, store.highestTerm());
        }
    }

    private static void home(FieldWriter out, ShardHome home) {
        out.number(1, home.shard())
                .token(2, home.version())
                .token(3, home.token())
                .node(4, home.home())
                .number(5, home.lanes());
    }

    @Override
    public void register(ToCoordinator.Register m) {
        body(ControlKind.REGISTER, body -> {
            body.number(1, m.attempt()).record(2, profile -> profile(profile, m.profile()));
            reports(body, 3, m.shards());
            body.number(4, m.heartbeat()).flag(5, m.founded());
            reports(body, 6, m.ending());
            body.number(7, m.statesLost());
        });
    }

    @Override
    public void heartbeat(ToCoordinator.Heartbeat m) {
        body(ControlKind.HEARTBEAT, body -> {
            body.number(1, m.attempt()).number(2, m.number()).number(3, m.echo());
            reports(body, 4, m.shards());
            reports(body, 5, m.ending());
        });
    }

    @Override
    public void getShardHomes(ToCoordinator.GetShardHomes m) {
        body(ControlKind.GET_SHARD_HOMES, body -> body.number(1, m.attempt()).numbers(2, m.shards()));
    }

    @Override
    public void shardHosted(ToCoordinator.ShardHosted m) {
        body(
                ControlKind.SHARD_HOSTED,
                body -> body.number(1, m.attempt())
                        .number(2, m.shard())
                        .token(3, m.token())
                        .number(4, m.heartbeat()));
    }

    @Override
    public void shardStopped(ToCoordinator.ShardStopped m) {
        body(
                ControlKind.SHARD_STOPPED,
                body -> body.number(1, m.shard()).token(2, m.token()).flag(3, m.states()));
    }

    @Override
    public void handoffAborted(ToCoordinator.HandoffAborted m) {
        HoldUp cause = m.cause();
        body(ControlKind.HANDOFF_ABORTED, body -> {
            body.number(1, m.shard())
                    .token(2, m.version())
                    .text(3, Objects.requireNonNullElse(cause.entity(), ""))
                    .number(4, cause.entityMs())
                    .number(5, cause.entities());
            nodes(body, 6, cause.undrained());
        });
    }

    @Override
    public void leave(ToCoordinator.Leave m) {
        body(ControlKind.LEAVE, body -> body.number(1, m.attempt()));
    }

    @Override
    public void goodbye(ToCoordinator.Goodbye m) {
        body(ControlKind.GOODBYE, body -> body.number(1, m.attempt()).number(2, m.statesLost()));
    }

    @Override
    public void registered(ToRegion.Registered m) {
        body(ControlKind.REGISTERED, body -> body.number(1, m.attempt()).numbers(2, m.keep()));
    }

    @Override
    public void refused(ToRegion.Refused m) {
        body(ControlKind.REFUSED, body -> body.number(1, m.attempt()).text(2, m.reason()));
    }

    @Override
    public void leaseGranted(ToRegion.LeaseGranted m) {
        body(
                ControlKind.LEASE_GRANTED,
                body -> body.number(1, m.attempt())
                        .number(2, m.heartbeat())
                        .signed(3, m.millis())
                        .flag(4, m.founded())
                        .number(5, m.statesLost()));
    }

    @Override
    public void registerAgain(ToRegion.RegisterAgain m) {
        body(ControlKind.REGISTER_AGAIN, body -> body.number(1, m.attempt()));
    }

    @Override
    public void hostShard(ToRegion.HostShard m) {
        body(ControlKind.HOST_SHARD, body -> {
            body.number(1, m.attempt()).number(2, m.shard()).token(3, m.token());
            ShardHome former = m.former();
            if (former != null) {
                body.record(4, home -> home(home, former));
            }
        });
    }

    @Override
    public void shardHomes(ToRegion.ShardHomes m) {
        body(ControlKind.SHARD_HOMES, body -> m.homes().forEach(home -> body.record(1, one -> home(one, home))));
    }

    @Override
    public void beginHandoff(ToRegion.BeginHandoff m) {
        body(ControlKind.BEGIN_HANDOFF, body -> {
            body.number(1, m.shard())
                    .token(2, m.version())
                    .token(3, m.token())
                    .node(4, m.home())
                    .number(5, m.homeLanes());
            nodes(body, 6, m.participants());
            body.flag(7, m.force());
        });
    }

    @Override
    public void abortHandoff(ToRegion.AbortHandoff m) {
        body(ControlKind.ABORT_HANDOFF, body -> body.number(1, m.shard()).token(2, m.version()));
    }

    @Override
    public void stopRecorded(ToRegion.StopRecorded m) {
        body(ControlKind.STOP_RECORDED, body -> body.number(1, m.shard()).token(2, m.token()));
    }

    @Override
    public void leaveComplete(ToRegion.LeaveComplete m) {
        body(ControlKind.LEAVE_COMPLETE, body -> body.number(1, m.attempt()));
    }

    @Override
    public void termAnnounced(NodeMessage.TermAnnounced m) {
        body(ControlKind.TERM_ANNOUNCED, body -> {
            body.term(1, m.term()).node(2, m.coordinator());
            Set<NodeId> missing = m.missing();
            if (missing != null) {
                body.flag(3, true);
                nodes(body, 4, missing);
            }
        });
    }

    @Override
    public void abdicated(NodeMessage.Abdicated m) {
        body(ControlKind.ABDICATED, body -> {
            body.term(1, m.term());
            m.sessions()
                    .forEach((type, regions) -> body.record(2, session -> {
                        session.text(1, type);
                        nodes(session, 2, regions);
                    }));
        });
    }

    @Override
    public void nodeLeaving(NodeMessage.NodeLeaving m) {
        body(ControlKind.NODE_LEAVING, body -> body.node(1, m.node()).flag(2, m.ended()));
    }

    @Override
    public void seatsAsked(NodeMessage.SeatsAsked m) {
        body(ControlKind.SEATS_ASKED, body -> {
            body.node(1, m.node()).term(2, m.attempt()).number(3, m.round());
            m.seats().forEach(seat -> body.text(4, seat));
        });
    }

    @Override
    public void seatAnswered(NodeMessage.SeatAnswered m) {
        body(ControlKind.SEAT_ANSWERED, body -> {
            body.node(1, m.node()).term(2, m.attempt()).number(3, m.round()).text(4, m.seat());
            body.flag(5, m.given()).flag(6, m.fresh());
            m.seats().forEach(seat -> body.text(7, seat));
        });
    }
}
