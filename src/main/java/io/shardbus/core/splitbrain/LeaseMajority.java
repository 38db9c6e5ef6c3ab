package io.shardbus.core.splitbrain;

/** The side goes on that the arbiter lets; the larger one, of two halves that with the lowest address, asks first. */
public final class LeaseMajority implements SplitStrategy {
    private final String role;

    /** @param role only members with it count; empty: all */
    public LeaseMajority(String role) {
        this.role = role;
    }

    @Override
    public Verdict decide(SplitSnapshot snapshot) {
        Sides sides = snapshot.counted(role);
        boolean first = sides.hasMajority() || (sides.isTie() && sides.hasLowestAddress());
        return first ? Verdict.ASK_ARBITER : Verdict.ASK_ARBITER_LATER;
    }

    @Override
    public boolean overridesMajority() {
        return true;
    }
}
