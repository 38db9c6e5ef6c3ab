package io.shardbus.spi;

import io.shardbus.model.FencingToken;
import io.vertx.core.Future;
import java.util.Set;

/**
 * Store of remembered entities: for each shard, the ids of the entities that start without a message. The home of a
 * shard is its only writer; the coordinator reads which shards have ids.
 *
 * <p>Every method may be called on any thread, an event loop included, and does not block. Futures complete on any
 * thread. Every operation ends within a bounded time. A failed write may be stored, may be stored later, or never; all
 * writes are idempotent, so the caller repeats the same or a later one. The caller has one operation of a shard under
 * way at a time, and may give up an operation that is not answered. A write that was given up must not take effect
 * after the next write of the same shard and token has been answered, because it would undo that next write.
 */
public interface RememberedEntitiesStore {
    /**
     * Makes the store usable; done once, before any other call. A failure means that this node cannot use it: close it.
     */
    Future<Void> start();

    /**
     * Opens a shard and reads its ids. From now on the store refuses writes with an older token than this one, on every
     * node.
     *
     * @param token of the shard's assignment to this node
     * @return fails with {@link StaleTokenException} when a newer token has been seen
     */
    Future<Set<String>> open(String type, int shard, FencingToken token);

    /**
     * Adds and removes ids of a shard, both idempotent; completes when the change is stored as durably as this store
     * can. The two sets have no id in common.
     *
     * @return fails with {@link StaleTokenException} when a newer token has been seen; nothing is stored then
     */
    Future<Void> update(String type, int shard, FencingToken token, Set<String> added, Set<String> removed);

    /** The shards of a type that have at least one id. */
    Future<Set<Integer>> shards(String type);

    /**
     * Removes all data of a type, the highest tokens included; must not be called while a node that hosts the type
     * runs.
     *
     * @return how many ids were removed
     */
    Future<Long> removeType(String type);

    /**
     * Frees the resources of the store on this node; stored data stays. Later calls fail. Closing twice is harmless.
     */
    Future<Void> close();

    /**
     * Failure of a write or an opening whose token is older than one that the store has seen: another node is now the
     * home of the shard.
     */
    final class StaleTokenException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public StaleTokenException(String type, int shard, FencingToken seen, FencingToken given) {
            super("shard " + shard + " of " + type + " has another home: " + seen + " is newer than " + given);
        }
    }
}
