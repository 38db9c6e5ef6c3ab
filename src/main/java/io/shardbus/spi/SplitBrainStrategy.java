package io.shardbus.spi;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;

/**
 * A user's strategy that decides whether a side of a split goes on. The configuration names its class, the same on all
 * nodes, which needs a public constructor without parameters, or one that takes the {@code Vertx}. Every node of every
 * side calls its own strategy when the view no longer changes. The strategy must decide by the snapshot alone, and must
 * not let two sides go on. Called on the node's control context: it must not block. An exception counts as {@link
 * SplitDecision#STOP}.
 */
public interface SplitBrainStrategy {
    /**
     * Decides for the side that sees this snapshot. {@link SplitDecision#ASK_ARBITER} and {@link
     * SplitDecision#ASK_ARBITER_LATER} need an arbiter in the configuration.
     */
    SplitDecision decide(SplitSnapshot snapshot);

    /**
     * Whether a side without a majority of the last stable members may go on. If so, only this strategy and the arbiter
     * prevent that two sides go on.
     */
    default boolean overridesMajority() {
        return false;
    }
}
