package io.shardbus.core.entity;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import org.jspecify.annotations.Nullable;

/**
 * The way of answers out of a cell. The answer to an ask is replaced by OUTCOME_UNKNOWN when the lease has ended
 * meanwhile: another instance may have begun elsewhere.
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

    /** A message that was never begun has a known outcome, whenever that is told. */
    private static boolean isLate(EntityOwner owner, Envelope envelope, @Nullable Failure failure) {
        boolean begun = failure == null || failure.code() != FailureCode.NOT_IN_MAJORITY;
        return envelope.ask() != 0 && begun && !owner.holdsLease();
    }

    private static Failure unknownOutcome(Envelope envelope) {
        String text = "entity '" + envelope.entityId() + "' answered after the lease of its shard had ended";
        return Failure.of(FailureCode.OUTCOME_UNKNOWN, text);
    }
}
