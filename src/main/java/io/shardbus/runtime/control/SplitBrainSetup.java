package io.shardbus.runtime.control;

import io.shardbus.core.splitbrain.DownAll;
import io.shardbus.core.splitbrain.KeepMajority;
import io.shardbus.core.splitbrain.KeepOldest;
import io.shardbus.core.splitbrain.LeaseMajority;
import io.shardbus.core.splitbrain.SplitStrategy;
import io.shardbus.core.splitbrain.SplitTimes;
import io.shardbus.core.splitbrain.StaticQuorum;
import io.shardbus.core.splitbrain.StoreMajority;
import io.shardbus.core.splitbrain.TieBreak;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.SplitBrainOptions;
import io.shardbus.spi.DeathWitness;
import io.shardbus.spi.SplitBrainArbiter;
import io.shardbus.spi.SplitBrainStrategy;
import io.shardbus.transport.RefusedConnectionWitness;
import io.vertx.core.Vertx;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Setup of a node's split-brain resolver, and of its proof of deaths.
 *
 * @param name of the strategy, as the configuration says it
 * @param lease the name of the arbiter's lease
 * @param witness proves that the process of a member that vanished is gone; null: nothing does
 */
public record SplitBrainSetup(
        String name,
        SplitStrategy strategy,
        SplitTimes times,
        @Nullable SplitBrainArbiter arbiter,
        String lease,
        @Nullable DeathWitness witness) {
    /**
     * The setup as the options name it.
     *
     * @throws IllegalArgumentException if a class that they name cannot be used: the node must not run unprotected
     */
    public static SplitBrainSetup of(ShardingOptions node, Vertx vertx, String clusterName) {
        SplitBrainOptions options = node.getSplitBrain();
        SplitBrainArbiter arbiter = options.getArbiter().isEmpty()
                ? null
                : UserClass.create("splitBrain.arbiter", options.getArbiter(), SplitBrainArbiter.class, vertx);
        return new SplitBrainSetup(
                options.getStrategy(),
                strategy(options, vertx),
                times(node, options),
                arbiter,
                options.effectiveLeaseName(clusterName),
                witness(node.getDeathWitness(), vertx));
    }

    private static SplitTimes times(ShardingOptions node, SplitBrainOptions options) {
        long decision = node.getDecisionTimeMs();
        long flapping = SplitBrainOptions.flappingMs(decision);
        return new SplitTimes(decision, flapping, options.getMinorityDelayMs(), options.getReleaseAfterMs())
                .noticedWithin(node.getFailureDetectionMs())
                .answering(SplitBrainArbiter.TIMEOUT_MS)
                .answeredWithin(options.latestAnswerMs(node.getFailureDetectionMs(), decision))
                .confirmedWithin(node.getLeaseDurationMs());
    }

    private static @Nullable DeathWitness witness(String name, Vertx vertx) {
        return switch (name) {
            case "none" -> null;
            case "refused-connection" -> new RefusedConnectionWitness(vertx);
            default -> new UserWitness(UserClass.create("deathWitness", name, DeathWitness.class, vertx), vertx);
        };
    }

    private static SplitStrategy strategy(SplitBrainOptions options, Vertx vertx) {
        String role = options.getRole();
        TieBreak tieBreak =
                TieBreak.valueOf(options.getTieBreak().replace('-', '_').toUpperCase(Locale.ROOT));
        return switch (options.getStrategy()) {
            case SplitBrainOptions.KEEP_MAJORITY ->
                role.isEmpty() && tieBreak == TieBreak.NONE ? new StoreMajority() : new KeepMajority(role, tieBreak);
            case SplitBrainOptions.STATIC_QUORUM -> new StaticQuorum(options.getQuorumSize(), role);
            case SplitBrainOptions.DOWN_ALL -> new DownAll();
            case SplitBrainOptions.KEEP_OLDEST -> new KeepOldest(options.isDownIfAlone(), role);
            case SplitBrainOptions.LEASE_MAJORITY -> new LeaseMajority(role);
            default ->
                new UserStrategy(UserClass.create(
                        "splitBrain.strategy", options.getStrategy(), SplitBrainStrategy.class, vertx));
        };
    }
}
