package io.shardbus.core.region;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The asks of one lane under their numbers. A number is a slot and the generation of its use, so that an answer that comes
 * too late meets nobody else's ask. Numbers are never 0.
 */
final class AskTable {
    private @Nullable PendingAsk[] slots = new PendingAsk[64];
    private int[] generations = new int[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used;
    private int size;
    private final DeadlineWheel wheel;

    AskTable(long now) {
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
            // the one before may have ended this one
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
}
