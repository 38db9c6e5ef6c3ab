package io.shardbus.integration.split;

import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;
import io.shardbus.spi.SplitBrainStrategy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A strategy of the user's. */
public final class NeverGoesOn implements SplitBrainStrategy {
    static final List<SplitSnapshot> ASKED = new CopyOnWriteArrayList<>();

    @Override
    public SplitDecision decide(SplitSnapshot snapshot) {
        ASKED.add(snapshot);
        return SplitDecision.STOP;
    }
}
