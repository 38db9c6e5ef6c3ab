package io.shardbus.runtime.region;

import io.shardbus.EntityDefinition;
import io.shardbus.core.passivation.LanePassivation;
import io.shardbus.core.passivation.PassivationSettings;
import io.shardbus.core.passivation.PassivationSettings.ActiveLimit;
import io.shardbus.core.passivation.PassivationSettings.Admission;
import io.shardbus.core.passivation.PassivationSettings.Climbing;
import io.shardbus.core.passivation.PassivationSettings.Idle;
import io.shardbus.core.passivation.PassivationSettings.Order;
import io.shardbus.core.passivation.PassivationSettings.Replacing;
import io.shardbus.core.passivation.PassivationSettings.Sketch;
import io.shardbus.core.passivation.PassivationSettings.Window;
import io.shardbus.core.passivation.RegionShare;
import io.shardbus.options.AdmissionOptions;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.ShardingOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passivation of a region's entities: the settings that apply, and the share of the limit that its lanes have in
 * common. Any thread.
 */
public final class RegionPassivation implements RegionShare {
    private static final Logger LOG = LoggerFactory.getLogger(RegionPassivation.class);

    private final PassivationOptions options;
    private final PassivationSettings settings;
    private final AtomicInteger shards = new AtomicInteger();
    private volatile int limit;

    private RegionPassivation(PassivationOptions resolved) {
        this.options = resolved;
        this.limit = resolved.getActiveEntityLimit();
        this.settings = settings(resolved);
    }

    /** The passivation of a type; off where entities are remembered, unless the definition itself sets it. */
    static RegionPassivation of(EntityDefinition<?> definition, ShardingOptions node) {
        Optional<PassivationOptions> own = definition.passivation();
        PassivationOptions chosen = own.orElse(node.getPassivation());
        if (own.isPresent() || !definition.isRememberEntities() || isNone(chosen)) {
            return new RegionPassivation(chosen.resolved());
        }
        LOG.info(
                "type={}: its entities are remembered, so the passivation strategy '{}' of the options is off for"
                        + " them; EntityDefinition.withPassivation is for the type itself",
                definition.type().name(),
                chosen.getStrategy());
        return new RegionPassivation(
                new PassivationOptions().setStrategy(PassivationOptions.NONE).resolved());
    }

    private static boolean isNone(PassivationOptions options) {
        return options.getStrategy().equals(PassivationOptions.NONE);
    }

    static PassivationSettings settings(PassivationOptions resolved) {
        long timeout = resolved.getIdleTimeoutMs();
        return new PassivationSettings(
                timeout == 0 ? null : new Idle(timeout, resolved.getIdleIntervalMs()),
                resolved.hasLimit() ? limit(resolved) : null);
    }

    private static ActiveLimit limit(PassivationOptions resolved) {
        Replacing main = replacing(resolved.getStrategy(), resolved.getProportions(), resolved.isAging());
        return new ActiveLimit(resolved.getActiveEntityLimit(), main, admission(resolved.getAdmission()));
    }

    private static Replacing replacing(String strategy, List<Double> proportions, boolean aging) {
        return switch (strategy) {
            case PassivationOptions.MOST_RECENTLY_USED -> new Replacing(Order.MOST_RECENT, List.of());
            case PassivationOptions.LEAST_FREQUENTLY_USED ->
                new Replacing(aging ? Order.LEAST_FREQUENT_AGING : Order.LEAST_FREQUENT, List.of());
            default -> new Replacing(Order.LEAST_RECENT, proportions);
        };
    }

    private static @Nullable Admission admission(AdmissionOptions options) {
        if (!options.isOn()) {
            return null;
        }
        Window window = options.getWindow().equals(AdmissionOptions.NONE)
                ? null
                : new Window(
                        replacing(options.getWindow(), List.of(), false),
                        options.getWindowProportion(),
                        options.getWindowMinimum(),
                        options.getWindowMaximum());
        Sketch sketch = options.getFilter().equals(AdmissionOptions.NONE)
                ? null
                : new Sketch(
                        options.getSketchDepth(),
                        options.getSketchCounterBits(),
                        options.getSketchWidthMultiplier(),
                        options.getSketchResetMultiplier());
        Climbing climbing = options.getOptimizer().equals(AdmissionOptions.NONE)
                ? null
                : new Climbing(
                        options.getAdjustMultiplier(),
                        options.getInitialStep(),
                        options.getRestartThreshold(),
                        options.getStepDecay());
        return new Admission(window, sketch, climbing);
    }

    LanePassivation ofLane() {
        return new LanePassivation(settings, this);
    }

    /** The settings that apply, with the present limit. */
    PassivationOptions effective() {
        return new PassivationOptions(options).setActiveEntityLimit(limit);
    }

    /** The settings that apply, with the limit that the region began with. */
    PassivationOptions configured() {
        return new PassivationOptions(options);
    }

    /**
     * Lanes follow with their next tick.
     *
     * @throws IllegalStateException if the strategy keeps no limit
     * @throws IllegalArgumentException if the limit is out of range
     */
    void limit(int entities) {
        if (!options.hasLimit()) {
            throw new IllegalStateException(
                    "the passivation strategy '" + options.getStrategy() + "' keeps no limit of active entities");
        }
        new PassivationOptions()
                .setStrategy(options.getStrategy())
                .setActiveEntityLimit(entities)
                .validate();
        limit = entities;
    }

    @Override
    public void shards(int change) {
        shards.addAndGet(change);
    }

    @Override
    public int shards() {
        return shards.get();
    }

    @Override
    public int limit() {
        return limit;
    }
}
