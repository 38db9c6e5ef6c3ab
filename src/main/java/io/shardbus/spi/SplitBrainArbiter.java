package io.shardbus.spi;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Arbiter of a split: a lock outside the cluster that at most one owner holds; the side that gets it goes on. Both
 * sides must be able to reach it, and it must not depend on the cluster. The configuration names its class, which needs
 * a public constructor that takes the {@code Vertx}, or nothing.
 *
 * <p>Called on the node's control context: it must not block. Futures complete on any thread. If a request fails, the
 * node asks again, under another stamp, until 5 s after its first request; without an answer by then it stops. Other
 * nodes of its side ask themselves, and go on if the lease is granted to them. The side may hold the lease in any case,
 * until that is released or expires.
 */
public interface SplitBrainArbiter {
    /** How long a node waits for an answer of the arbiter, over all its requests of one split, in milliseconds. */
    long TIMEOUT_MS = 5000;

    /**
     * Takes the lease of this name. If the owner has it already, the new stamp replaces the present one.
     *
     * @param name of the lease, one for each cluster
     * @param owner the first member of a side; all nodes of that side ask in the name of this member
     * @param stamp of this request; no other request ever has the same
     * @return true: the owner has the lease; false: another owner has it
     */
    Future<Boolean> acquire(String name, String owner, String stamp);

    /**
     * Releases the lease, in one atomic step, if this owner has it with this stamp; else has no effect. A lease with a
     * later stamp may still be needed by another node of the owner's side.
     *
     * @return null if the owner does not have the lease any more, else the stamp of the lease
     */
    Future<@Nullable String> release(String name, String owner, String stamp);
}
