package io.shardbus.runtime.control;

import io.shardbus.core.splitbrain.SplitStrategy;
import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;
import io.shardbus.spi.SplitBrainStrategy;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A user's strategy; its failure counts as STOP. */
final class UserStrategy implements SplitStrategy {
    private static final Logger LOG = LoggerFactory.getLogger(UserStrategy.class);

    private final SplitBrainStrategy strategy;

    UserStrategy(SplitBrainStrategy strategy) {
        this.strategy = strategy;
    }

    @Override
    public SplitDecision decide(SplitSnapshot snapshot) {
        try {
            SplitDecision decision = strategy.decide(snapshot);
            if (decision != null) {
                return decision;
            }
            LOG.error(
                    "split brain, {}: the strategy returned no decision",
                    strategy.getClass().getName());
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            LOG.error(
                    "split brain, {}: the strategy failed", strategy.getClass().getName(), e);
        }
        return SplitDecision.STOP;
    }

    @Override
    public boolean overridesMajority() {
        return strategy.overridesMajority();
    }

    @Override
    public Optional<String> caution() {
        return overridesMajority()
                ? Optional.of(
                        "a side may go on that has no majority: nothing but this class keeps two sides from going on")
                : Optional.empty();
    }
}
