package io.shardbus.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.history.Exchange;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SeenTest {
    private static final Exchange.State STATE = new Exchange.State(1, "x", 1, 1);

    private static Exchange answer(String id, long second) {
        long time = TimeUnit.SECONDS.toNanos(second);
        return new Request("n", id, 1, 0, time).answered(time, STATE);
    }

    private static Seen seen(Exchange... exchanges) {
        return Seen.of(List.of("a"), List.of(exchanges), 0, TimeUnit.SECONDS.toNanos(10));
    }

    @Test
    void theLongestSilenceMayBeAtTheBeginningInTheMiddleOrAtTheEnd() {
        assertEquals(6000, seen(answer("a", 6), answer("a", 8)).silenceMs());
        assertEquals(5000, seen(answer("a", 1), answer("a", 6), answer("a", 8)).silenceMs());
        assertEquals(7000, seen(answer("a", 1), answer("a", 3)).silenceMs());
        assertEquals(10_000, seen().silenceMs());
    }

    @Test
    void countsWhatEndedInItsTime() {
        var lost = new Request("n", "a", 1, 0, 1).refused(TimeUnit.SECONDS.toNanos(2), "503");
        var seen = seen(answer("a", 1), answer("a", 11), lost);
        assertEquals(1, seen.ok());
        assertEquals(1, seen.failed());
        assertEquals(Map.of("503", 1L), seen.failures());
    }
}
