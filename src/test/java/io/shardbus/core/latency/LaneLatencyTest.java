package io.shardbus.core.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.LatencyReport.Kind;
import io.shardbus.model.LatencyReport.Outcome;
import io.shardbus.model.LatencyReport.Series;
import io.shardbus.model.LatencyReport.SlowAsk;
import io.shardbus.model.TimeHistogram;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a lane records of times: buckets, windows, bounds. */
class LaneLatencyTest {
    private static final long BEGIN = 5_000;
    private static final long WALL = 1_700_000_000_000L;

    private final LaneLatency latency = new LaneLatency(Class::getSimpleName, 1, BEGIN);

    private record Question(Class<?> message, String entityId, boolean remote) implements LaneLatency.Asked {
        @Override
        public String failure() {
            return "";
        }
    }

    private void until(long elapsed) {
        for (long moment = BEGIN; moment <= BEGIN + elapsed; moment += 1_000) {
            latency.tick(moment, WALL + moment - BEGIN);
        }
    }

    private Series only() {
        assertEquals(1, latency.windows().size(), () -> latency.windows().toString());
        return latency.windows().get(0);
    }

    private void slow(String id, long micros, long at) {
        if (latency.isSlow(micros)) {
            latency.slow(new Question(String.class, id, false), Map.of(), Outcome.OK, micros, at);
        }
    }

    @Test
    void aBucketIsAtMostAnEighthWideAndEachTimeIsInOne() {
        for (long micros = 1; micros < 3_000_000_000L; micros += 1 + micros / 40) {
            int index = Buckets.index(micros);
            if (index < Buckets.COUNT - 1) {
                long upper = Buckets.upper(index);
                assertTrue(micros <= upper && upper - micros <= micros / 8, micros + " is at " + upper);
                assertTrue(index == 0 || Buckets.upper(index - 1) < micros, micros + " is in the bucket before, too");
            }
        }
        assertEquals(Buckets.COUNT - 1, Buckets.index(Long.MAX_VALUE));
        assertEquals(0, Buckets.index(-1));
    }

    @Test
    void aTimeLeavesEachWindowInItsTurn() {
        latency.handled(String.class, Outcome.OK, 100);
        assertEquals(List.of(1L, 1L, 1L), counts(only()));
        until(59_000);
        assertEquals(List.of(1L, 1L, 1L), counts(only()));
        until(71_000);
        assertEquals(List.of(0L, 1L, 1L), counts(only()));
        until(890_000);
        assertEquals(List.of(0L, 1L, 1L), counts(only()));
        until(970_000);
        assertEquals(List.of(0L, 0L, 1L), counts(only()));
        until(3_590_000);
        assertEquals(List.of(0L, 0L, 1L), counts(only()));
        until(3_910_000);
        assertEquals(List.of(0L, 0L, 0L), counts(only()));
    }

    private static List<Long> counts(Series series) {
        return List.of(
                series.lastMinute().count(),
                series.lastQuarter().count(),
                series.lastHour().count());
    }

    @Test
    void aPauseOfTheProcessEndsAllTurnsInIt() {
        latency.handled(String.class, Outcome.OK, 100);
        latency.tick(BEGIN + 7_200_000, WALL);
        assertEquals(List.of(0L, 0L, 0L), counts(only()));
    }

    @Test
    void percentilesAreThoseOfTheTimes() {
        for (int i = 1; i <= 1000; i++) {
            latency.asked(String.class, false, Outcome.OK, i * 10L);
        }
        TimeHistogram times = only().lastMinute();
        assertEquals(1000, times.count());
        assertTrue(times.percentile(0.5) >= 5_000 && times.percentile(0.5) <= 5_700, times::toString);
        assertTrue(times.percentile(0.99) >= 9_900 && times.percentile(0.99) <= 11_200, times::toString);
        assertTrue(times.percentile(1) >= 10_000 && times.percentile(1) <= 11_300, times::toString);
        assertEquals(0, TimeHistogram.EMPTY.percentile(0.99));
    }

