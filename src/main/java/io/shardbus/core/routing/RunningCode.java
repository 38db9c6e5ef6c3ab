package io.shardbus.core.routing;

import java.util.Arrays;

/**
 * The entities whose code has the lane's thread, by their shards. One that makes another entity start has the thread
 * again when the other's start has returned.
 */
final class RunningCode {
    private int[] shards = new int[8];
    private int depth;

    /** Code of an entity of the shard takes the thread; -1 when it gives it back. */
    void changes(int shard) {
        if (shard < 0) {
            depth--;
            return;
        }
        if (depth == shards.length) {
            shards = Arrays.copyOf(shards, 2 * depth);
        }
        shards[depth] = shard;
        depth++;
    }

    boolean isAny() {
        return depth > 0;
    }

    /** Whether the code that has the thread now is of an entity of this shard. */
    boolean isOf(int shard) {
        return depth > 0 && shards[depth - 1] == shard;
    }
}
