package io.shardbus.core.allocation;

/**
 * Limit of the shards that one round of rebalancing may move: the lower of two limits, and at least one shard.
 *
 * @param absolute a number of shards, at least 1
 * @param relative a part of all shards that have a home, above 0 and at most 1
 */
public record RoundLimit(int absolute, double relative) {
    /** A round may move every shard. */
    public static final RoundLimit NONE = new RoundLimit(Integer.MAX_VALUE, 1.0);

    public RoundLimit {
        if (absolute < 1) {
            throw new IllegalArgumentException("the absolute limit must be at least 1, not " + absolute);
        }
        if (!(relative > 0 && relative <= 1)) {
            throw new IllegalArgumentException("the relative limit must be above 0 and at most 1, not " + relative);
        }
    }

    /** The number of shards one round may move if {@code shards} have a home. */
    int of(int shards) {
        return (int) Math.max(1, Math.min(relative * shards, absolute));
    }
}
