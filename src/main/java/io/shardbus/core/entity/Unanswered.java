package io.shardbus.core.entity;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one entity that are handled and not answered, in the order in which they were taken up; without the
 * last of them, which the cell has in hand until the next one comes. An entity that answers before it takes the next
 * message has none.
 */
final class Unanswered {
    private record Handled(Envelope envelope, long from) {}

    private final ArrayDeque<Handled> all = new ArrayDeque<>();

    /** @param from when it was taken up */
    void add(Envelope envelope, long from) {
        all.add(new Handled(envelope, from));
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The oldest; there is one. */
    Envelope oldest() {
        return all.getFirst().envelope();
    }

    /** When the oldest was taken up. */
    long from() {
        return all.getFirst().from();
    }

    /** Removes a message, mostly the oldest; false if it is not among them. */
    boolean remove(Envelope envelope) {
        for (Iterator<Handled> next = all.iterator(); next.hasNext(); ) {
            if (next.next().envelope() == envelope) {
                next.remove();
                return true;
            }
        }
        return false;
    }

    /**
     * Fails the messages of an instance that was stopped by force.
     *
     * @param earlier null for none
     * @param last null for none
     */
    static void interrupted(EntityOwner owner, @Nullable Unanswered earlier, @Nullable Envelope last) {
        if (earlier != null) {
            earlier.all.forEach(handled -> interrupted(owner, handled.envelope()));
        }
        if (last != null) {
            interrupted(owner, last);
        }
    }

    private static void interrupted(EntityOwner owner, Envelope envelope) {
        String text = "entity '" + envelope.entityId() + "' was stopped by force";
        owner.failed(envelope, Failure.of(FailureCode.OUTCOME_UNKNOWN, text));
    }
}
