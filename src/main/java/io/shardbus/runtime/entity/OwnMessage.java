package io.shardbus.runtime.entity;

import org.jspecify.annotations.Nullable;

/** A message of an instance's own timers, or of its receive timeout. On the lane. */
public final class OwnMessage<M> {
    private final M message;
    private final OwnTimers<M>.@Nullable Timer timer;
    private boolean taken;

    /** @param timer the timer that sent it; null for the receive timeout */
    OwnMessage(M message, OwnTimers<M>.@Nullable Timer timer) {
        this.message = message;
        this.timer = timer;
    }

    M message() {
        return message;
    }

    /**
     * Whether the instance is to handle it now: not if its timer was cancelled, or ended with an earlier instance,
     * while the message waited. A message that was stashed after it was taken up is handled again.
     */
    boolean takeUp() {
        if (!taken && timer != null && !timer.takeUp()) {
            return false;
        }
        taken = true;
        return true;
    }

    /** No instance will handle it. */
    private void lost() {
        if (timer != null) {
            timer.takeUp();
        }
    }

    /** The payload is not delivered: if it is an own message of an instance, its timer waits no longer for that. */
    public static void lost(Object payload) {
        if (payload instanceof OwnMessage<?> own) {
            own.lost();
        }
    }

    /** The payload as its sender gave it: of an own message, the message in it. */
    public static Object message(Object payload) {
        return payload instanceof OwnMessage<?> own ? own.message() : payload;
    }
}
