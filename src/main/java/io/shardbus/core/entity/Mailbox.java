package io.shardbus.core.entity;

import io.shardbus.core.protocol.Envelope;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** What is held for one entity: the messages that wait for their turn, and those that its code has put aside. */
final class Mailbox {
    private final ArrayDeque<Envelope> waiting = new ArrayDeque<>(4);
    /** When each of them came, in the same order. */
    private final Moments arrivals = new Moments();

    private @Nullable ArrayDeque<Envelope> stashed;
    /** When the first of them was put aside. */
    private long stashedFrom;

    int waiting() {
        return waiting.size();
    }

    int stashed() {
        return stashed == null ? 0 : stashed.size();
    }

    boolean isEmpty() {
        return waiting.isEmpty() && stashed() == 0;
    }

    /** When the message that is next came, or was put aside; only where one waits. */
    long headFrom() {
        return arrivals.first();
    }

    void add(Envelope envelope, long now) {
        waiting.add(envelope);
        arrivals.addLast(now);
    }

    @Nullable
    Envelope poll() {
        if (!waiting.isEmpty()) {
            arrivals.removeFirst();
        }
        return waiting.poll();
    }

    /** Puts a message aside; false if so many are put aside already. */
    boolean stash(Envelope envelope, int most, long now) {
        if (stashed() >= most) {
            return false;
        }
        if (stashed == null) {
            stashed = new ArrayDeque<>(4);
            stashedFrom = now;
        }
        stashed.add(envelope);
        return true;
    }

    /** Puts what is stashed before all that waits, in its order. */
    void unstash() {
        long from = stashedFrom;
        ArrayDeque<Envelope> back = takeStashed();
        for (Iterator<Envelope> last = back.descendingIterator(); last.hasNext(); ) {
            waiting.addFirst(last.next());
            arrivals.addFirst(from);
        }
    }

    /** Takes out what is stashed. */
    ArrayDeque<Envelope> takeStashed() {
        ArrayDeque<Envelope> taken = stashed == null ? new ArrayDeque<>(1) : stashed;
        stashed = null;
        return taken;
    }

    /** Takes out everything, in the order in which it would be handled. */
    ArrayDeque<Envelope> takeAll() {
        unstash();
        ArrayDeque<Envelope> taken = new ArrayDeque<>(waiting);
        waiting.clear();
        arrivals.clear();
        return taken;
    }
}
