package io.shardbus.core.region;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of a lane's asks, coarse and cheap: a hashed timing wheel (Varghese and Lauck, 1987, scheme 6). An entry
 * expires at most one tick late, never early; adding and removing cost the same however many there are.
 */
final class DeadlineWheel {
    static final long TICK = 8;
    private static final int BUCKETS = 1024;

    private final @Nullable PendingAsk[] heads = new PendingAsk[BUCKETS];
    private long swept;

    DeadlineWheel(long now) {
        swept = now / TICK;
    }

    void add(PendingAsk ask) {
        long tick = Math.max(ask.deadline / TICK, swept) + 1;
        int bucket = (int) (tick & (BUCKETS - 1));
        PendingAsk head = heads[bucket];
        ask.bucket = bucket;
        ask.previous = null;
        ask.next = head;
        if (head != null) {
            head.previous = ask;
        }
        heads[bucket] = ask;
    }

    void remove(PendingAsk ask) {
        if (ask.bucket < 0) {
            return;
        }
        if (ask.previous == null) {
            heads[ask.bucket] = ask.next;
        } else {
            ask.previous.next = ask.next;
        }
        if (ask.next != null) {
            ask.next.previous = ask.previous;
        }
        ask.bucket = -1;
        ask.next = null;
        ask.previous = null;
    }

    /** Gives every ask whose deadline has passed to the consumer, which must not change the wheel meanwhile. */
    void expire(long now, Consumer<PendingAsk> expired) {
        long until = now / TICK;
        long from = Math.max(swept + 1, until - BUCKETS + 1);
        swept = Math.max(swept, until);
        for (long tick = from; tick <= until; tick++) {
            sweep((int) (tick & (BUCKETS - 1)), now, expired);
        }
    }

    private void sweep(int bucket, long now, Consumer<PendingAsk> expired) {
        PendingAsk ask = heads[bucket];
        while (ask != null) {
            PendingAsk following = ask.next;
            if (ask.deadline <= now) {
                expired.accept(ask);
            }
            ask = following;
        }
    }

    void clear() {
        Arrays.fill(heads, null);
    }
}
