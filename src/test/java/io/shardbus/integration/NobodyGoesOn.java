package io.shardbus.integration;

import io.shardbus.core.splitbrain.SplitSnapshot;
import io.shardbus.core.splitbrain.Verdict;
import io.shardbus.spi.SplitBrainStrategy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A strategy of the user's. */
public final class NobodyGoesOn implements SplitBrainStrategy {
    static final List<SplitSnapshot> ASKED = new CopyOnWriteArrayList<>();

    @Override
    public Verdict decide(SplitSnapshot snapshot) {
        ASKED.add(snapshot);
        return Verdict.STOP;
    }
}