    @Test
    void kindsOutcomesAndClassesAreApart() {
        latency.asked(String.class, false, Outcome.OK, 1);
        latency.asked(String.class, true, Outcome.TIMED_OUT, 2);
        latency.asked(Integer.class, true, Outcome.OK, 3);
        latency.handled(String.class, Outcome.FAILED, 4);
        latency.homeless(5, false);
        latency.homeless(6, true);
        assertEquals(
                Map.of(
                        "ASK_LOCAL/String/OK", 1L,
                        "ASK_REMOTE/String/TIMED_OUT", 2L,
                        "ASK_REMOTE/Integer/OK", 3L,
                        "HANDLE/String/FAILED", 4L,
                        "HOME//OK", Buckets.upper(Buckets.index(5_000)),
                        "MOVE//OK", Buckets.upper(Buckets.index(6_000))),
                latency.windows().stream()
                        .collect(Collectors.toMap(
                                one -> one.kind() + "/" + one.message() + "/" + one.outcome(),
                                one -> one.lastHour().percentile(1))));
    }

    @Test
    void classesWithoutANameOfTheirOwnAreTogether() {
        var few = new LaneLatency(message -> message == String.class ? "String" : MessageNames.OTHER, 1, BEGIN);
        few.handled(String.class, Outcome.OK, 1);
        few.handled(Integer.class, Outcome.OK, 1);
        few.handled(Double.class, Outcome.OK, 1);
        assertEquals(
                Map.of("String", 1L, MessageNames.OTHER, 2L),
                few.windows().stream()
                        .collect(Collectors.toMap(
                                Series::message, one -> one.lastHour().count())));
    }

    @Test
    void aWaitIsThatOfTheNextMessageOnly() {
        latency.waited(7);
        latency.takenUp(true);
        latency.takenUp(true);
        latency.waited(9);
        latency.takenUp(false);
        latency.takenUp(true);
        assertEquals(Kind.MAILBOX, only().kind());
        assertEquals(
                Map.of(0L, 2L, Buckets.upper(Buckets.index(7_000)), 1L),
                only().lastMinute().counts());
    }

    @Test
    void oneOfSixteenIsMeasuredInTheMeanAlsoOfMessagesInAPattern() {
        var sampling = new LaneLatency(Class::getSimpleName, 16, BEGIN);
        int even = 0;
        int odd = 0;
        for (int i = 0; i < 160_000; i++) {
            if (sampling.samples()) {
                even += i % 2 == 0 ? 1 : 0;
                odd += i % 2;
            }
        }
        assertEquals(10_000, even + odd, 500);
        assertEquals(5_000, even, 500);
        assertEquals(5_000, odd, 500);
    }

    @Test
    void aMeasuredMessageCountsForThoseThatAreNotUnlessItIsLong() {
        var sampling = new LaneLatency(Class::getSimpleName, 16, BEGIN);
        assertEquals(0, sampling.busy(9, false, 9_000));
        assertEquals(16 * 9_500, sampling.busy(9, true, 9_500));
        assertEquals(10_000, sampling.busy(10, false, 10_000));
        assertEquals(10_400, sampling.busy(10, true, 10_400));
        assertEquals(16 * 40_000, sampling.busy(0, true, 40_000), "it had the lane's thread");
    }

    @Test
    void theSlowestAsksOfEachWindowAreKept() {
        for (int i = 1; i <= 100; i++) {
            slow("first" + i, i * 1000L, WALL);
        }
        assertEquals(SlowAsk.MOST, latency.slowest(WALL).size());
        assertEquals("first100", latency.slowest(WALL).get(0).entityId());
        assertEquals(81_000, latency.slowest(WALL).get(SlowAsk.MOST - 1).micros());
        until(300_000);
        for (int i = 1; i <= 100; i++) {
            slow("later" + i, i * 10L, WALL + 300_000);
        }
        List<SlowAsk> both = latency.slowest(WALL + 301_000);
        assertEquals(2 * SlowAsk.MOST, both.size());
        assertEquals("later100", both.get(SlowAsk.MOST).entityId());
        until(3_601_000);
        assertTrue(latency.slowest(WALL + 3_601_000).stream()
                .allMatch(ask -> ask.entityId().startsWith("later")));
    }
}
