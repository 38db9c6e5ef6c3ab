package io.shardbus.datacenter;

import io.shardbus.ShardingException;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The pending messages of a link: those that wait for a connection or are being written, and asks that wait for an
 * answer. Their number is limited, and counted from {@link #reserve} on. Used on the link's event loop, except where a
 * method says otherwise.
 */
final class Outbox {
    /** Senders should wait while a tenth of the limit is pending. */
    private static final int FULL_PART = 10;

    private final Vertx vertx;
    private final int most;
    private final Set<Outgoing> waiting = new LinkedHashSet<>();
    private final Map<Long, Outgoing> underWay = new HashMap<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final LongAdder lostTells = new LongAdder();
    private final Queue<Runnable> drains = new ConcurrentLinkedQueue<>();
    private long lastNumber;

    Outbox(Vertx vertx, int most) {
        this.vertx = vertx;
        this.most = most;
    }

    /** Counts one more message; false above the limit: then the caller must {@link #end} it. Any thread. */
    boolean reserve() {
        return pending.incrementAndGet() <= most;
    }

    int most() {
        return most;
    }

    /** Any thread. */
    int pending() {
        return pending.get();
    }

    /** Any thread. */
    long lostTells() {
        return lostTells.sum();
    }

    /** Whether senders should wait. Any thread. */
    boolean isFull() {
        return pending.get() >= Math.max(1, most / FULL_PART);
    }

    /** Runs the handler once when the outbox is not full, perhaps at once. Any thread. */
    void whenNotFull(Runnable handler) {
        drains.add(handler);
        drain();
    }

    private void drain() {
        if (isFull()) {
            return;
        }
        for (var handler = drains.poll(); handler != null; handler = drains.poll()) {
            handler.run();
        }
    }

    /** Keeps a message until there is a connection. */
    void await(Outgoing message) {
        waiting.add(message);
    }

    /** Removes and returns the messages that wait for a connection, in the order in which they were added. */
    List<Outgoing> takeWaiting() {
        var all = new ArrayList<>(waiting);
        waiting.clear();
        return all;
    }

    /** Gives an ask that is sent its number, and keeps it until its answer. */
    void sends(Outgoing ask) {
        ask.number(++lastNumber);
        underWay.put(ask.number(), ask);
    }

    boolean hasUnderWay() {
        return !underWay.isEmpty();
    }

    /** Ends the ask of this number, and returns the receiver of its answer; null if the ask had ended before. */
    Outgoing.@Nullable Answer settle(long number) {
        var ask = underWay.get(number);
        return ask != null && settle(ask) ? ask.answer() : null;
    }

    /** Ends a message; false if it had ended before. */
    boolean settle(Outgoing message) {
        if (!message.end()) {
            return false;
        }
        if (message.timer() >= 0) {
            vertx.cancelTimer(message.timer());
        }
        waiting.remove(message);
        underWay.remove(message.number());
        pending.decrementAndGet();
        drain();
        return true;
    }

    /** Ends a message that failed: its ask fails, or it is counted as a lost tell. */
    void end(Outgoing message, ShardingException failure) {
        if (!settle(message)) {
            return;
        }
        var answer = message.answer();
        if (answer == null) {
            lostTells.increment();
        } else {
            answer.failed(failure);
        }
    }

    void endWaiting(ShardingException failure) {
        takeWaiting().forEach(message -> end(message, failure));
    }

    void endUnderWay(ShardingException failure) {
        new ArrayList<>(underWay.values()).forEach(ask -> end(ask, failure));
    }
}
