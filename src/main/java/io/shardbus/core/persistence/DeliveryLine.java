package io.shardbus.core.persistence;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;

/**
 * The deliveries of one numbered producer to one entity that are not settled, in the order of their numbers. So many
 * may be under way at once; after a failure only the first one is, until it is settled, so that none overtakes another.
 */
public final class DeliveryLine {
    /** Deliveries under way at once. */
    public static final int WINDOW = 16;

    static final long FIRST_PAUSE_MS = 100;
    static final long LONGEST_PAUSE_MS = 5_000;

    private final Deque<Entry> unsettled = new ArrayDeque<>();
    private long last;
    private int underWay;
    private boolean isBroken;
    private long pause = FIRST_PAUSE_MS;
    private long quietUntil = Long.MIN_VALUE;

    /**
     * Delivery to send now.
     *
     * @param previous the number of the unsettled delivery ahead of it; 0 for none
     */
    public record Attempt(long number, long previous) {}

    private static final class Entry {
        private final long number;
        private boolean isUnderWay;

        Entry(long number) {
            this.number = number;
        }
    }

    /** @throws IllegalArgumentException for a number that is not above the last one */
    public void offer(long number) {
        if (number <= last) {
            throw new IllegalArgumentException("delivery " + number + " comes after " + last
                    + ": the numbers of a producer for one entity rise from 1");
        }
        last = number;
        unsettled.addLast(new Entry(number));
    }

    /** The next one to be sent; from now on it is under way. Asked again until there is none. */
    public Optional<Attempt> next(long now) {
        long previous = 0;
        for (Entry entry : unsettled) {
            if (!entry.isUnderWay) {
                return start(entry, previous, now)
                        ? Optional.of(new Attempt(entry.number, previous))
                        : Optional.empty();
            }
            previous = entry.number;
        }
        return Optional.empty();
    }

    private boolean start(Entry entry, long previous, long now) {
        boolean isFirst = previous == 0;
        if (underWay >= WINDOW || (isFirst ? now < quietUntil : isBroken)) {
            return false;
        }
        entry.isUnderWay = true;
        underWay++;
        return true;
    }

    /** The delivery was confirmed, or given up for good. */
    public void settled(long number) {
        Iterator<Entry> entries = unsettled.iterator();
        while (entries.hasNext()) {
            Entry entry = entries.next();
            if (entry.number == number) {
                entries.remove();
                underWay -= entry.isUnderWay ? 1 : 0;
                isBroken = false;
                pause = FIRST_PAUSE_MS;
                quietUntil = Long.MIN_VALUE;
                return;
            }
        }
    }

    /** The attempt has failed, whether or not the delivery has arrived: it is sent again. */
    public void failed(long number, long now) {
        for (Entry entry : unsettled) {
            if (entry.number == number && entry.isUnderWay) {
                entry.isUnderWay = false;
                underWay--;
                isBroken = true;
                if (entry == unsettled.peekFirst()) {
                    quietUntil = now + pause;
                    pause = Math.min(LONGEST_PAUSE_MS, 2 * pause);
                }
                return;
            }
        }
    }

    /**
     * The time at which {@link #next} has something although nothing happens until then; empty while an attempt is
     * under way.
     */
    public Optional<Long> wakeAt() {
        Entry first = unsettled.peekFirst();
        return first == null || first.isUnderWay ? Optional.empty() : Optional.of(quietUntil);
    }

    public boolean isEmpty() {
        return unsettled.isEmpty();
    }
}
