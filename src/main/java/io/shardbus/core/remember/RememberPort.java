package io.shardbus.core.remember;

import io.shardbus.model.FencingToken;
import java.util.Set;

/** Port of a lane's remembered shards to all that is outside. Called on the lane alone; never blocks. */
public interface RememberPort {
    RememberSettings settings();

    /** The shard of an id by this node's addressing; negative for an id that the type takes no more. */
    int shardOf(String entityId);

    /**
     * Reads the ids of a shard and refuses older tokens from now on. Answered on the lane by {@link
     * RememberedLane#opened}, {@link RememberedLane#failed} or {@link RememberedLane#stale}, at once, later or never.
     */
    void open(Key key);

    /**
     * Stores changes. Answered by {@link RememberedLane#stored}, {@link RememberedLane#failed} or {@link
     * RememberedLane#stale}.
     */
    void store(Key key, Set<String> added, Set<String> removed);

    /**
     * Looks for shards that the store has from a time when the type had more of them, and whose ids this shard is to
     * see to: those whose number leaves this one's as its remainder. Answered on the lane by
     * {@link RememberedLane#leftovers}.
     */
    default void findLeftovers(int shard, FencingToken token) {}

    /** Whether one more remembered entity may start now; the lanes of a region share their pace. */
    boolean takeStart();

    /** Sends a start request for an id through the region. Answered by {@link RememberedLane#movedAway}. */
    void startElsewhere(int shard, FencingToken token, String entityId);

    /** The store fails for this shard from now on, or works again. */
    void troubled(int shard, boolean isTroubled);

    /** One operation of one stay of a shard at this home: an answer for another one is late. */
    record Key(int shard, FencingToken token, long operation) {}
}
