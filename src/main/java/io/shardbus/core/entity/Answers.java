package io.shardbus.core.entity;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import org.jspecify.annotations.Nullable;

/**
 * Gives the outcome of a message to the owner of its cell. If the lease of the shard has ended since the message began,
 * an ask fails with OUTCOME_UNKNOWN instead, because another instance may have begun elsewhere.
 */
final class Answers {
    private Answers() {}

    static void give(EntityOwner owner, Envelope envelope, @Nullable Object value) {
        if (isLate(owner, envelope, null)) {
            owner.failed(envelope, unknownOutcome(envelope));
        } else {
            owner.answered(envelope, value);
        }
    }

    static void fail(EntityOwner owner, Envelope envelope, Failure failure) {
        owner.failed(envelope, isLate(owner, envelope, failure) ? unknownOutcome(envelope) : failure);
    }

    /** The outcome of a message that never began is known, also after the end of the lease. */
    private static boolean isLate(EntityOwner owner, Envelope envelope, @Nullable Failure failure) {
        boolean begun = failure == null || failure.code() != FailureCode.NOT_IN_MAJORITY;
        return envelope.ask() != 0 && begun && !owner.holdsLease();
    }

    private static Failure unknownOutcome(Envelope envelope) {
        String text = "entity '" + envelope.entityId() + "' answered after the lease of its shard had ended";
        return Failure.of(FailureCode.OUTCOME_UNKNOWN, text);
    }
}
