package io.shardbus.runtime.control;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;

/**
 * Tells how long the confirmations of this node's reigns took. Any thread; listeners are called on the control context.
 */
public final class Confirmations {
    private final List<LongConsumer> listeners = new CopyOnWriteArrayList<>();

    /** @param listener gets milliseconds from the write of the term record to its answer; must not block */
    public void listen(LongConsumer listener) {
        listeners.add(listener);
    }

    public void unlisten(LongConsumer listener) {
        listeners.remove(listener);
    }

    void took(long millis) {
        for (LongConsumer listener : listeners) {
            listener.accept(millis);
        }
    }
}
