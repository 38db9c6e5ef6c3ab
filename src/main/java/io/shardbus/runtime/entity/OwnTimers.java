package io.shardbus.runtime.entity;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The timers that one instance has set; they end with the instance. */
final class OwnTimers<M> {
    /** Takes the message of a timer that has fired, on the context that set it. */
    interface Fired<M> {
        /** @param delivered to be run when the message is with its entity */
        void fired(OwnTimers<M> by, M message, Runnable delivered);
    }

    private final Vertx vertx;
    private final Fired<M> fired;
    private final Map<Long, Timer> running = new ConcurrentHashMap<>();
    /** Timers for whose message the entity is not passivated. */
    private final Set<Timer> awaited = ConcurrentHashMap.newKeySet();

    private static final class Timer {
        /** Whether it has fired for the last time; perhaps before the thread that set it knows its number. */
        volatile boolean over;
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
        Timer set = new Timer();
        if (keepAlive) {
            awaited.add(set);
        }
        long timer = periodic
                ? vertx.setPeriodic(millis, number -> fired.fired(this, message, () -> {}))
                : vertx.setTimer(millis, number -> {
                    set.over = true;
                    running.remove(number);
                    fired.fired(this, message, () -> awaited.remove(set));
                });
        running.put(timer, set);
        if (set.over) {
            running.remove(timer);
        }
        return timer;
    }

    /** Whether a timer that keeps its entity alive has still to fire, or its message to arrive. */
    boolean keepAlive() {
        return !awaited.isEmpty();
    }

    int count() {
        return running.size();
    }

    boolean cancel(long timer) {
        Timer set = running.remove(timer);
        if (set == null) {
            return false;
        }
        awaited.remove(set);
        return vertx.cancelTimer(timer);
    }

    void cancelAll() {
        running.keySet().forEach(vertx::cancelTimer);
    }
}
