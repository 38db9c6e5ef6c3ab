package io.shardbus.core.protocol;

import io.shardbus.model.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * Order of an operator to the coordinators: to the present one, and, for all but a move, to its successors.
 *
 * @param type the entity type; empty for all, also those that register later
 * @param node the node that it is about; null where there is none
 * @param shard the shard that it is about; -1 where there is none
 */
public record OperatorOrder(
        Kind kind, String type, @Nullable NodeId node, int shard) {
    /** Kind of order. Constants are only ever added. */
    public enum Kind {
        /** The node gets no more shards, and keeps what it has. */
        CORDON,
        UNCORDON,
        /** No rounds of rebalancing by themselves. */
        PAUSE,
        RESUME,
        /** The shard moves to the node; anywhere else if that is null. */
        MOVE,
        /** The shard moves to the node and stays there while it takes shards. */
        PIN,
        UNPIN,
        /** The node's shards move away, and none come. */
        DRAIN,
        UNDRAIN
    }

    /** Whether it is about one shard of one type. */
    public boolean isAboutShard() {
        return switch (kind) {
            case MOVE, PIN, UNPIN -> true;
            case CORDON, UNCORDON, PAUSE, RESUME, DRAIN, UNDRAIN -> false;
        };
    }
}
