package io.shardbus.core.coordinator;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the moves of shards that the strategy chose, a drain asks for, or a leaving region causes. Those that could
 * as well stay wait for their turn, as a shard is silent while it moves; those of a region that leaves, and those that
 * no region can use, move at once. After a region has joined, one shard moves at a time; each completed move raises
 * that limit by one. A faulty new node then affects few shards. A waiting move is forgotten with the reign, with its
 * home, and when nothing may move any more: the strategy is asked again. A move that an operator has
 * ordered waits anew when its home is back.
 */
final class Moves {
    private final ShardTable table;
    private final Supplier<CoordinatorSettings> settings;
    private final Handoffs handoffs;
    private final ShardOrders shardOrders;
    private final List<CoordinatorCommand> commands;
    /** Moves that have begun and may not have ended, by shard. */
    private final Map<Integer, Turn> underWay = new HashMap<>();

    /** Drained nodes with shards that no other node takes, as the operator was told. */
    private final Set<NodeId> stranded = new HashSet<>();

    private boolean forbidden;
    private long nextRound;
    private int throughSinceLastArrival;

    /** The begin of a shard's move, and its token at that time. */
    private record Turn(FencingToken token, long since) {}

    Moves(
            ShardTable table,
            Supplier<CoordinatorSettings> settings,
            Handoffs handoffs,
            List<CoordinatorCommand> commands,
            ShardOrders shardOrders) {
        this.shardOrders = shardOrders;
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

    /** The next round comes as soon as the interval of now has it. */
    void intervalChanged(long now) {
        nextRound = Math.min(nextRound, now + settings.get().rebalanceInterval());
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
                reportStranded(session);
            } else {
                stranded.remove(session.node);
            }
        }
        if (open && !table.outranked().isEmpty()) {
            // Two clusters founded apart have met: the home that keeps the shard starts its entities again, under a
            // token of this term.
            table.outranked().forEach(shard -> beginNow(shard, now));
        }
        if (open) {
            shardOrders.pins().forEach((shard, node) -> followPin(shard, node, now));
            shardOrders.moved().forEach(shard -> followMove(shard, now));
        }
        if (settings.get().rebalanceInterval() > 0 && now >= nextRound && !shardOrders.isPaused()) {
            ask(open, Integer.MAX_VALUE, now);
        }
    }

    /** A pinned shard that is elsewhere moves as soon as its node takes it. */
    private void followPin(int shard, NodeId node, long now) {
        Assignment assignment = table.assignment(shard);
        Session there = table.session(node);
        if (assignment != null
                && !assignment.home.equals(node)
                && there != null
                && there.accepts(now, settings.get().times())
                && !there.isEnding(shard)) {
            choose(Set.of(shard), now);
            if (table.waiting().contains(shard)) {
                shardOrders.returns(shard);
            }
        }
    }

    /** A shard whose home was gone for a moment waits for its turn again, or has moved. */
    private void followMove(int shard, long now) {
        Assignment assignment = table.assignment(shard);
        if (assignment != null && shardOrders.isWhereMoved(shard, assignment.home)) {
            shardOrders.forget(shard);
        } else {
            choose(Set.of(shard), now);
        }
    }

    /**
     * The strategy wants these shards to move; pinned ones stay, and those of a cordoned node.
     *
     * @param most how many of the others move at most: the first ones, as a plan has them
     */
    void chosen(Collection<Integer> shards, int most, long now) {
        List<Integer> free = shards.stream().filter(this::isFree).toList();
        choose(free.size() > most ? free.stream().sorted().limit(most).toList() : free, now);
    }

    private boolean isFree(int shard) {
        Assignment assignment = table.assignment(shard);
        Session home = assignment == null ? null : table.session(assignment.home);
        return home != null && !home.cordoned && !shardOrders.isPinnedTo(shard, home.node);
    }

    /** @param most how many shards move in this round at most */
    void ask(boolean open, int most, long now) {
        nextRound = now + settings.get().rebalanceInterval();
        if (open && !forbidden) {
            commands.add(new CoordinatorCommand.ChooseMoves(most));
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

    /**
     * Begins moves until as many are under way as may be. Before a shard leaves there must be a region that takes it:
     * one of a drained node waits for that at home, where it is served; another stays, and the strategy may choose it
     * later. So does one whose order to move cannot be followed any more.
     *
     * @param open whether shards that have left may get a home; until then none leaves, and what waits goes on waiting
     */
    void proceed(boolean open, long now) {
        if (!open || (underWay.isEmpty() && table.nextToLeave() == null)) {
            return;
        }
        underWay.entrySet().removeIf(move -> isOver(move.getKey(), move.getValue(), now));
        // A move that takes long does not delay the others.
        long young = underWay.values().stream()
                .filter(turn -> now - turn.since() < settings.get().retryInterval())
                .count();
        Assignment next = table.nextToLeave();
        while (next != null && underWay.size() < settings.get().movesAtOnce() && young <= throughSinceLastArrival) {
            boolean may = movable(next.shard, now) != null;
            if (may && (isObstructed(next, now) || !table.isTakenElsewhere(next))) {
                stays(next, now);
            } else if (may && handoffs.begin(next, Handoff.Cause.REBALANCE, now)) {
                underWay.put(next.shard, new Turn(next.token, now));
                young++;
            } else {
                table.endHandoff(next);
            }
            next = table.nextToLeave();
        }
    }

    /**
     * Why an operator's order to move or pin the shard cannot be followed now: much may have changed since the shard
     * was put into the queue. Null if it can, or if the shard leaves a drained node in any case.
     */
    private @Nullable String obstacle(Assignment assignment, long now) {
        int shard = assignment.shard;
        if (!shardOrders.isSent(shard) || table.isDraining(assignment.home)) {
            return null;
        } else if (shardOrders.isPinnedTo(shard, assignment.home)) {
            return "it is pinned there";
        }
        NodeId to = shardOrders.sentTo(shard);
        if (to == null) {
            return table.isTakenElsewhere(assignment) ? null : "no other node takes it now";
        }
        Session there = table.session(to);
        boolean takes = there != null && there.accepts(now, settings.get().times()) && !there.isEnding(shard);
        return takes ? null : "node " + to + " takes it no longer";
    }

    private boolean isObstructed(Assignment assignment, long now) {
        String obstacle = obstacle(assignment, now);
        if (obstacle != null) {
            String what = "shard " + assignment.shard + " is not moved and stays at " + assignment.home;
            commands.add(new CoordinatorCommand.Report(true, what + ": " + obstacle));
        }
        return obstacle != null;
    }

    /** No other region takes the shard: it is not chosen again at once. */
    private void stays(Assignment assignment, long now) {
        table.endHandoff(assignment);
        shardOrders.forget(assignment.shard);
        assignment.rest(settings.get().handoffTimeout(), settings.get().handoffTimeout(), now);
    }

    /** Number of shards of a drained region that stay because no other region takes them now. */
    int stranded(Session session) {
        if (!session.draining || session.gone) {
            return 0;
        }
        return (int) table.assignmentsOf(session).stream()
                .filter(assignment -> assignment.handoff == null && !table.isTakenElsewhere(assignment))
                .count();
    }

    /** Tells the operator once that a drained node has shards that no other node takes. */
    private void reportStranded(Session session) {
        int shards = stranded(session);
        if (shards == 0) {
            stranded.remove(session.node);
        } else if (stranded.add(session.node)) {
            commands.add(new CoordinatorCommand.Report(
                    true,
                    "node " + session.node + " is drained, and no other node takes "
                            + (shards == 1 ? "1 shard" : shards + " shards")
                            + " of it now: they stay there until one does"));
        }
    }

    /**
     * Whether a turn has ended; counts it if the shard has moved: an aborted move does not show how fast others are.
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
        if (assignment != null && table.isHomeGone(assignment)) {
            return false;
        }
        if (assignment != null && assignment.handoff != null) {
            return true;
        }
        return (assignment == null || !assignment.confirmed)
                && age < settings.get().handoffTimeout();
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
                && !table.isHomeGone(assignment)
                && now >= assignment.restUntil
                && !forbidden;
        return may ? assignment : null;
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
