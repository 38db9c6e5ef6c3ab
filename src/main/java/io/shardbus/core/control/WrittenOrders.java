package io.shardbus.core.control;

import io.shardbus.model.TermId;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The record of standing orders: what stands, and the highest term in which it was written. A coordinator that was
 * succeeded changes nothing once its successor has written: an order that it still holds may be older than an opposite
 * order that the successor got.
 *
 * @param writer {@link TermId#NONE} if there is no record, or it does not say
 */
public record WrittenOrders(StandingOrders orders, TermId writer) {
    /** No record. */
    public static final WrittenOrders NONE = new WrittenOrders(StandingOrders.NONE, TermId.NONE);

    /** Whether a reign may write over this record. */
    public boolean yieldsTo(TermId term) {
        return !writer.isHigherThan(term);
    }

    /** Whether a reign that has read this record, where there is one, is to write its term into it. */
    public boolean isOfBefore(TermId term) {
        return term.isHigherThan(writer) && (!orders.isEmpty() || !writer.equals(TermId.NONE));
    }

    /**
     * The record that a reign writes over this one, also where only the term changes; empty if there is nothing to
     * write, as the record says it already, a later reign has written it, or more orders would stand than are kept.
     */
    public Optional<WrittenOrders> after(TermId term, UnaryOperator<StandingOrders> change) {
        if (!yieldsTo(term)) {
            return Optional.empty();
        }
        StandingOrders next = change.apply(orders);
        if (next.isTooLarge() || next == orders && writer.equals(term)) {
            return Optional.empty();
        }
        return Optional.of(new WrittenOrders(next, term));
    }
}
