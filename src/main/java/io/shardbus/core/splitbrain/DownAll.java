package io.shardbus.core.splitbrain;

/** Nobody goes on: every loss stops all who see it. */
public final class DownAll implements SplitStrategy {
    @Override
    public Verdict decide(SplitSnapshot snapshot) {
        return Verdict.STOP;
    }
}
