package io.shardbus.core.coordinator;

import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardMove;
import org.jspecify.annotations.Nullable;

/**
 * A move that is over.
 *
 * @param from the home that the shard had
 * @param to the home that runs it now; null where it has stayed
 * @param forced whether entities were stopped by force
 * @param durationMs from its first message until the next home ran it, or until it stayed
 * @param homelessMs for how much of that time no node was home
 * @param token of the home that has it now
 * @param heldUp what held up a move of a shard that has stayed
 */
public record EndedMove(
        int shard,
        ShardMove.Cause cause,
        NodeId from,
        @Nullable NodeId to,
        boolean forced,
        long durationMs,
        long homelessMs,
        FencingToken token,
        HoldUp heldUp) {}
