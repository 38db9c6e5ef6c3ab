package io.shardbus.runtime.entity;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** The timers that one instance has set; they end with it. */
final class OwnTimers<M> {
    /** The instance's number. */
    final long life;

    private final Vertx vertx;
    private final BiConsumer<OwnTimers<M>, M> fired;
    private final Set<Long> running = ConcurrentHashMap.newKeySet();

    /** @param fired gets the message of a timer, on the context that set it */
    OwnTimers(Vertx vertx, long life, BiConsumer<OwnTimers<M>, M> fired) {
        this.vertx = vertx;
        this.life = life;
        this.fired = fired;
    }

    static long millis(String what, Duration duration) {
        if (duration.toMillis() < 1) {
            throw new IllegalArgumentException(what + " of " + duration + ": must be at least 1 ms");
        }
        return duration.toMillis();
    }

    long set(Duration delay, M message, boolean periodic) {
        Objects.requireNonNull(message, "message");
        long millis = millis("timer", delay);
        long timer = periodic
                ? vertx.setPeriodic(millis, number -> fired.accept(this, message))
                : vertx.setTimer(millis, number -> {
                    running.remove(number);
                    fired.accept(this, message);
                });
        running.add(timer);
        return timer;
    }

    boolean cancel(long timer) {
        return running.remove(timer) && vertx.cancelTimer(timer);
    }

    void cancelAll() {
        running.forEach(vertx::cancelTimer);
    }
}
