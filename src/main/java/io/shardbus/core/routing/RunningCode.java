package io.shardbus.core.routing;

import java.util.Arrays;

/**
 * The shards whose entity code is on the stack of the lane's thread. Code that makes another entity start goes on when
 * that start has returned, so calls nest.
 */
final class RunningCode {
    private int[] shards = new int[8];
    private int depth;

    /** Entity code of this shard runs on the lane's thread from now on; -1: it has returned. */
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

    /** Whether the code that was called last and has not returned is of an entity of this shard. */
    boolean isOf(int shard) {
        return depth > 0 && shards[depth - 1] == shard;
    }
}
