package io.shardbus.model;

import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The one record that says who coordinates: a reign of one coordinator. A claimant writes it by compare-and-set from
 * the record that it read; the owner then rewrites it with the next {@code beat} as long as it reigns. A beat that does
 * not change shows the readers that the owner is gone or cut off.
 *
 * @param term the number of the reign; every claim takes a greater one
 * @param owner the node that reigns
 * @param incarnation tells apart two claims of the same term on two sides of a partition
 * @param beat how often the owner has confirmed the reign; {@link #RELEASED} once it gave up in good order
 * @param leaseMillis longest duration of leases of this reign, and of leases of earlier reigns that may still be valid
 * @param holders every node on which a region may hold a lease of this reign or of one before; null if that is not
 *     known
 * @param charter the cluster of the reign; null if there can be no other cluster
 * @param rest fields that a later build has written; empty in a record that this build makes
 */
public record TermRecord(
        long term,
        NodeId owner,
        long incarnation,
        long beat,
        long leaseMillis,
        @Nullable Set<NodeId> holders,
        @Nullable Charter charter,
        UnknownFields rest) {
    /** The beat of a record whose owner gave up in good order. */
    public static final long RELEASED = -1;

    /** Default duration of leases in milliseconds. */
    public static final long USUAL_LEASE = 8_000;

    public TermRecord {
        Objects.requireNonNull(owner, "owner");
        if (term < 1) {
            throw new IllegalArgumentException("term must be at least 1: " + term);
        }
        if (beat < RELEASED) {
            throw new IllegalArgumentException("beat must be at least " + RELEASED + ": " + beat);
        }
        if (leaseMillis < 1) {
            throw new IllegalArgumentException("leaseMillis must be at least 1: " + leaseMillis);
        }
        holders = holders == null ? null : Collections.unmodifiableSet(new TreeSet<>(holders));
    }

    /** A reign without a charter, with leases of the usual duration and unknown holders. */
    public TermRecord(long term, NodeId owner, long incarnation, long beat) {
        this(term, owner, incarnation, beat, USUAL_LEASE, null);
    }

    /** A reign without a charter. */
    public TermRecord(
            long term, NodeId owner, long incarnation, long beat, long leaseMillis, @Nullable Set<NodeId> holders) {
        this(term, owner, incarnation, beat, leaseMillis, holders, null);
    }

    /** A reign with every field that this build writes. */
    public TermRecord(
            long term,
            NodeId owner,
            long incarnation,
            long beat,
            long leaseMillis,
            @Nullable Set<NodeId> holders,
            @Nullable Charter charter) {
        this(term, owner, incarnation, beat, leaseMillis, holders, charter, UnknownFields.NONE);
    }

    /** The same reign, confirmed once more. */
    public TermRecord nextBeat() {
        return new TermRecord(term, owner, incarnation, beat + 1, leaseMillis, holders, charter, rest);
    }

    /** Whether it was written after the other one: in a higher term, or later in the same reign. */
    public boolean isNewerThan(@Nullable TermRecord other) {
        return other == null || termId().isHigherThan(other.termId()) || (isSameReign(other) && beat > other.beat);
    }

    /** Whether both records are of one and the same reign, also with different beats. */
    public boolean isSameReign(TermRecord other) {
        return term == other.term && incarnation == other.incarnation && owner.equals(other.owner);
    }

    public TermId termId() {
        return new TermId(term, incarnation);
    }

    /** Whether the owner gave up in good order, so that any node may claim. */
    public boolean isReleased() {
        return beat == RELEASED;
    }
}
