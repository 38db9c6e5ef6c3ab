package io.shardbus.runtime.entity;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** The timers that one instance has set; they end with the instance. */
final class OwnTimers<M> {
    /** Takes the message of a timer that has fired, on the context that set it. */
    interface Fired<M> {
        void fired(OwnTimers<M> by, OwnMessage<M> message);
    }

    private final Vertx vertx;
    private final Fired<M> fired;
    private final Map<Long, Timer> running = new ConcurrentHashMap<>();
    /** Timers for whose message the entity is not passivated. */
    private final Set<Timer> awaited = ConcurrentHashMap.newKeySet();

    /**
     * One timer; true when it is over: cancelled or, if it fires once, with its message taken up. Any thread.
     */
    final class Timer extends AtomicBoolean {
        private static final long serialVersionUID = 1;

        private final boolean periodic;
        /** 0 until a thread knows it: the timer may fire before the thread that sets it does. */
        private volatile long number;

        private Timer(boolean periodic) {
            this.periodic = periodic;
        }

        /** Its message is taken up, or lost; false where the timer was over before. */
        boolean takeUp() {
            return periodic ? !get() : end();
        }

        private boolean end() {
            boolean first = compareAndSet(false, true);
            if (first) {
                awaited.remove(this);
                running.remove(number);
            }
            return first;
        }
    }

    OwnTimers(Vertx vertx, Fired<M> fired) {
        this.vertx = vertx;
        this.fired = fired;
    }

    static long millis(String what, Duration duration) {
        if (duration.toMillis() < 1) {
            throw new IllegalArgumentException(what + " of " + duration + ": must be at least 1 ms");
        }
        return duration.toMillis();
    }

    long set(Duration delay, M message, boolean periodic, boolean keepAlive) {
        Objects.requireNonNull(message, "message");
        long millis = millis("timer", delay);
        Timer set = new Timer(periodic);
        if (keepAlive) {
            awaited.add(set);
        }
        long number = periodic
                ? vertx.setPeriodic(millis, fires -> fire(set, fires, message))
                : vertx.setTimer(millis, fires -> fire(set, fires, message));
        set.number = number;
        running.put(number, set);
        if (set.get()) {
            running.remove(number);
        }
        return number;
    }

    private void fire(Timer timer, long number, M message) {
        timer.number = number;
        fired.fired(this, new OwnMessage<>(message, timer));
    }

    /** Whether a timer that keeps its entity alive has still to fire, or its message to be taken up. */
    boolean keepAlive() {
        return !awaited.isEmpty();
    }

    int count() {
        return running.size();
    }

    /** Also one whose message waits to be taken up. */
    boolean cancel(long number) {
        Timer timer = running.get(number);
        if (timer == null || !timer.end()) {
            return false;
        }
        vertx.cancelTimer(number);
        return true;
    }

    void cancelAll() {
        running.keySet().forEach(this::cancel);
    }
}
