package io.shardbus.core.routing;

import io.shardbus.core.protocol.Envelope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The asks of one lane under their numbers. A number is a slot and the generation of its use, so that an answer that
 * comes too late meets no other ask. Numbers are never 0.
 */
final class AskTable {
    /** 2 to the 64th by the golden ratio (Knuth, The Art of Computer Programming, 6.4). */
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    private @Nullable PendingAsk[] slots = new PendingAsk[64];
    private int[] generations = new int[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used;
    private int size;
    private final int firstGeneration;
    private final DeadlineWheel wheel;

    /** @param now when the table begins: an answer to an earlier one of its lane meets none of its asks */
    AskTable(long now) {
        firstGeneration = (int) (now * SCATTER >>> 32);
        wheel = new DeadlineWheel(now);
    }

    int size() {
        return size;
    }

    long add(PendingAsk ask) {
        int slot = freeCount > 0 ? free[--freeCount] : nextSlot();
        int generation = ++generations[slot];
        slots[slot] = ask;
        size++;
        ask.number = (long) generation << 32 | (slot + 1);
        wheel.add(ask);
        return ask.number;
    }

    private int nextSlot() {
        if (used == slots.length) {
            slots = Arrays.copyOf(slots, used * 2);
            generations = Arrays.copyOf(generations, used * 2);
            free = Arrays.copyOf(free, used * 2);
        }
        generations[used] = firstGeneration;
        return used++;
    }

    @Nullable
    PendingAsk get(long number) {
        int slot = (int) number - 1;
        if (slot < 0 || slot >= used || generations[slot] != (int) (number >>> 32)) {
            return null;
        }
        return slots[slot];
    }

    /**
     * Gives each ask to the consumer, which must not change the table. Another thread may call this while the table's
     * owner goes on: it sees those that it can know to have been there, and perhaps some that have just been removed.
     */
    void forEach(Consumer<PendingAsk> consumer) {
        for (PendingAsk ask : slots) {
            if (ask != null) {
                consumer.accept(ask);
            }
        }
    }

    /** Whether the message is an ask that waits no longer for its answer. */
    boolean isOver(Envelope message) {
        return message.ask() != 0 && get(message.ask()) == null;
    }

    @Nullable
    PendingAsk remove(long number) {
        PendingAsk ask = get(number);
        if (ask != null) {
            int slot = (int) number - 1;
            slots[slot] = null;
            free[freeCount++] = slot;
            size--;
            wheel.remove(ask);
        }
        return ask;
    }

    void expire(long now, Consumer<PendingAsk> expired) {
        List<PendingAsk> due = new ArrayList<>(0);
        wheel.expire(now, due::add);
        for (PendingAsk ask : due) {
            // the expiry of the previous ask may have ended this one
            if (remove(ask.number) == ask) {
                expired.accept(ask);
            }
        }
    }

    /** Takes out all that match. */
    List<PendingAsk> removeIf(Predicate<PendingAsk> matches) {
        List<PendingAsk> taken = new ArrayList<>();
        for (int slot = 0; slot < used; slot++) {
            PendingAsk ask = slots[slot];
            if (ask != null && matches.test(ask)) {
                remove(ask.number);
                taken.add(ask);
            }
        }
        return taken;
    }

    /**
     * The deadlines of a lane's asks, coarse and cheap: a hashed timing wheel (Varghese and Lauck, 1987, scheme 6). An
     * entry expires at most one tick late, never early; adding and removing cost the same however many there are.
     */
    static final class DeadlineWheel {
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
}
