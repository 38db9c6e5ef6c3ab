package io.shardbus.core.splitbrain;

import java.util.Optional;

/** The side with more than half of the counted members goes on; of two halves, the one that the tie-break favours. */
public final class KeepMajority extends CountedSplit {
    private final TieBreak tieBreak;

    public KeepMajority(String role, TieBreak tieBreak) {
        super(role);
        this.tieBreak = tieBreak;
    }

    @Override
    boolean goesOn(Sides sides) {
        return sides.hasMajority() || (sides.ours() > 0 && sides.isTie() && tieBreak.favours(sides));
    }

    @Override
    public boolean overridesMajority() {
        return true;
    }

    @Override
    public boolean isForOneCut() {
        return tieBreak != TieBreak.NONE || !role().isEmpty();
    }

    @Override
    public Optional<String> caution() {
        if (tieBreak != TieBreak.NONE) {
            return Optional.of("the tie-break lets one half of an even split go on without a majority");
        }
        return role().isEmpty()
                ? Optional.empty()
                : Optional.of("only members with the role '" + role()
                        + "' count, so the side that goes on may be the smaller one: it overrides the majority of all");
    }
}
