package io.shardbus.core.splitbrain;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;

/** A rule that considers only the members that count. If the other side may decide to go on, this one stops. */
abstract class CountedSplit implements SplitStrategy {
    private final String role;

    /** @param role only members with it count; empty: all */
    CountedSplit(String role) {
        this.role = role;
    }

    final String role() {
        return role;
    }

    /** Whether a side that sees these members goes on. */
    abstract boolean goesOn(Sides sides);

    @Override
    public final SplitDecision decide(SplitSnapshot snapshot) {
        boolean goesOn = goesOn(Sides.counted(snapshot, role)) && !goesOn(Sides.asTheOtherMaySeeIt(snapshot, role));
        return goesOn ? SplitDecision.GO_ON : SplitDecision.STOP;
    }
}
