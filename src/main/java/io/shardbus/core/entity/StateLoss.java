package io.shardbus.core.entity;

import io.shardbus.core.protocol.EntityState;
import org.jspecify.annotations.Nullable;

/**
 * States that no next instance gets, though their shard moved.
 *
 * @param outcome what it is counted as
 * @param entityId null where the node that counts cannot know the entities
 * @param version of the state, 0 where it is not known
 * @param bytes of the state, 0 where it is not known
 * @param entities how many at least
 * @param reason for operators
 * @param ending whether the region ends with its shards, so that the loss is one of many with the same reason
 */
public record StateLoss(
        StateTransferOutcome outcome,
        int shard,
        @Nullable String entityId,
        int version,
        long bytes,
        int entities,
        String reason,
        boolean ending) {
    public StateLoss(
            StateTransferOutcome outcome,
            int shard,
            @Nullable String entityId,
            int version,
            long bytes,
            int entities,
            String reason) {
        this(outcome, shard, entityId, version, bytes, entities, reason, false);
    }

    /** The same, at the end of the region. */
    public StateLoss atEnd() {
        return new StateLoss(outcome, shard, entityId, version, bytes, entities, reason, true);
    }

    /** The state of one entity. */
    public static StateLoss of(StateTransferOutcome outcome, int shard, EntityState state, String reason) {
        return new StateLoss(outcome, shard, state.entityId(), state.version(), state.bytes().length, 1, reason);
    }

    /** One entity whose state is not known. */
    public static StateLoss of(StateTransferOutcome outcome, int shard, String entityId, String reason) {
        return new StateLoss(outcome, shard, entityId, 0, 0, 1, reason);
    }

    /** The loss of at least so many entities' states, whose ids are not known. */
    public static StateLoss of(StateTransferOutcome outcome, int shard, int entities, String reason) {
        return new StateLoss(outcome, shard, null, 0, 0, entities, reason);
    }
}
