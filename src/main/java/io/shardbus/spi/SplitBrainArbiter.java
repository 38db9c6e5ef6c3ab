package io.shardbus.spi;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Arbiter of a split: a lock outside the cluster that at most one owner holds; the side that gets it goes on. It is of
 * use only if both sides reach it, and if it does not itself depend on the cluster. Named in the configuration by its
 * class, which needs a public constructor that takes the {@code Vertx}, or nothing.
 *
 * <p>Called on the node's control context: it must not block. Futures complete on any thread. An answer that fails, or
 * takes longer than 5 s, means that the side stops; its lease may be held all the same until it is released or expires.
 */
public interface SplitBrainArbiter {
    /** Time in milliseconds for which an answer is awaited. */
    long TIMEOUT_MS = 5000;

    /**
     * Takes the lease of this name, for an owner that has it already too: then the new stamp replaces the one that it
     * bears.
     *
     * @param name of the lease, one for each cluster
     * @param owner the first member of a side; all of its nodes ask in its name
     * @param stamp of this taking; no other ever has the same
     * @return false: another owner has it
     */
    Future<Boolean> acquire(String name, String owner, String stamp);

    /**
     * Gives the lease back, as one step, if this owner has it and it bears this stamp; else nothing happens. Where it
     * was taken since, a node of its side may still need it.
     *
     * @return null if the owner does not have it any more, else the stamp that it bears
     */
    Future<@Nullable String> release(String name, String owner, String stamp);
}
