package io.shardbus.core.control;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import org.jspecify.annotations.Nullable;

/**
 * Decides which terms heard in messages are believed. A message may be made up, and a term that was believed cannot be
 * taken back: all later ones must exceed it. The term record cannot be made up by a client of the bus. So the first
 * message with a higher term has the record read; what the record shows is believed at once. Sides of a split may have
 * reached terms that the record does not show: such a term is believed when it is heard a second time, but only if it
 * is possible. It is possible up to {@value #LEAD} above the own wall clock in milliseconds, and up to {@value #STEPS}
 * above the record. A day of that is what a store may have raised the terms of one side by.
 */
final class HeardTerms {
    /**
     * By how much terms may be ahead of the clocks, and these may differ by a minute, in milliseconds; a term that the
     * record shows may be further ahead.
     */
    static final long LEAD = TermNumbers.LEAD + 60_000;

    /** More terms than two sides of a split go through before one hears of the other. */
    static final long STEPS = 100;

    /** No higher term is accepted, so that there is always a next one. */
    static final long HIGHEST = Long.MAX_VALUE / 2;

    private final LeaseTimes times;
    private @Nullable TermRecord recorded;
    private @Nullable Heard awaited;
    private @Nullable Heard believed;
    private @Nullable TermId impossible;

    /** A term, and which node reigns in it according to the message that came first. */
    private record Heard(TermId term, @Nullable NodeId coordinator, long since) {}

    HeardTerms(LeaseTimes times) {
        this.times = times;
    }

    /**
     * A message carried a term that is higher than all that are believed.
     *
     * @param wall the own wall clock in milliseconds
     * @return whether the record is to be read now, as it may show the term
     */
    boolean hear(TermId term, @Nullable NodeId coordinator, long wall, long now) {
        TermRecord known = recorded;
        if (known != null && !term.isHigherThan(known.termId())) {
            believe(term, term.equals(known.termId()) ? known.owner() : coordinator);
            return false;
        }
        if (!isPossible(term, wall)) {
            impossible = term;
            return false;
        }
        Heard before = awaited;
        if (before == null || now >= before.since + times.lease()) {
            awaited = new Heard(term, coordinator, now);
            return true;
        }
        if (now >= before.since + pause()) {
            believe(term, coordinator);
        } else if (term.isHigherThan(before.term)) {
            awaited = new Heard(term, coordinator, before.since);
        }
        return false;
    }

    /** Long enough for the record to be read meanwhile, and less than a coordinator waits between two announcements. */
    private long pause() {
        return times.confirmInterval() / 2;
    }

    private boolean isPossible(TermId term, long wall) {
        long most = Math.max(wall + LEAD, recorded == null ? 0 : recorded.term() + STEPS);
        return term.number() <= Math.min(most, HIGHEST) && term.incarnation() >= 0;
    }

    /** Whether an operation on the record that was sent at this moment may have missed a term that was heard. */
    boolean awaitsRecordSince(long sent) {
        return awaited != null && awaited.since >= sent;
    }

    /** This node has read the record, or has written it. */
    void shown(@Nullable TermRecord record) {
        if (record == null || recorded != null && !record.termId().isHigherThan(recorded.termId())) {
            return;
        }
        recorded = record;
        Heard waiting = awaited;
        if (waiting != null && !waiting.term.isHigherThan(record.termId())) {
            believe(waiting.term, waiting.term.equals(record.termId()) ? record.owner() : waiting.coordinator);
        }
    }

    private void believe(TermId term, @Nullable NodeId coordinator) {
        awaited = null;
        believed = new Heard(term, coordinator, 0);
    }

    /** The outcome of a term that was heard; asked for once. */
    @Nullable
    ElectionCommand take() {
        Heard next = believed;
        TermId refused = impossible;
        believed = null;
        impossible = null;
        if (next != null) {
            return new ElectionCommand.TermBelieved(next.term, next.coordinator);
        }
        return refused == null ? null : new ElectionCommand.TermRefused(refused);
    }
}
