package io.shardbus.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge itself: it must accept what is right and find what is wrong. */
class CounterHistoryTest {
    private static Exchange answer(long amount, long sent, long answered, long value, String incarnation) {
        return new Exchange(
                "n",
                "a",
                amount,
                sent,
                answered,
                new Exchange.State(value, incarnation, 1, incarnation.length()),
                null);
    }

    private static Exchange failure(long amount) {
        return new Exchange("n", "a", amount, 0, 1, null, new Exchange.Failure(false, "lost"));
    }

    private static int faults(Exchange... exchanges) {
        return CounterHistory.wrongIn(List.of(exchanges)).size();
    }

    @Test
    void acceptsWhatIsRight() {
        assertEquals(
                0,
                faults(
                        answer(3, 0, 10, 8, "x"),
                        answer(5, 1, 5, 5, "x"),
                        answer(0, 11, 12, 8, "x"),
                        answer(4, 20, 21, 4, "xx")));
    }

    @Test
    void acceptsWhatARequestInDoubtMayHaveAdded() {
        assertEquals(0, faults(answer(3, 0, 1, 7, "x"), failure(4)));
        assertEquals(1, faults(answer(3, 0, 1, 7, "x"), failure(3)));
    }

    @Test
    void findsALostAmount() {
        assertEquals(2, faults(answer(3, 0, 1, 3, "x"), answer(4, 2, 3, 4, "x")));
    }

    @Test
    void findsAnAmountAddedTwice() {
        assertEquals(1, faults(answer(3, 0, 1, 3, "x"), answer(4, 2, 3, 11, "x")));
    }

    @Test
    void findsAStaleValue() {
        assertEquals(1, faults(answer(3, 0, 1, 3, "x"), answer(0, 2, 3, 0, "x")));
    }

    @Test
    void findsAnIncarnationThatOutlivedTheNext() {
        assertEquals(1, faults(answer(1, 0, 1, 1, "x"), answer(1, 2, 3, 1, "xx"), answer(1, 4, 5, 2, "x")));
    }
}
