package io.shardbus.core.splitbrain;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;

/** The side that gets the arbiter's lease goes on. The larger side asks first, of two halves the lowest address. */
public final class LeaseMajority implements SplitStrategy {
    private final String role;

    /** @param role only members with it count; empty: all */
    public LeaseMajority(String role) {
        this.role = role;
    }

    @Override
    public SplitDecision decide(SplitSnapshot snapshot) {
        Sides sides = Sides.counted(snapshot, role);
        boolean first = sides.hasMajority() || (sides.isTie() && sides.hasLowestAddress());
        return first ? SplitDecision.ASK_ARBITER : SplitDecision.ASK_ARBITER_LATER;
    }

    @Override
    public boolean overridesMajority() {
        return true;
    }
}
