package io.shardbus.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves that a rebalance, a drain, a leave, or a join would cause, if it began at this moment.
 *
 * @param moves in the order in which they would begin
 * @param reasons why nothing, or not all, would move; empty if nothing is in the way
 */
public record MovePlan(List<Move> moves, List<String> reasons) {
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
    }
}
