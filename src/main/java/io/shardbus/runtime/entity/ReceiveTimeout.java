package io.shardbus.runtime.entity;

import io.shardbus.core.entity.CellState;
import io.shardbus.core.entity.EntityCell;
import io.vertx.core.Vertx;
import java.util.function.LongConsumer;

/**
 * Receive timeout of one instance: the moment of its last message, and one timer that checks it when the timeout may
 * have passed, so that a message costs no timer. On the lane only.
 */
final class ReceiveTimeout<M> {
    private final Vertx vertx;
    private final EntityCell cell;
    private final long timeout;
    private final M message;
    private final LongConsumer fired;
    private long last;
    private long timer;

    /**
     * @param timeout in ms, at least 1
     * @param fired gets the timer's number, on any thread
     */
    ReceiveTimeout(Vertx vertx, EntityCell cell, long timeout, M message, LongConsumer fired) {
        this.vertx = vertx;
        this.cell = cell;
        this.timeout = timeout;
        this.message = message;
        this.fired = fired;
    }

    M message() {
        return message;
    }

    /** A message came. */
    void touched(long now) {
        last = now;
    }

    void begin(long now) {
        last = now;
        arm(timeout);
    }

    private void arm(long millis) {
        timer = vertx.setTimer(millis, fired::accept);
    }

    /** A timer fired; whether the entity is to hear of it. One that was cancelled meanwhile says nothing. */
    boolean isSilent(long number, long now) {
        if (number != timer) {
            return false;
        }
        boolean idle = cell.state() == CellState.IDLE && cell.waiting() == 0;
        boolean silent = idle && now - last >= timeout;
        if (silent || !idle) {
            last = now;
        }
        arm(Math.max(1, last + timeout - now));
        return silent;
    }

    void cancel() {
        vertx.cancelTimer(timer);
    }
}
