package io.shardbus.core.splitbrain;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;

/**
 * The majority of the last stable members goes on, by the availability of the caches; this rule does not count members
 * itself.
 */
public final class StoreMajority implements SplitStrategy {
    @Override
    public SplitDecision decide(SplitSnapshot snapshot) {
        return snapshot.available() ? SplitDecision.GO_ON : SplitDecision.STOP;
    }
}
