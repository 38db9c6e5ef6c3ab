package io.shardbus.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Moves that a rebalance, a drain, a leave, or a join would cause, if it began at this moment.
 *
 * <p>Several shards are on their way at a time, and the new home of each is chosen when it has left the old one. With
 * the strategies of the library each node gets the planned number of shards, unless the table changes meanwhile; which
 * shards it gets depends on the order in which they leave.
 *
 * @param moves in the order in which they would begin
 * @param reasons why nothing, or not all, would move; empty if there is no such reason
 * @param shards the table for which the plan was made, as the number of shards of each hosting node; empty from a
 *     coordinator of an earlier build
 */
public record MovePlan(List<Move> moves, List<String> reasons, Map<NodeId, Integer> shards) {
    /** Planned action. */
    public enum Action {
        /** One round of rebalancing. */
        REBALANCE,
        /** A node is drained. */
        DRAIN,
        /** A node leaves. */
        LEAVE,
        /** A node joins: the first round of rebalancing after it. */
        JOIN
    }

    /** @param to null where the shard would get no home, or a user's strategy is asked for it only when it moves */
    public record Move(int shard, NodeId from, @Nullable NodeId to) {}

    public MovePlan {
        moves = List.copyOf(moves);
        reasons = List.copyOf(reasons);
        shards = Map.copyOf(shards);
    }

    /**
     * The plan of a round that has fewer moves, with what is left as a reason.
     *
     * @param limit how many moves at most, 1 or more
     */
    public MovePlan first(int limit) {
        if (moves.size() <= limit) {
            return this;
        }
        List<String> all = new ArrayList<>(reasons);
        all.add("the limit of the round leaves " + (moves.size() - limit) + " of " + moves.size() + " moves to later");
        return new MovePlan(moves.subList(0, limit), all, shards);
    }

    /** The number of shards of each hosting node after the moves, those to a node that is chosen later left out. */
    public Map<NodeId, Integer> shardsAfter() {
        Map<NodeId, Integer> after = new TreeMap<>(shards);
        for (Move move : moves) {
            after.merge(move.from(), -1, Integer::sum);
            NodeId to = move.to();
            if (to != null) {
                after.merge(to, 1, Integer::sum);
            }
        }
        return after;
    }
}
