package io.shardbus.core.splitbrain;

import java.util.Optional;

/**
 * The side of the oldest member that counts goes on, unless that member is alone and the rule says that it then stops.
 */
public final class KeepOldest extends CountedSplit {
    private final boolean downIfAlone;

    /**
     * @param downIfAlone whether the oldest stops when it is alone and the others, which then go on, are at least two
     */
    public KeepOldest(boolean downIfAlone, String role) {
        super(role);
        this.downIfAlone = downIfAlone;
    }

    @Override
    boolean goesOn(Sides sides) {
        if (sides.ours() == 0) {
            return false;
        }
        return sides.hasOldest() ? !isGivenUp(sides.ours(), sides.theirs()) : isGivenUp(sides.theirs(), sides.ours());
    }

    private boolean isGivenUp(int withOldest, int others) {
        return downIfAlone && withOldest == 1 && others >= 2;
    }

    @Override
    public boolean overridesMajority() {
        return true;
    }

    @Override
    public boolean isForOneCut() {
        return true;
    }

    @Override
    public Optional<String> caution() {
        return Optional.of(
                "the side of the oldest member goes on even if it is the smaller one: it overrides the majority");
    }
}
