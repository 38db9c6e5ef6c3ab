package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.ToRegion.AbortHandoff;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Every handoff from its first message to its end: all participants are told to hold their messages, the home stops the
 * shard when the last of them has drained. Messages are retransmitted. On timeout a rebalance is aborted, and the home
 * alone says whether the shard stayed; it may say so before, where an entity is busy or a participant does not drain. A
 * shard of a leaving region is stopped by force.
 */
final class Handoffs {
    /** Longest rest of a shard, as a multiple of the handoff's timeout. */
    private static final long LONGEST_REST = 8;
    /** Minimum rest of a shard after an aborted handoff, as a multiple of the handoff's duration. */
    private static final long REST_PER_SILENCE = 4;

    private final ShardTable table;
    private final Supplier<CoordinatorSettings> settings;
    private final List<CoordinatorCommand> commands;
    private final MoveLog log;

    Handoffs(ShardTable table, Supplier<CoordinatorSettings> settings, List<CoordinatorCommand> commands, MoveLog log) {
        this.log = log;
        this.table = table;
        this.settings = settings;
        this.commands = commands;
    }

    /** Begins, unless the shard is on its way already; a leaving region's cause overrides. */
    boolean begin(Assignment assignment, Handoff.Cause cause, long now) {
        Handoff present = assignment.handoff;
        if (!assignment.confirmed || (present != null && present.cause == Handoff.Cause.LEAVE)) {
            return false;
        }
        if (present != null && cause == Handoff.Cause.REBALANCE) {
            return false;
        }
        Handoff handoff = new Handoff(table.nextToken(), cause, participants(), now);
        table.beginHandoff(assignment, handoff);
        log.began(assignment, cause, now);
        announce(assignment, handoff);
        return true;
    }

    private Set<NodeId> participants() {
        Set<NodeId> present = new LinkedHashSet<>();
        for (Session session : table.sessions()) {
            if (!session.gone) {
                present.add(session.node);
            }
        }
        return present;
    }

    private void announce(Assignment assignment, Handoff handoff) {
        BeginHandoff message = message(assignment, handoff);
        for (NodeId participant : handoff.participants) {
            commands.add(new CoordinatorCommand.Send(participant, message));
        }
    }

    private BeginHandoff message(Assignment assignment, Handoff handoff) {
        Session home = table.session(assignment.home);
        int lanes = home == null ? 1 : home.profile.lanes();
        return new BeginHandoff(
                assignment.shard,
                handoff.version,
                assignment.token,
                assignment.home,
                lanes,
                Collections.unmodifiableSet(new LinkedHashSet<>(handoff.participants)),
                handoff.forced);
    }

    /**
     * A shard has stopped for a handoff of an earlier reign. Regions that this reign has told of its home drain as they
     * do in a handoff, and the home, should it leave, does not end before they have.
     */
    void stopped(Assignment assignment, long now) {
        if (assignment.confirmed && assignment.handoff == null) {
            announce(assignment, new Handoff(table.nextToken(), Handoff.Cause.LEAVE, participants(), now));
        }
    }

    /** A region that is no more has nothing more to drain. */
    void participantLeft(NodeId node) {
        for (Assignment assignment : table.assignmentsInHandoff()) {
            Handoff handoff = assignment.handoff;
            if (handoff != null && handoff.participants.remove(node) && !handoff.aborting) {
                commands.add(new CoordinatorCommand.Send(assignment.home, message(assignment, handoff)));
            }
        }
    }

    void tick(long now) {
        for (Assignment assignment : table.assignmentsInHandoff()) {
            Handoff handoff = assignment.handoff;
            if (handoff != null) {
                tick(assignment, handoff, now);
            }
        }
    }

    private void tick(Assignment assignment, Handoff handoff, long now) {
        if (now - handoff.startedAt >= settings.get().handoffTimeout() && !handoff.aborting && !handoff.forced) {
            timedOut(assignment, handoff, now);
        } else if (now - handoff.sentAt >= settings.get().retryInterval()) {
            handoff.sentAt = now;
            repeat(assignment, handoff);
        }
    }

    private void timedOut(Assignment assignment, Handoff handoff, long now) {
        handoff.sentAt = now;
        if (handoff.cause == Handoff.Cause.LEAVE) {
            handoff.forced = true;
            log.forced(assignment.shard);
            report(assignment, "its home stops the shard by force");
        } else {
            handoff.aborting = true;
            report(assignment, "aborted");
        }
        repeat(assignment, handoff);
    }

    /**
     * The home keeps the shard, and will not stop it for this handoff any more: it was told so, or one of the shard's
     * entities would hold the handoff up. False if the handoff is not the present one, or cannot be declined.
     */
    boolean stayed(Assignment assignment, FencingToken version, HoldUp cause, long now) {
        Handoff handoff = assignment.handoff;
        if (handoff == null || handoff.cause == Handoff.Cause.LEAVE || !handoff.version.equals(version)) {
            return false;
        }
        table.endHandoff(assignment);
        log.stayed(assignment.shard, cause, now);
        Session home = table.session(assignment.home);
        boolean pressing = home != null && home.draining && !handoff.aborting;
        // the next try may cost the shard's senders as much silence again
        long proportionate = REST_PER_SILENCE * (now - handoff.startedAt);
        long first = pressing
                ? Math.max(settings.get().retryInterval(), proportionate)
                : settings.get().handoffTimeout();
        long rest = assignment.rest(
                first, (pressing ? 1 : LONGEST_REST) * settings.get().handoffTimeout(), now);
        if (!handoff.aborting) {
            String what = "shard " + assignment.shard + " stays at " + assignment.home;
            commands.add(new CoordinatorCommand.Report(
                    false,
                    what + ": an entity is busy there, or a node has not drained; next try in " + rest
                            + " ms or later"));
        }
        return true;
    }

    private void report(Assignment assignment, String consequence) {
        String what = "handoff of shard " + assignment.shard + " from " + assignment.home;
        commands.add(new CoordinatorCommand.Report(
                true, what + " timed out after " + settings.get().handoffTimeout() + " ms: " + consequence));
    }

    private void repeat(Assignment assignment, Handoff handoff) {
        if (handoff.aborting) {
            commands.add(
                    new CoordinatorCommand.Send(assignment.home, new AbortHandoff(assignment.shard, handoff.version)));
        } else {
            announce(assignment, handoff);
        }
    }
}
