package io.shardbus.core.entity;

import io.shardbus.core.protocol.Envelope;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** What is held for one entity: the messages that wait for their turn, and those that its code has put aside. */
final class Mailbox {
    private final ArrayDeque<Envelope> waiting = new ArrayDeque<>(4);
    private @Nullable ArrayDeque<Envelope> stashed;

    int waiting() {
        return waiting.size();
    }

    int stashed() {
        return stashed == null ? 0 : stashed.size();
    }

    boolean isEmpty() {
        return waiting.isEmpty() && stashed() == 0;
    }

    void add(Envelope envelope) {
        waiting.add(envelope);
    }

    @Nullable
    Envelope poll() {
        return waiting.poll();
    }

    /** Puts a message aside; false if so many are put aside already. */
    boolean stash(Envelope envelope, int most) {
        if (stashed() >= most) {
            return false;
        }
        if (stashed == null) {
            stashed = new ArrayDeque<>(4);
        }
        stashed.add(envelope);
        return true;
    }

    /** Puts what is stashed before all that waits, in its order. */
    void unstash() {
        ArrayDeque<Envelope> back = takeStashed();
        for (Iterator<Envelope> last = back.descendingIterator(); last.hasNext(); ) {
            waiting.addFirst(last.next());
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
        return taken;
    }
}
