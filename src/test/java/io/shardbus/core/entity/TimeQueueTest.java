package io.shardbus.core.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeQueueTest {
    @Test
    void isAQueueWithTwoEnds() {
        var random = new Random(7);
        var expected = new ArrayDeque<Long>();
        var moments = new TimeQueue();
        for (int i = 0; i < 10_000; i++) {
            long moment = i;
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    expected.addLast(moment);
                    moments.addLast(moment);
                }
                case 2 -> {
                    expected.addFirst(moment);
                    moments.addFirst(moment);
                }
                default -> {
                    if (!expected.isEmpty()) {
                        assertEquals(expected.getFirst(), moments.first());
                        assertEquals(expected.removeFirst(), moments.removeFirst());
                    }
                }
            }
        }
    }

    @Test
    void anEmptyOneHasNoFirst() {
        var moments = new TimeQueue();
        moments.addLast(1);
        moments.removeFirst();
        assertThrows(IllegalStateException.class, moments::first);
        assertThrows(IllegalStateException.class, moments::removeFirst);
    }
}
