package io.shardbus.core.splitbrain;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;

/**
 * The majority of the last stable members goes on, as the caches know it: the one that does not count members itself.
 */
public final class StoreMajority implements SplitStrategy {
    @Override
    public SplitDecision decide(SplitSnapshot snapshot) {
        return snapshot.available() ? SplitDecision.GO_ON : SplitDecision.STOP;
    }
}
