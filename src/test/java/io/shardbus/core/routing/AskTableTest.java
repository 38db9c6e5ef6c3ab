package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.Failure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AskTableTest {
    private final AskTable asks = new AskTable(0);
    private final List<PendingAsk> expired = new ArrayList<>();

    private static final class Ask extends PendingAsk {
        Ask(long deadline) {
            super(deadline);
        }

        @Override
        public void complete(@Nullable Object value) {}

        @Override
        public void fail(Failure failure) {}
    }

    @Test
    void findsAnAskUnderItsNumberOnce() {
        Ask ask = new Ask(100);
        long number = asks.add(ask);
        assertNotEquals(0, number);
        assertSame(ask, asks.get(number));
        assertSame(ask, asks.remove(number));
        assertNull(asks.remove(number));
        assertEquals(0, asks.size());
    }

    @Test
    void aLateAnswerMeetsNoOtherAsk() {
        long first = asks.add(new Ask(100));
        asks.remove(first);
        long second = asks.add(new Ask(100));
        assertNotEquals(first, second);
        assertNull(asks.get(first));
        assertNull(asks.get(0));
        assertNull(asks.get(77));
    }

    @Test
    void growsBeyondItsFirstSlots() {
        for (int i = 0; i < 1_000; i++) {
            asks.add(new Ask(100));
        }
        assertEquals(1_000, asks.size());
        asks.expire(200, expired::add);
        assertEquals(1_000, expired.size());
    }

    @Test
    void expiresAtMostATickLateAndNeverEarly() {
        for (long deadline = 0; deadline < 300; deadline++) {
            asks.add(new Ask(deadline));
        }
        for (long now = 0; now < 320; now++) {
            long moment = now;
            asks.expire(now, ask -> {
                assertTrue(moment >= ask.deadline() && moment <= ask.deadline() + 2 * AskTable.DeadlineWheel.TICK);
                expired.add(ask);
            });
        }
        assertEquals(300, expired.size());
    }

    @Test
    void expiresDeadlinesBeyondOneTurnOfTheWheel() {
        asks.add(new Ask(20_000));
        asks.expire(19_999, expired::add);
        assertEquals(0, expired.size());
        asks.expire(20_016, expired::add);
        assertEquals(1, expired.size());
    }

    @Test
    void expiresEverythingAfterALongPause() {
        for (long deadline = 0; deadline < 30_000; deadline += 100) {
            asks.add(new Ask(deadline));
        }
        asks.expire(1_000_000, expired::add);
        assertEquals(300, expired.size());
    }

    @Test
    void anAskThatEndsWithAnotherDoesNotExpireTwice() {
        long first = asks.add(new Ask(10));
        long second = asks.add(new Ask(10));
        asks.expire(50, ask -> {
            expired.add(ask);
            asks.remove(first);
            asks.remove(second);
            asks.add(new Ask(10_000));
        });
        assertEquals(1, expired.size());
        assertEquals(1, asks.size());
    }

    @Test
    void takesOutWhatMatches() {
        asks.add(new Ask(10));
        asks.add(new Ask(20));
        assertEquals(1, asks.removeIf(ask -> ask.deadline() == 10).size());
        assertEquals(1, asks.size());
    }

    @Test
    void removesFromTheMiddleOfABucket() {
        long[] numbers = {asks.add(new Ask(10)), asks.add(new Ask(10)), asks.add(new Ask(10))};
        asks.remove(numbers[1]);
        asks.remove(numbers[2]);
        asks.expire(50, expired::add);
        assertEquals(1, expired.size());
    }
}
