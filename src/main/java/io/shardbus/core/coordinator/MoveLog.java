package io.shardbus.core.coordinator;

import io.shardbus.core.coordinator.Handoff.Cause;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardMove;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The moves of one reign for operators: those under way, with cause and times, and those that have ended, until they
 * are taken; and the shards that got a home without a move. It decides nothing.
 */
final class MoveLog {
    /** Number of ended moves, and of placed shards, that are kept for a shell that does not take them. */
    private static final int MOST_ENDED = 2_000;

    private final ShardTable table;
    private final ShardOrders shardOrders;
    private final Map<Integer, Entry> underWay = new LinkedHashMap<>();
    private final Deque<EndedMove> ended = new ArrayDeque<>();
    private final Deque<PlacedShard> placed = new ArrayDeque<>();

    /** A move under way. */
    private static final class Entry {
        final NodeId from;
        long since;
        ShardMove.Cause cause;
        boolean forced;
        long freeSince = -1;

        Entry(NodeId from, ShardMove.Cause cause, long since) {
            this.from = from;
            this.cause = cause;
            this.since = since;
        }
    }

    MoveLog(ShardTable table, ShardOrders shardOrders) {
        this.table = table;
        this.shardOrders = shardOrders;
    }

    /** A handoff has begun, or goes on for a cause that leaves no choice. */
    void began(Assignment assignment, Cause cause, long now) {
        ShardMove.Cause why = cause(assignment, cause);
        Entry present = underWay.get(assignment.shard);
        if (present == null || present.freeSince >= 0) {
            underWay.put(assignment.shard, new Entry(assignment.home, why, now));
        } else {
            present.cause = why;
        }
    }

    private ShardMove.Cause cause(Assignment assignment, Cause cause) {
        Session home = table.session(assignment.home);
        if (cause == Cause.LEAVE) {
            return ShardMove.Cause.LEAVE;
        } else if (table.outranked().contains(assignment.shard)) {
            return ShardMove.Cause.MERGE;
        } else if (home != null && home.draining) {
            return ShardMove.Cause.DRAIN;
        }
        return shardOrders.moves(assignment.shard) ? ShardMove.Cause.OPERATOR : ShardMove.Cause.REBALANCE;
    }

    void forced(int shard) {
        Entry entry = underWay.get(shard);
        if (entry != null) {
            entry.forced = true;
        }
    }

    /** The shard stays at its home. */
    void stayed(int shard, HoldUp heldUp, long now) {
        Entry entry = underWay.remove(shard);
        if (entry != null) {
            add(new EndedMove(
                    shard, entry.cause, entry.from, null, entry.forced, now - entry.since, 0, token(shard), heldUp));
        }
    }

    private FencingToken token(int shard) {
        Assignment assignment = table.assignment(shard);
        return assignment == null ? FencingToken.NONE : assignment.token;
    }

    /** The shard has no home any more. */
    void freed(Assignment assignment, long now) {
        Entry entry = underWay.get(assignment.shard);
        if (entry == null || entry.freeSince >= 0) {
            entry = new Entry(assignment.home, lossOf(assignment), now);
            underWay.put(assignment.shard, entry);
        }
        Session home = table.session(assignment.home);
        if (home == null || home.gone) {
            entry.cause = ShardMove.Cause.CRASH;
        }
        // no member answers for it from the loss on, although its lease kept it from others until now
        entry.freeSince = home != null && home.gone ? home.goneSince : now;
        entry.since = Math.min(entry.since, entry.freeSince);
    }

    private ShardMove.Cause lossOf(Assignment assignment) {
        Session home = table.session(assignment.home);
        return home != null && home.leaving ? ShardMove.Cause.LEAVE : ShardMove.Cause.CRASH;
    }

    /** A home runs the shard. */
    void confirmed(Assignment assignment, long now) {
        Entry entry = underWay.get(assignment.shard);
        if (entry == null) {
            placed(assignment, now);
        } else if (entry.freeSince < 0 && assignment.handoff == null) {
            stayed(assignment.shard, HoldUp.NONE, now);
        } else if (entry.freeSince >= 0) {
            underWay.remove(assignment.shard);
            add(new EndedMove(
                    assignment.shard,
                    entry.cause,
                    entry.from,
                    assignment.home,
                    entry.forced,
                    now - entry.since,
                    now - entry.freeSince,
                    assignment.token,
                    HoldUp.NONE));
        }
    }

    private void placed(Assignment assignment, long now) {
        if (assignment.chosenAt != LeaseTimes.NEVER) {
            addLast(
                    placed,
                    new PlacedShard(assignment.shard, assignment.home, now - assignment.chosenAt, assignment.token));
            assignment.chosenAt = LeaseTimes.NEVER;
        }
    }

    /** Regions have reported homes of their own: what was free may be at home. */
    void reported(long now) {
        for (int shard : List.copyOf(underWay.keySet())) {
            Assignment assignment = table.assignment(shard);
            if (assignment != null && assignment.confirmed) {
                confirmed(assignment, now);
            }
        }
    }

    private void add(EndedMove move) {
        addLast(ended, move);
    }

    private static <T> void addLast(Deque<T> all, T last) {
        if (all.size() == MOST_ENDED) {
            all.removeFirst();
        }
        all.addLast(last);
    }

    /** The moves that have ended since they were taken last; the oldest are missing if there were very many. */
    List<EndedMove> take() {
        return taken(ended);
    }

    /**
     * The shards that got a home without a move since they were taken last; the oldest are missing if very many did.
     */
    List<PlacedShard> takePlaced() {
        return taken(placed);
    }

    private static <T> List<T> taken(Deque<T> all) {
        if (all.isEmpty()) {
            return List.of();
        }
        List<T> taken = List.copyOf(all);
        all.clear();
        return taken;
    }

    /** Moves under way, then those that wait for their turn, in its order. */
    List<ShardMove> present(long now) {
        List<ShardMove> moves = new ArrayList<>();
        underWay.forEach((shard, entry) -> moves.add(present(shard, entry, now)));
        int place = 0;
        for (int shard : table.waiting()) {
            Assignment assignment = table.assignment(shard);
            if (assignment != null) {
                place++;
                moves.add(new ShardMove(
                        shard,
                        cause(assignment, Cause.REBALANCE),
                        ShardMove.Phase.WAITING,
                        assignment.home,
                        null,
                        0,
                        0,
                        place,
                        null));
            }
        }
        return moves;
    }

    private ShardMove present(int shard, Entry entry, long now) {
        Assignment assignment = table.assignment(shard);
        boolean free = entry.freeSince >= 0;
        return new ShardMove(
                shard,
                entry.cause,
                free ? (assignment == null ? ShardMove.Phase.PLACING : ShardMove.Phase.STARTING) : stopping(assignment),
                entry.from,
                free && assignment != null ? assignment.home : null,
                now - entry.since,
                free ? now - entry.freeSince : 0,
                0,
                null);
    }

    private static ShardMove.Phase stopping(@Nullable Assignment assignment) {
        Handoff handoff = assignment == null ? null : assignment.handoff;
        if (handoff == null || !handoff.aborting && !handoff.forced) {
            return ShardMove.Phase.STOPPING;
        }
        return handoff.forced ? ShardMove.Phase.FORCED : ShardMove.Phase.ABORTING;
    }
}
