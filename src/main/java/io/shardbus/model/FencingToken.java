package io.shardbus.model;

import java.util.Comparator;

/**
 * A number that grows with every new home of a shard, in the order (term, incarnation, sequence). An outside store that
 * refuses writes with a lower token than the last it saw is safe from an owner that does not know yet that it lost the
 * shard.
 *
 * @param term the reign of the coordinator that assigned the shard; rises with every reign, also over full restarts
 * @param incarnation tells apart two coordinators that took the same term on two sides of a partition
 * @param sequence the number of the statement within the term
 */
public record FencingToken(long term, long incarnation, long sequence) implements Comparable<FencingToken> {
    /** Lower than every token that is handed out. */
    public static final FencingToken NONE = new FencingToken(0, 0, 0);

    private static final Comparator<FencingToken> ORDER = Comparator.comparingLong(FencingToken::term)
            .thenComparingLong(FencingToken::incarnation)
            .thenComparingLong(FencingToken::sequence);

    @Override
    public int compareTo(FencingToken other) {
        return ORDER.compare(this, other);
    }

    /** Whether this token was given later than {@code other}. */
    public boolean isNewerThan(FencingToken other) {
        return compareTo(other) > 0;
    }
}
