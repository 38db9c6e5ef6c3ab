package io.shardbus.core.splitbrain;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;

/**
 * A rule that looks at the members that count only, and is careful: where the other side may find that it goes on, this
 * one stops.
 */
abstract class CountedSplit implements SplitStrategy {
    private final String role;

    /** @param role only members with it count; empty: all */
    CountedSplit(String role) {
        this.role = role;
    }

    final String role() {
        return role;
    }

    /** Whether the side goes on that sees these. */
    abstract boolean goesOn(Sides sides);

    @Override
    public final SplitDecision decide(SplitSnapshot snapshot) {
        boolean goesOn = goesOn(Sides.counted(snapshot, role)) && !goesOn(Sides.asTheOtherMaySeeIt(snapshot, role));
        return goesOn ? SplitDecision.GO_ON : SplitDecision.STOP;
    }
}
