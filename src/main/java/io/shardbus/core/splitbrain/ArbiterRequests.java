package io.shardbus.core.splitbrain;

import io.shardbus.core.splitbrain.SplitCommand.AskArbiter;
import io.shardbus.model.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * The requests to the arbiter for one decision of this node. A request that fails may have taken the lease or not, so
 * the arbiter is asked again, under another stamp, until the time for its answer is over. That time is not extended by
 * another request: after it the other side may have given its lease back.
 */
final class ArbiterRequests {
    private static final int PAUSES = 10;
    private static final long NEVER = Long.MAX_VALUE;

    private final NodeId self;
    private final long answerTime;
    /** The last request; no other request of this node has its number. */
    private long question;

    private long askAt = NEVER;
    private long until = NEVER;

    /** @param answerTime how long after its first request this node may go on by an answer, in milliseconds */
    ArbiterRequests(NodeId self, long answerTime) {
        this.self = self;
        this.answerTime = answerTime;
    }

    /** A decision depends on the arbiter, which is to be asked at this moment. */
    void begin(long moment) {
        askAt = moment;
        until = NEVER;
    }

    /** The clock gained time before the first request that may not have passed. */
    void postpone(long gained) {
        askAt = askAt == NEVER || until != NEVER ? askAt : askAt + gained;
    }

    /**
     * The request that is due now; null if none is.
     *
     * @param owner the first member of this side
     * @param shared whether another node may ask in the same name
     */
    @Nullable
    AskArbiter due(NodeId owner, boolean shared, long now) {
        if (now < askAt) {
            return null;
        }
        until = until == NEVER ? now + answerTime : until;
        askAt = NEVER;
        question++;
        return new AskArbiter(question, owner.value(), self.value() + " " + question, shared);
    }

    /** Whether this is the last request, and it is not to be repeated. */
    boolean awaits(AskArbiter asking) {
        return asking.question() == question && until != NEVER && askAt == NEVER;
    }

    /** The last request failed: the next one is sent after a pause, if its answer may still count. */
    void failed(long now) {
        askAt = now + Math.max(1, answerTime / PAUSES);
    }

    /** Whether an answer counts no more. */
    boolean isOver(long now) {
        return until != NEVER && (now >= until || askAt != NEVER && askAt >= until);
    }
}
