package io.shardbus.core.splitbrain;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;
import java.util.Optional;

/**
 * A rule for which side of a split goes on. A function of the snapshot: each side decides alone, and no two sides may
 * both go on.
 */
public interface SplitStrategy {
    /** Decides for the side that sees this snapshot. */
    SplitDecision decide(SplitSnapshot snapshot);

    /** Whether a side may go on to which the caches are denied; they are made available to it then. */
    default boolean overridesMajority() {
        return false;
    }

    /**
     * Whether it is safe only for one clean cut that all members survive. Dead members then keep no side from going on.
     */
    default boolean isForOneCut() {
        return false;
    }

    /** A caution for the operator before a node starts with this strategy; empty if there is none. */
    default Optional<String> caution() {
        return Optional.empty();
    }

    /** The objection to a cluster of these members that are all present; empty if there is none. Told once. */
    default Optional<String> objection(SplitSnapshot whole) {
        return Optional.empty();
    }
}
