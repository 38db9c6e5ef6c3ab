package io.shardbus.model;

import java.util.Comparator;

/**
 * A number that grows with every new home of a shard, in the order (term, incarnation, sequence). An external store
 * that refuses writes with a lower token than the highest that it has seen is protected from a former home that does
 * not know yet that it has lost the shard.
 *
 * @param term the term of the coordinator that assigned the shard; rises with every coordinator, also over full
 *     restarts
 * @param incarnation tells apart two coordinators that took the same term on two sides of a partition
 * @param sequence the number of the assignment within the term
 */
public record FencingToken(long term, long incarnation, long sequence) implements Comparable<FencingToken> {
    /** Lower than the token of every assignment. */
    public static final FencingToken NONE = new FencingToken(0, 0, 0);

    private static final Comparator<FencingToken> ORDER = Comparator.comparingLong(FencingToken::term)
            .thenComparingLong(FencingToken::incarnation)
            .thenComparingLong(FencingToken::sequence);

    @Override
    public int compareTo(FencingToken other) {
        return ORDER.compare(this, other);
    }

    /** Whether this token is greater than {@code other}: it belongs to a later assignment. */
    public boolean isNewerThan(FencingToken other) {
        return compareTo(other) > 0;
    }
}
