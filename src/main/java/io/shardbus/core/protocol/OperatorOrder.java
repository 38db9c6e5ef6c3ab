package io.shardbus.core.protocol;

import io.shardbus.model.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * What an operator wants of the coordinators: of the present one, and of those that come after it, for all but a move.
 *
 * @param type the entity type; empty for all, also those that register later
 * @param node the node that it is about; null where there is none
 * @param shard the shard that it is about; -1 where there is none
 */
public record OperatorOrder(
        Kind kind, String type, @Nullable NodeId node, int shard) {
    /** What is to be done. Constants are only ever added. */
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
}
