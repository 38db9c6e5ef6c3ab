package io.shardbus.spi;

import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * Provider of leases outside the cluster's own protocol. If a type requires such leases, a shard starts its entities
 * only while this node holds its lease, and stops at once when the lease is lost.
 *
 * <p>Methods may be called on any thread and must not block. Futures complete on any thread. Each must complete: a
 * shard that moves and a region that leaves wait for it, for {@code leaseDurationMs} at most; then the request counts
 * as failed. This node does not request the shard's lease again until the future has completed, and releases a lease
 * that such a late request obtains.
 */
public interface LeaseProvider {
    /**
     * A lease by its name, not yet held.
     *
     * @param name unique for what it protects: cluster, entity type and shard
     * @param owner the host and port of the node that will hold it, for people to read
     */
    ShardLease lease(String name, String owner);

    /** Ends the work of the provider on this node; leases that are still held expire. A further call has no effect. */
    default Future<Void> close() {
        return Future.succeededFuture();
    }

    /** One lease of one owner. Calls for one lease come one after the other, each after the end of the one before. */
    interface ShardLease {
        /**
         * Tries to get the lease.
         *
         * @param lost called at most once, if the lease was obtained and is lost before it is released, with the
         *     reason: from then on another owner may hold it
         * @return true: held from now on; false: another owner holds it; after a failure the caller must not assume
         *     that it holds the lease. After false and a failure the caller tries again later
         */
        Future<Boolean> acquire(Consumer<Throwable> lost);

        /** Releases the lease, also after a request with an unknown outcome. */
        Future<Void> release();
    }
}
