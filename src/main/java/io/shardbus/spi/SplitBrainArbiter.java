package io.shardbus.spi;

import io.vertx.core.Future;

/**
 * Somebody outside the cluster who lets one side of a split go on: a lock that at most one owner has. It is of use only if it
 * is reached by both sides, and does not itself depend on the cluster. Named in the configuration by its class, which needs a
 * public constructor that takes the {@code Vertx}, or nothing.
 *
 * <p>Called on the node's control context: it must not block. Futures complete on any thread. An answer that fails, or takes
 * longer than 5 s, means that the side stops; its lease may be held all the same until it is released or expires.
 */
public interface SplitBrainArbiter {
    /**
     * Takes the lease of this name, for an owner that has it already too.
     *
     * @param name of the lease, one for each cluster
     * @param owner the first member of a side; all of its nodes ask in its name
     * @return false: another owner has it
     */
    Future<Boolean> acquire(String name, String owner);

    /** Gives the lease back if this owner has it; else nothing happens. */
    Future<Void> release(String name, String owner);
}
