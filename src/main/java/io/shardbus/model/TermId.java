package io.shardbus.model;

import java.util.Comparator;

/**
 * Identity of a term, which is one reign of a coordinator. Two sides of a partition may take the same number, but never
 * the same pair.
 *
 * @param number rises with every reign
 * @param incarnation identifies the run of the process that coordinates
 */
public record TermId(long number, long incarnation) implements Comparable<TermId> {
    /** Before the first reign. */
    public static final TermId NONE = new TermId(0, 0);

    private static final Comparator<TermId> ORDER =
            Comparator.comparingLong(TermId::number).thenComparingLong(TermId::incarnation);

    @Override
    public int compareTo(TermId other) {
        return ORDER.compare(this, other);
    }

    public boolean isHigherThan(TermId other) {
        return compareTo(other) > 0;
    }
}
