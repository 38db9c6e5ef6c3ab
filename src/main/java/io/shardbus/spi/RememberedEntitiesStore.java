package io.shardbus.spi;

import io.shardbus.model.FencingToken;
import io.vertx.core.Future;
import java.util.Set;

/**
 * Store of remembered entities: by shard, the ids of the entities that start without a message. The home of a shard is
 * its only writer; the coordinator reads which shards have any.
 *
 * <p>Every method may be called on any thread, an event loop included, and does not block. Futures complete on any
 * thread. Every operation ends within a bounded time. A failed write says nothing: it may be stored, become so later,
 * or never; all writes are idempotent, so that the caller repeats the same or a later one. The caller has one
 * operation of a shard under way at a time, and may give up one that does not answer. A write that was given up must
 * not take effect after the next one of the shard and token has been answered, or it would undo it.
 */
public interface RememberedEntitiesStore {
    /**
     * Makes the store usable; done once, before any other call. A failure means that this node cannot use it: close it.
     */
    Future<Void> start();

    /**
     * The ids of a shard. From now on writes with an older token than this one are refused, on every node.
     *
     * @param token of the shard's assignment to this node
     * @return fails with {@link StaleTokenException} when a newer token has been seen
     */
    Future<Set<String>> open(String type, int shard, FencingToken token);

    /**
     * Adds and removes ids of a shard, both idempotent; done when they are stored as safely as this store can. The two
     * sets have no id in common.
     *
     * @return fails with {@link StaleTokenException} when a newer token has been seen; nothing is stored then
     */
    Future<Void> update(String type, int shard, FencingToken token, Set<String> added, Set<String> removed);

    /** The shards of a type that have at least one id. */
    Future<Set<Integer>> shards(String type);

    /**
     * Forgets everything of a type, the highest tokens included; not to be called while a node runs that hosts the
     * type.
     *
     * @return how many ids were removed
     */
    Future<Long> removeType(String type);

    /** Frees what the store holds on this node; what is stored stays. Later calls fail. Closing twice is harmless. */
    Future<Void> close();

    /** A write or an opening came with a token older than one that the store has seen: another home has the shard. */
    final class StaleTokenException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public StaleTokenException(String type, int shard, FencingToken seen, FencingToken given) {
            super("shard " + shard + " of " + type + " has another home: " + seen + " is newer than " + given);
        }
    }
}
