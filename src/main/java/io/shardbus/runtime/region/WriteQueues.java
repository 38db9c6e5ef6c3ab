package io.shardbus.runtime.region;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Full buffers of a region by shard, seen from any thread, and the senders that wait until they have drained. */
final class WriteQueues {
    private final AtomicIntegerArray full;
    private final Map<Integer, Queue<Runnable>> waiting = new ConcurrentHashMap<>();

    WriteQueues(int numberOfShards) {
        full = new AtomicIntegerArray(numberOfShards);
    }

    boolean isFull(int shard) {
        return full.get(shard) != 0;
    }

    void full(int shard, boolean now) {
        full.set(shard, now ? 1 : 0);
    }

    /** Runs the handler once, when {@link #drained} is called for the shard. */
    void await(int shard, Runnable handler) {
        waiting.compute(shard, (key, present) -> {
            Queue<Runnable> queue = present == null ? new ConcurrentLinkedQueue<>() : present;
            queue.add(handler);
            return queue;
        });
    }

    /** Shards for which senders wait. */
    Iterable<Integer> awaited() {
        return waiting.keySet();
    }

    /** There is nothing to wait for any more: no way is full, and waiting senders go on. */
    void close() {
        for (int shard = 0; shard < full.length(); shard++) {
            full.set(shard, 0);
        }
        waiting.keySet().forEach(this::drained);
    }

    void drained(int shard) {
        Queue<Runnable> handlers = waiting.remove(shard);
        if (handlers != null) {
            handlers.forEach(Runnable::run);
        }
    }
}
