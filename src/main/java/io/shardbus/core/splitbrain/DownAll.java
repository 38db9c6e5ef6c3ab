package io.shardbus.core.splitbrain;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;

/** No side goes on: every loss stops all nodes that see it. */
public final class DownAll implements SplitStrategy {
    @Override
    public SplitDecision decide(SplitSnapshot snapshot) {
        return SplitDecision.STOP;
    }
}
