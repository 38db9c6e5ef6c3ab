package io.shardbus.model;

import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Identity of a founded cluster in its term record: the founding, the seats, and the enrolled processes, which may
 * coordinate the cluster.
 *
 * @param founding the attempt by which the cluster was founded; different for each founding
 * @param seats the names of all seats; empty if every process of the one host counts as a seat
 * @param enrolled the members at the last write of the record: only they may claim the next term
 */
public record Charter(TermId founding, Set<String> seats, Set<NodeId> enrolled) {
    public Charter {
        Objects.requireNonNull(founding, "founding");
        seats = Collections.unmodifiableSet(new TreeSet<>(seats));
        enrolled = Collections.unmodifiableSet(new TreeSet<>(enrolled));
    }

    /** The same cluster with these members. */
    public Charter with(Set<NodeId> members) {
        return new Charter(founding, seats, members);
    }
}
