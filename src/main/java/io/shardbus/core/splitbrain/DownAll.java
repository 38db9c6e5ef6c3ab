package io.shardbus.core.splitbrain;

/** No side goes on: every loss stops all nodes that see it. */
public final class DownAll implements SplitStrategy {
    @Override
    public Verdict decide(SplitSnapshot snapshot) {
        return Verdict.STOP;
    }
}
