package io.shardbus.runtime.control;

import io.shardbus.runtime.events.Listeners;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/**
 * Tells how long the confirmations of this node's reigns took. Any thread; listeners are called on the control context.
 */
public final class Confirmations {
    private final LongAdder listenerFailures = new LongAdder();
    private final Listeners<LongConsumer> listeners =
            new Listeners<>("confirmations of this node's terms", listenerFailures::increment);

    /** @param listener gets milliseconds from the write of the term record to its answer; must not block */
    public void listen(LongConsumer listener) {
        listeners.add(listener);
    }

    public void unlisten(LongConsumer listener) {
        listeners.remove(listener);
    }

    /** Number of exceptions of listeners. */
    public long listenerFailures() {
        return listenerFailures.sum();
    }

    void took(long millis) {
        listeners.tell(listener -> listener.accept(millis));
    }
}
