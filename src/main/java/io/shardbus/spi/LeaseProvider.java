package io.shardbus.spi;

import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * Gives locks that lie outside the cluster's own protocol. Where a type requires them, a shard starts its entities only
 * while its lease is held here, and stops at once when it is lost.
 *
 * <p>Methods may be called on any thread and must not block. Futures complete on any thread. Each must complete: a
 * shard that moves and a region that leaves wait for it, but no longer than {@code leaseDurationMs}; then the request
 * has failed for them. The shard's lease is not asked for again on this node until it completes, and what it has
 * obtained then is given back.
 */
public interface LeaseProvider {
    /**
     * A lease by its name, not yet held.
     *
     * @param name unique for what it protects: cluster, entity type and shard
     * @param owner who will hold it: the host and port of the node, for people to read
     */
    ShardLease lease(String name, String owner);

    /** Ends the work of the provider on this node; leases that are still held run out. Twice is harmless. */
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
         * @return true: held from now on; false: another owner holds it. A failure: the caller must not assume that it
         *     holds the lease. Both are tried again later
         */
        Future<Boolean> acquire(Consumer<Throwable> lost);

        /** Gives the lease back, also one whose request has an unknown outcome. */
        Future<Void> release();
    }
}
