package io.shardbus.core.coordinator;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When shards begin to move: because the strategy says so, because a node is drained, because a region leaves. Those
 * that could as well stay wait for their turn, as a shard is silent while it moves; those of a region that leaves, and
 * those that no region can use, move at once. When a region has come, one moves at first, and one more at a time with
 * each that is through: the first are slow, and a faulty home affects few. A waiting move is forgotten with the reign,
 * with its home, and when nothing may move any more: the strategy is asked again.
 */
final class Moves {
    private final ShardTable table;
    private final CoordinatorSettings settings;
    private final Handoffs handoffs;
    private final List<CoordinatorCommand> commands;
    /** Moves that have had their turn and are perhaps not through. */
    private final Map<Integer, Turn> underWay = new HashMap<>();

    private boolean forbidden;
    private long nextRound;
    private int throughSinceLastArrival;

    /** Since when a shard moves, and what it had then. */
    private record Turn(FencingToken token, long since) {}

    Moves(ShardTable table, CoordinatorSettings settings, Handoffs handoffs, List<CoordinatorCommand> commands) {
        this.table = table;
        this.settings = settings;
        this.handoffs = handoffs;
        this.commands = commands;
    }

    /** The whole cluster will stop, and nothing moves any more; or shards may move again. */
    void forbid(boolean stops) {
        forbidden = stops;
        if (stops) {
            table.forgetWaiting();
        }
    }

    boolean areForbidden() {
        return forbidden;
    }

    /** The next round need not wait for its time. */
    void hasten(long now) {
        nextRound = Math.min(nextRound, now);
    }

    /** A region of a new home is there and has heard from the coordinator. */
    void regionArrived(Session session, long now) {
        if (!session.again) {
            throughSinceLastArrival = 0;
        }
        hasten(now);
    }

    void tick(boolean open, long now) {
        for (Session session : table.sessions()) {
            if (session.leaving) {
                empty(session, open, now);
            } else if (session.draining && open) {
                // what could not leave the first time is tried again after its rest
                choose(session.shards, now);
            }
        }
        if (open && !table.outranked().isEmpty()) {
            // Two clusters founded apart have met: the home that keeps the shard starts its entities again, under a
            // token of this term.
            table.outranked().forEach(shard -> beginNow(shard, now));
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

    /**
     * The shards shall move, each in its turn; those on their way already, and those that cannot move now, are left
     * out.
     */
    void choose(Collection<Integer> shards, long now) {
        for (int shard : shards) {
            Assignment assignment = movable(shard, now);
            if (assignment != null) {
                table.awaitHandoff(assignment);
            }
        }
    }

    /** Begins moves until as many are under way as may be. */
    void proceed(long now) {
        if (underWay.isEmpty() && table.nextToLeave() == null) {
            return;
        }
        underWay.entrySet().removeIf(move -> isOver(move.getKey(), move.getValue(), now));
        // One that takes long is no reason for the others to wait for it.
        long young = underWay.values().stream()
                .filter(turn -> now - turn.since() < settings.retryInterval())
                .count();
        Assignment next = table.nextToLeave();
        while (next != null && underWay.size() < settings.movesAtOnce() && young <= throughSinceLastArrival) {
            if (movable(next.shard, now) != null && handoffs.begin(next, Handoff.Cause.REBALANCE, now)) {
                underWay.put(next.shard, new Turn(next.token, now));
                young++;
            } else {
                table.endHandoff(next);
            }
            next = table.nextToLeave();
        }
    }

    /**
     * Whether a turn has ended; counts it if the shard has moved: one that stayed says nothing of how fast others will.
     */
    private boolean isOver(int shard, Turn turn, long now) {
        if (isUnderWay(shard, now - turn.since())) {
            return false;
        }
        Assignment assignment = table.assignment(shard);
        if (assignment != null && assignment.confirmed && !assignment.token.equals(turn.token())) {
            throughSinceLastArrival++;
        }
        return true;
    }

    /**
     * A turn ends when the new home has confirmed, or when the shard has stayed. A dead home's shards are no longer
     * moves, and a shard for which there is no home keeps no others from moving for longer than a handoff may take.
     */
    private boolean isUnderWay(int shard, long age) {
        Assignment assignment = table.assignment(shard);
        if (assignment != null && isGone(assignment)) {
            return false;
        }
        if (assignment != null && assignment.handoff != null) {
            return true;
        }
        return (assignment == null || !assignment.confirmed) && age < settings.handoffTimeout();
    }

    /** A shard has left its home. */
    void left(Assignment assignment, long now) {
        if (assignment.handoff != null) {
            stayed(now);
        }
    }

    /** A shard has stayed at its home, others may move in its place. */
    void stayed(long now) {
        if (table.inHandoff().isEmpty()) {
            hasten(now);
        }
    }

    private void beginNow(int shard, long now) {
        Assignment assignment = movable(shard, now);
        if (assignment != null) {
            handoffs.begin(assignment, Handoff.Cause.REBALANCE, now);
        }
    }

    private @Nullable Assignment movable(int shard, long now) {
        Assignment assignment = table.assignment(shard);
        boolean may = assignment != null
                && assignment.confirmed
                && !isGone(assignment)
                && now >= assignment.restUntil
                && !forbidden;
        return may ? assignment : null;
    }

    private boolean isGone(Assignment assignment) {
        Session home = table.session(assignment.home);
        return home == null || home.gone;
    }

    /**
     * The node's shards move away, and none come to it, as long as this reign lasts and its region does; also if that
     * registers later.
     */
    void drain(NodeId node, boolean open, long now) {
        table.drain(node);
        Session session = table.session(node);
        if (session != null) {
            session.draining = true;
            empty(session, open, now);
        }
    }

    /** The node may have shards again: those whose turn to leave has not come stay, those on their way go on. */
    void undrain(NodeId node, long now) {
        table.endDrain(node);
        Session session = table.session(node);
        if (session != null && session.draining) {
            session.draining = false;
            table.forgetWaiting(session);
            hasten(now);
        }
    }

    /**
     * Moves a region's shards away, unless the reign is not open yet: a region that has not spoken in this term may
     * still send by a way of the last one, and it would not be among the participants that drain.
     */
    void empty(Session session, boolean open, long now) {
        if (forbidden || !open) {
            return;
        }
        if (!session.leaving) {
            choose(session.shards, now);
            return;
        }
        for (Assignment assignment : table.assignmentsOf(session)) {
            handoffs.begin(assignment, Handoff.Cause.LEAVE, now);
        }
    }
}
