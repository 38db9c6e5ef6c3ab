package io.shardbus.runtime.node;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.runtime.region.RegionControl;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A region that was started on this node.
 *
 * @param end of its leaving; null while it has not begun to leave
 * @param gone completed when nothing of it runs any more
 */
record StartedRegion<M>(
        EntityDefinition<M> definition,
        boolean proxy,
        RegionControl<M> region,
        EventBusBridge<M> address,
        Future<ShardRegion<M>> started,
        AtomicReference<@Nullable Future<Void>> end,
        Promise<Void> gone) {}
