package io.shardbus.core.splitbrain;

/**
 * The majority of the last stable members goes on, as the caches know it: the one that does not count members itself.
 */
public final class StoreMajority implements SplitStrategy {
    @Override
    public Verdict decide(SplitSnapshot snapshot) {
        return snapshot.available() ? Verdict.GO_ON : Verdict.STOP;
    }
}
