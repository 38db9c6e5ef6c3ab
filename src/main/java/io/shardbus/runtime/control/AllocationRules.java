package io.shardbus.runtime.control;

import io.shardbus.EntityDefinition;
import io.shardbus.core.allocation.ConsistentHashing;
import io.shardbus.core.allocation.ExternalAllocation;
import io.shardbus.core.allocation.LeastShards;
import io.shardbus.core.allocation.LeastShardsThreshold;
import io.shardbus.core.allocation.RoundLimit;
import io.shardbus.core.allocation.ShardAllocation;
import io.shardbus.core.allocation.SliceRanges;
import io.shardbus.core.allocation.VirtualNodeRing;
import io.shardbus.logging.LogPace;
import io.shardbus.model.NodeId;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.spi.AllocationStrategy;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects the rule that places the shards of a type: the definition's on this node if it brings one, else the one that
 * the options name.
 */
final class AllocationRules {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationRules.class);
    private static final long HOMES_TIMEOUT_MS = 1000;

    private AllocationRules() {}

    /**
     * @param numberOfShards of the type, as its coordinator knows it when the rule is used
     * @param context of the control plane
     */
    static CoordinatorCommandRunner.Placing forType(
            String type,
            @Nullable RegionControl<?> region,
            NodeParts parts,
            IntSupplier numberOfShards,
            Context context) {
        AllocationStrategy own = own(region, parts);
        if (own != null) {
            return CoordinatorCommandRunner.Placing.by(own);
        }
        String name = name(region, parts);
        if (name.equals(ShardingOptions.EXTERNAL)) {
            return CoordinatorCommandRunner.Placing.by(external(type, parts, context));
        }
        Supplier<ShardAllocation> rule = rule(name, numberOfShards, parts.options());
        return CoordinatorCommandRunner.Placing.by(() -> Future.succeededFuture(rule.get()));
    }

    /** The user's strategy, if one places the type's shards. */
    private static @Nullable AllocationStrategy own(@Nullable RegionControl<?> region, NodeParts parts) {
        EntityDefinition<?> definition = region == null ? null : region.handle().definition();
        AllocationStrategy own =
                definition == null ? null : definition.allocationStrategy().orElse(null);
        boolean named = definition != null && definition.allocation().isPresent();
        return own == null && !named ? parts.allocation().named() : own;
    }

    /** The strategy that places the type's shards: a name of the option, or the class of the user's. */
    static String name(@Nullable RegionControl<?> region, NodeParts parts) {
        AllocationStrategy own = own(region, parts);
        if (own != null) {
            return own.getClass().getName();
        }
        return Optional.ofNullable(region)
                .flatMap(present -> present.handle().definition().allocation())
                .orElseGet(() -> parts.options().getAllocationStrategy());
    }

    static Supplier<ShardAllocation> rule(String name, IntSupplier numberOfShards, ShardingOptions options) {
        RoundLimit limit = new RoundLimit(options.getRebalanceAbsoluteLimit(), options.getRebalanceRelativeLimit());
        if (name.equals(ShardingOptions.SLICE_RANGES)) {
            return () -> new SliceRanges(numberOfShards.getAsInt(), limit);
        }
        ShardAllocation rule = plain(name, limit, options);
        return () -> rule;
    }

    private static ShardAllocation plain(String name, RoundLimit limit, ShardingOptions options) {
        return switch (name) {
            case ShardingOptions.LEAST_SHARDS -> new LeastShards(limit);
            case ShardingOptions.LEAST_SHARDS_THRESHOLD ->
                new LeastShardsThreshold(options.getRebalanceThreshold(), options.getMaxSimultaneousRebalance());
            case ShardingOptions.CONSISTENT_HASHING ->
                new ConsistentHashing(new VirtualNodeRing(), options.getRebalanceAbsoluteLimit());
            default -> throw new IllegalStateException("no allocation strategy " + name);
        };
    }

    /** The rule with the desired homes as they are when it is used; without them while the store does not answer. */
    private static Supplier<Future<ShardAllocation>> external(String type, NodeParts parts, Context context) {
        LogPace pace = new LogPace(parts.clock()::now);
        SharedReads<Optional<Map<Integer, NodeId>>> reads = new SharedReads<>(
                context,
                () -> parts.allocation()
                        .homes()
                        .read(type)
                        .timeout(HOMES_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                        .map(Optional::of)
                        .otherwise(failure -> unread(type, failure, pace)));
        return () -> reads.read().map(homes -> new ExternalAllocation(() -> homes));
    }

    private static Optional<Map<Integer, NodeId>> unread(String type, Throwable failure, LogPace pace) {
        if (pace.admits()) {
            LOG.warn(
                    "type={}: the desired homes cannot be read, shards go to the regions that ask{}",
                    type,
                    pace.note(),
                    failure);
        }
        return Optional.empty();
    }
}
