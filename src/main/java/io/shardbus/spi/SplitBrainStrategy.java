package io.shardbus.spi;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;

/**
 * The user's rule for which side of a split goes on. Named in the configuration by its class, which needs a public
 * constructor without parameters; the same on all nodes. Every node of every side asks its own, once changes have
 * settled: it must answer from the snapshot alone, and so that no two sides go on. Called on the node's control
 * context: it must not block. One that throws has said {@link SplitDecision#STOP}.
 */
public interface SplitBrainStrategy {
    /**
     * Decides for the side that sees this snapshot. {@link SplitDecision#ASK_ARBITER} and {@link
     * SplitDecision#ASK_ARBITER_LATER} need an arbiter in the configuration.
     */
    SplitDecision decide(SplitSnapshot snapshot);

    /**
     * Whether a side may go on that has no majority of the last stable members. If so, nothing but this rule and the
     * arbiter keeps two sides from going on.
     */
    default boolean overridesMajority() {
        return false;
    }
}
