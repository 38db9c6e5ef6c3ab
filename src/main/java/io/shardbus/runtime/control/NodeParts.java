package io.shardbus.runtime.control;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.membership.Membership;
import io.shardbus.model.NodeId;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.spi.StateStore;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Parts from which the control plane of one node is built.
 *
 * @param remembered the store of remembered entities, started with its first use
 * @param allocation what the rules that place shards need
 */
public record NodeParts(
        NodeId self,
        long incarnation,
        ShardingOptions options,
        ElapsedClock clock,
        BusTransport transport,
        Membership membership,
        StateStore store,
        Supplier<Future<RememberedEntitiesStore>> remembered,
        AllocationSources allocation) {
    /** Parts that know of no desired homes and bring no strategy. */
    public NodeParts(
            NodeId self,
            long incarnation,
            ShardingOptions options,
            ElapsedClock clock,
            BusTransport transport,
            Membership membership,
            StateStore store,
            Supplier<Future<RememberedEntitiesStore>> remembered) {
        this(self, incarnation, options, clock, transport, membership, store, remembered, AllocationSources.inMemory());
    }

    /** The times that follow from the options. */
    public LeaseTimes times() {
        return new LeaseTimes(
                options.getLeaseDurationMs(), options.getDecisionTimeMs(), options.isAwaitPredecessorLeases());
    }
}
