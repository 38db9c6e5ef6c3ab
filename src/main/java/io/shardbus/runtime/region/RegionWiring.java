package io.shardbus.runtime.region;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collaborators of a region's control on its node.
 *
 * @param knows whether messages of a node are believed here; any thread
 * @param granted told until when the coordinator has granted a lease, in elapsed milliseconds
 * @param remembered the store of the node's remembered entities, started with its first use
 */
public record RegionWiring(
        Vertx vertx,
        Supplier<Context> control,
        ElapsedClock clock,
        BusTransport transport,
        LeaseTimes times,
        Consumer<ToCoordinator> toCoordinator,
        Predicate<NodeId> knows,
        LongConsumer granted,
        ShardLeaseRunner.@Nullable Source leases,
        Supplier<Future<RememberedEntitiesStore>> remembered) {}
