package io.shardbus.core.coordinator;

import io.shardbus.NodeId;
import java.util.Collection;
import java.util.List;

/** When shards begin to move: because the strategy says so, because a node is drained, because a region leaves. */
final class Moves {
    private final ShardTable table;
    private final CoordinatorSettings settings;
    private final Handoffs handoffs;
    private final List<CoordinatorCommand> commands;
    private boolean forbidden;
    private long nextRound;

    Moves(ShardTable table, CoordinatorSettings settings, Handoffs handoffs, List<CoordinatorCommand> commands) {
        this.table = table;
        this.settings = settings;
        this.handoffs = handoffs;
        this.commands = commands;
    }

    /** The whole cluster will stop: nothing moves any more. */
    void forbid() {
        forbidden = true;
    }

    boolean areForbidden() {
        return forbidden;
    }

    /** The next round need not wait for its time. */
    void hasten(long now) {
        nextRound = Math.min(nextRound, now);
    }

    void tick(boolean open, long now) {
        for (Session session : table.sessions()) {
            if (session.leaving) {
                empty(session, open, now);
            } else if (session.draining && open) {
                // what could not leave the first time is tried again after its rest
                begin(List.copyOf(session.shards), now);
            }
        }
        if (open && !table.outranked().isEmpty()) {
            // Two clusters founded apart have met: whoever keeps the shard starts its entities again, under a token of
            // this term.
            begin(List.copyOf(table.outranked()), now);
        }
        if (settings.rebalanceInterval() > 0 && now >= nextRound) {
            ask(open, now);
        }
    }

    void ask(boolean open, long now) {
        nextRound = now + settings.rebalanceInterval();
        if (open && !forbidden) {
            commands.add(new CoordinatorCommand.ChooseMoves());
        }
    }

    void begin(Collection<Integer> shards, long now) {
        for (int shard : shards) {
            Assignment assignment = table.assignment(shard);
            Session home = assignment == null ? null : table.session(assignment.home);
            if (assignment != null && home != null && !home.gone && now >= assignment.restUntil && !forbidden) {
                handoffs.begin(assignment, Handoff.Cause.REBALANCE, now);
            }
        }
    }

    /** The node's shards move away, and none come to it. */
    void drain(NodeId node, boolean open, long now) {
        Session session = table.session(node);
        if (session != null) {
            session.draining = true;
            empty(session, open, now);
        }
    }

    /**
     * Moves a region's shards away, unless the reign is not open yet: a region that has not spoken in this term may still send by a
     * way of the last one, and nobody would wait for it to drain.
     */
    void empty(Session session, boolean open, long now) {
        if (forbidden || !open) {
            return;
        }
        for (Assignment assignment : table.assignmentsOf(session)) {
            handoffs.begin(assignment, session.leaving ? Handoff.Cause.LEAVE : Handoff.Cause.REBALANCE, now);
        }
    }
}
