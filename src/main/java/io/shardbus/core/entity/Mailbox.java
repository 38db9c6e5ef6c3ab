package io.shardbus.core.entity;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Mailbox of one entity: the messages that wait for their turn, and those that its code has put aside. It tells the
 * owner their number, and fails messages that do not fit.
 */
final class Mailbox {
    private final String entityId;
    private final EntityOwner owner;
    private final ArrayDeque<Envelope> waiting = new ArrayDeque<>(4);
    /** Arrival of each of them, in the same order. */
    private final TimeQueue arrivals = new TimeQueue();

    private @Nullable ArrayDeque<Envelope> stashed;
    /** Moment at which the first of them was put aside. */
    private long stashedFrom;

    Mailbox(String entityId, EntityOwner owner) {
        this.entityId = entityId;
        this.owner = owner;
    }

    int waiting() {
        return waiting.size();
    }

    int stashed() {
        return stashed == null ? 0 : stashed.size();
    }

    boolean isEmpty() {
        return waiting.isEmpty() && stashed() == 0;
    }

    /** For how long the message that is next has waited or been stashed, in milliseconds; 0 where none waits. */
    long oldestWait() {
        return waiting.isEmpty() ? 0 : owner.now() - arrivals.first();
    }

    /** Lets a message wait; false, and it has failed, if too many do. */
    boolean keep(Envelope envelope) {
        if (waiting() >= owner.mailboxSize()) {
            refuse(envelope, waiting() + " messages wait for entity '" + entityId + "'");
            return false;
        }
        waiting.add(envelope);
        arrivals.addLast(owner.now());
        owner.waiting(1);
        return true;
    }

    /** Takes the next message out, and tells the code how long it has waited; null where none waits. */
    @Nullable
    Envelope next(EntityCode code) {
        long wait = oldestWait();
        Envelope next = waiting.poll();
        if (next == null) {
            return null;
        }
        arrivals.removeFirst();
        owner.waiting(-1);
        if (!next.isStart()) {
            code.waited(wait);
        }
        return next;
    }

    /** Puts a message aside, or fails it if too many are. */
    void stash(Envelope envelope) {
        ArrayDeque<Envelope> present = stashed;
        if (present == null) {
            present = new ArrayDeque<>(4);
            stashed = present;
            stashedFrom = owner.now();
            owner.stashing(1);
        } else if (present.size() >= owner.mailboxSize()) {
            refuse(envelope, owner.mailboxSize() + " messages are stashed by entity '" + entityId + "'");
            return;
        }
        present.add(envelope);
    }

    private void refuse(Envelope envelope, String why) {
        owner.failed(envelope, Failure.of(FailureCode.MAILBOX_FULL, why));
    }

    /** Puts what is stashed before all that waits, in its order. */
    void unstash() {
        ArrayDeque<Envelope> back = takeStashed();
        owner.waiting(back.size());
        for (Iterator<Envelope> last = back.descendingIterator(); last.hasNext(); ) {
            waiting.addFirst(last.next());
            arrivals.addFirst(stashedFrom);
        }
    }

    private ArrayDeque<Envelope> takeStashed() {
        ArrayDeque<Envelope> taken = stashed;
        if (taken == null) {
            return new ArrayDeque<>(1);
        }
        stashed = null;
        owner.stashing(-1);
        return taken;
    }

    /** Fails what is stashed. */
    void failStash() {
        failAll(takeStashed(), Failure.of(FailureCode.ENTITY_STOPPED, "entity '" + entityId + "' discarded its stash"));
    }

    /** Fails everything, in the order in which it would be handled. Nothing may be put in afterwards. */
    void failAll(Failure failure) {
        ArrayDeque<Envelope> aside = takeStashed();
        owner.waiting(-waiting.size());
        failAll(aside, failure);
        failAll(waiting, failure);
    }

    private void failAll(Collection<Envelope> envelopes, Failure failure) {
        for (Envelope envelope : envelopes) {
            owner.failed(envelope, failure);
        }
    }
}
