package io.shardbus.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reasons for the present home of a shard.
 *
 * @param home null if the shard has none
 * @param allocation the strategy that places the shards of the type
 * @param preferred the node on which the shard would be placed now if it had no home; null for none
 * @param pinned the node to which an operator has pinned it; null for none
 * @param restsMs the rest of its cooldown after a handoff that was aborted or refused, in milliseconds; 0 for none
 * @param reasons why shards of the type do not move by themselves now; empty if there is no such reason
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
     * A member of the cluster, as a candidate for the shard.
     *
     * @param shards how many it has
     * @param against the reasons why the node gets no shards now, such as that it has no region of the type; empty
     *     if it may get some
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

    /** The same with these candidates. */
    public ShardReasons withCandidates(List<Candidate> others) {
        return new ShardReasons(type, shard, home, allocation, preferred, pinned, restsMs, others, reasons);
    }
}
