package io.shardbus.runtime.entity;

import io.shardbus.core.entity.EntityCell;
import org.jspecify.annotations.Nullable;

/** Timers and receive timeout of one entity's instances. */
final class OwnTimes<M> {
    private final InstanceContext<M> instance;
    private final EntityCell cell;
    private volatile @Nullable OwnTimers<M> timers;
    /** On the lane only. */
    private @Nullable ReceiveTimeout<M> silence;

    OwnTimes(InstanceContext<M> instance, EntityCell cell) {
        this.instance = instance;
        this.cell = cell;
    }

    /** From the instance's own code, on any thread. */
    OwnTimers<M> timers() {
        OwnTimers<M> mine = timers;
        if (mine == null) {
            mine = new OwnTimers<>(instance.vertx(), this::fire);
            timers = mine;
        }
        return mine;
    }

    private void fire(OwnTimers<M> by, OwnMessage<M> message) {
        instance.lane().execute((lane, now) -> {
            if (instance.isLive()) {
                instance.deliverOwn(lane, message, now);
            } else {
                // set by another thread while the instance was stopping
                by.cancelAll();
            }
        });
    }

    boolean cancel(long timer) {
        OwnTimers<M> running = timers;
        return running != null && running.cancel(timer);
    }

    /** Whether a timer keeps its entity alive. */
    boolean keepAlive() {
        OwnTimers<M> running = timers;
        return running != null && running.keepAlive();
    }

    int count() {
        OwnTimers<M> running = timers;
        return running == null ? 0 : running.count();
    }

    /** A message came. On the lane. */
    void touched(long now) {
        ReceiveTimeout<M> present = silence;
        if (present != null) {
            present.touched(now);
        }
    }

    /** From now on silence of so many milliseconds is a message, instead of an earlier wish. On the lane. */
    void awaitSilence(long millis, M message, long now) {
        stopSilence();
        var next = new ReceiveTimeout<>(instance.vertx(), cell, millis, message, this::lookForSilence);
        silence = next;
        next.begin(now);
    }

    private void lookForSilence(long timer) {
        instance.lane().execute((lane, now) -> {
            ReceiveTimeout<M> present = silence;
            if (present != null && present.isSilent(timer, now)) {
                instance.deliverOwn(lane, new OwnMessage<>(present.message(), null), now);
            }
        });
    }

    /** On the lane. */
    void stopSilence() {
        ReceiveTimeout<M> present = silence;
        silence = null;
        if (present != null) {
            present.cancel();
        }
    }

    /** The instance has ended. On the lane. */
    void cancelAll() {
        stopSilence();
        OwnTimers<M> running = timers;
        if (running != null) {
            running.cancelAll();
        }
    }
}
