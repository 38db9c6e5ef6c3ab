package io.shardbus.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reasons for the present home of a shard.
 *
 * @param home null where it has none
 * @param allocation the strategy that places the shards of the type
 * @param preferred where it would be placed now if it had no home; null for nowhere
 * @param pinned where an operator wants it; null for nowhere
 * @param restsMs for how long it is not chosen to move, as it was and stayed
 * @param reasons why shards of the type do not move by themselves now; empty if nothing is in the way
 */
public record ShardReasons(
        String type,
        int shard,
        @Nullable NodeId home,
        String allocation,
        @Nullable NodeId preferred,
        @Nullable NodeId pinned,
        long restsMs,
        List<Candidate> candidates,
        List<String> reasons) {
    /**
     * A region of the type.
     *
     * @param shards how many it has
     * @param against why it gets none now; empty if it may
     */
    public record Candidate(NodeId node, int shards, String appVersion, List<String> against) {
        public Candidate {
            against = List.copyOf(against);
        }
    }

    public ShardReasons {
        candidates = List.copyOf(candidates);
        reasons = List.copyOf(reasons);
    }
}
