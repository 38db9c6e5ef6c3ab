package io.shardbus.core.splitbrain;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;
import java.util.Optional;

/**
 * A rule for which side of a split goes on. A function of the snapshot: each side decides alone, and no two sides may
 * both go on.
 */
public interface SplitStrategy {
    /** What the side does that sees this. */
    SplitDecision decide(SplitSnapshot snapshot);

    /** Whether a side that the caches refuse may go on all the same; they are made available to it then. */
    default boolean overridesMajority() {
        return false;
    }

    /** What an operator should know before a node starts with it; empty if nothing. */
    default Optional<String> caution() {
        return Optional.empty();
    }

    /** What is wrong with a cluster of these members that are all present; empty if nothing. Told once. */
    default Optional<String> objection(SplitSnapshot whole) {
        return Optional.empty();
    }
}
