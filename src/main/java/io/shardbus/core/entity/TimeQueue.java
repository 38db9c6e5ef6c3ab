package io.shardbus.core.entity;

import java.util.Arrays;

/** A queue of moments that allocates nothing for one, in a ring that grows by doubling. */
final class TimeQueue {
    private static final int FIRST_SIZE = 4;

    /** A power of two long. */
    private long[] ring = new long[FIRST_SIZE];

    private int head;
    private int size;

    void addLast(long moment) {
        makeRoom();
        ring[at(size)] = moment;
        size++;
    }

    void addFirst(long moment) {
        makeRoom();
        head = at(-1);
        ring[head] = moment;
        size++;
    }

    /** @throws IllegalStateException when there is none */
    long first() {
        if (size == 0) {
            throw new IllegalStateException("there is no first moment of none");
        }
        return ring[head];
    }

    /** @throws IllegalStateException when there is none */
    long removeFirst() {
        long first = first();
        head = at(1);
        size--;
        return first;
    }

    private int at(int place) {
        return (head + place) & (ring.length - 1);
    }

    private void makeRoom() {
        if (size == ring.length) {
            long[] larger = Arrays.copyOf(ring, 2 * size);
            // what had wrapped around goes behind the rest
            System.arraycopy(ring, 0, larger, size, head);
            ring = larger;
        }
    }
}
