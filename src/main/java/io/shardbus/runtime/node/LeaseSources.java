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
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sources of the external leases of this node's shards, if they need any: from the definition, else as the options say.
 */
final class LeaseSources {
    private static final String INFINISPAN = "infinispan";

    private final Vertx vertx;
    private final NodeParts parts;
    private final String cluster;
    private final String owner;
    private final LeaseTimeouts timely;
    /** Made for the first type that needs it: a node without leases gives no sign of life for them. */
    private final AtomicReference<@Nullable Shared> shared = new AtomicReference<>();

    /** The leases that the nodes keep together, and where. */
    private record Shared(LeaseProvider provider, @Nullable InfinispanRecords records) {}

    LeaseSources(Vertx vertx, NodeParts parts) {
        this.vertx = vertx;
        this.parts = parts;
        timely = new LeaseTimeouts(vertx, parts.options().getLeaseDurationMs());
        if (vertx.isClustered()) {
            ShardbusClusterManager manager = ShardbusClusterManager.of(vertx);
            NodeInfo info = manager.getNodeInfo();
            cluster = manager.clusterName();
            owner = info == null ? parts.self().value() : info.host() + ":" + info.port();
        } else {
            cluster = parts.self().value();
            owner = parts.self().value();
        }
    }

    /** Null when shards of the type need none. */
    ShardLeaseRunner.@Nullable Source of(EntityDefinition<?> definition) {
        String prefix = cluster + "-shard-" + definition.type().name() + "-";
        long retryInterval = parts.options().getLeaseRetryIntervalMs();
        LeaseProvider users = definition.shardLeases().orElse(null);
        if (users != null) {
            return new ShardLeaseRunner.Source(
                    shard -> timely.lease(prefix + shard, users.lease(prefix + shard, owner)), retryInterval);
        }
        if (!definition.shardLease().orElse(parts.options().getShardLease()).equals(INFINISPAN)) {
            return null;
        }
        LeaseProvider provider = shared().provider();
        return new ShardLeaseRunner.Source(shard -> provider.lease(prefix + shard, owner), retryInterval);
    }

    private Shared shared() {
        Shared made = shared.get();
        if (made == null) {
            // one that loses has begun nothing: leases start with the first request
            shared.compareAndSet(null, make());
            made = Objects.requireNonNull(shared.get());
        }
        return made;
    }

    private Shared make() {
        InfinispanRecords records = vertx.isClustered()
                ? InfinispanRecords.ofLeases(ShardbusClusterManager.of(vertx).container())
                : null;
        RecordStore entries = records == null ? new InMemoryRecordStore() : records;
        String life = parts.self() + "-" + Long.toHexString(parts.incarnation());
        return new Shared(
                new HeartbeatLeases(
                        vertx,
                        entries,
                        life,
                        parts.options().getLeaseDurationMs(),
                        parts.clock()::now,
                        parts.clock()::awake),
                records);
    }

    /** A provider that a definition brought belongs to the code that made it. */
    Future<Void> close() {
        Shared made = shared.get();
        if (made == null) {
            return Future.succeededFuture();
        }
        return made.provider().close().onComplete(done -> {
            if (made.records() != null) {
                made.records().close();
            }
        });
    }
}
