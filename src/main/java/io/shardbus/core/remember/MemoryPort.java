package io.shardbus.core.remember;

import io.shardbus.FencingToken;
import java.util.Set;

/** What the memories of a lane need from outside. Called on the lane alone; never blocks. */
public interface MemoryPort {
    MemorySettings settings();

    /** The shard of an id by this node's addressing. */
    int shardOf(String entityId);

    /**
     * Reads the ids of a shard and refuses older tokens from now on. Answered on the lane by {@link Memories#opened},
     * {@link Memories#failed} or {@link Memories#stale}, at once, later or never.
     */
    void open(Key key);

    /** Stores changes. Answered by {@link Memories#stored}, {@link Memories#failed} or {@link Memories#stale}. */
    void store(Key key, Set<String> added, Set<String> removed);

    /** Whether one more remembered entity may start now; the lanes of a region share their pace. */
    boolean takeStart();

    /** Sends a start request for an id through the region. Answered by {@link Memories#movedAway}. */
    void startElsewhere(int shard, FencingToken token, String entityId);

    /** The store fails for this shard from now on, or works again. */
    void troubled(int shard, boolean isTroubled);

    /** One operation of one stay of a shard at this home: an answer for another one is late. */
    record Key(int shard, FencingToken token, long operation) {}
}
