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
    /** Key of each timer among those that are awaited. */
    private final Map<Long, Object> running = new ConcurrentHashMap<>();
    /** Timers for whose message the entity is not passivated. */
    private final Set<Object> awaited = ConcurrentHashMap.newKeySet();

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
        Object name = new Object();
        if (keepAlive) {
            awaited.add(name);
        }
        long timer = periodic
                ? vertx.setPeriodic(millis, number -> fired.fired(this, message, () -> {}))
                : vertx.setTimer(millis, number -> {
                    running.remove(number);
                    fired.fired(this, message, () -> awaited.remove(name));
                });
        running.put(timer, name);
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
        Object name = running.remove(timer);
        if (name == null) {
            return false;
        }
        awaited.remove(name);
        return vertx.cancelTimer(timer);
    }

    void cancelAll() {
        running.keySet().forEach(vertx::cancelTimer);
    }
}
