package io.shardbus.runtime.node;

import io.shardbus.EntityDefinition;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.runtime.control.NodeParts;
import io.shardbus.runtime.region.ShardLeaseRunner;
import io.shardbus.spi.LeaseProvider;
import io.shardbus.spi.RecordStore;
import io.shardbus.store.HeartbeatLeases;
import io.shardbus.store.InMemoryRecordStore;
import io.shardbus.store.infinispan.InfinispanRecords;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.spi.cluster.NodeInfo;
import org.jspecify.annotations.Nullable;

/**
 * Where the shards of this node get their outside leases, if they need any: from the definition, else as the options
 * say.
 */
final class LeaseSources {
    private final String cluster;
    private final String owner;
    private final long retryInterval;
    private final LeaseTimeouts timely;
    private final @Nullable LeaseProvider provider;
    private final @Nullable InfinispanRecords shared;

    LeaseSources(Vertx vertx, NodeParts parts) {
        boolean wanted = parts.options().getShardLease().equals("infinispan");
        retryInterval = parts.options().getLeaseRetryIntervalMs();
        timely = new LeaseTimeouts(vertx, parts.options().getLeaseDurationMs());
        if (vertx.isClustered()) {
            ShardbusClusterManager manager = ShardbusClusterManager.of(vertx);
            NodeInfo info = manager.getNodeInfo();
            cluster = manager.clusterName();
            owner = info == null ? parts.self().value() : info.host() + ":" + info.port();
            shared = wanted ? InfinispanRecords.ofLeases(manager.container()) : null;
        } else {
            cluster = parts.self().value();
            owner = parts.self().value();
            shared = null;
        }
        RecordStore entries = shared == null ? new InMemoryRecordStore() : shared;
        String life = parts.self() + "-" + Long.toHexString(parts.incarnation());
        provider = wanted
                ? new HeartbeatLeases(
                        vertx,
                        entries,
                        life,
                        parts.options().getLeaseDurationMs(),
                        parts.clock()::now,
                        parts.clock()::awake)
                : null;
    }

    /** Null when shards of the type need none. */
    ShardLeaseRunner.@Nullable Source of(EntityDefinition<?> definition) {
        String prefix = cluster + "-shard-" + definition.type().name() + "-";
        LeaseProvider users = definition.shardLeases().orElse(null);
        if (users != null) {
            return new ShardLeaseRunner.Source(
                    shard -> timely.lease(prefix + shard, users.lease(prefix + shard, owner)), retryInterval);
        }
        return provider == null
                ? null
                : new ShardLeaseRunner.Source(shard -> provider.lease(prefix + shard, owner), retryInterval);
    }

    /** A provider that a definition brought belongs to the code that made it. */
    Future<Void> close() {
        Future<Void> closed = provider == null ? Future.succeededFuture() : provider.close();
        return closed.onComplete(done -> {
            if (shared != null) {
                shared.close();
            }
        });
    }
}
