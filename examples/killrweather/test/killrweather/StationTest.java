package killrweather;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.ShardingException;
import io.shardbus.testkit.EntityTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import killrweather.Aggregates.Measure;
import killrweather.StationMessage.Read;
import killrweather.StationMessage.Sum;
import killrweather.StationMessage.Take;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One station, in the time of the test. */
class StationTest {
    private static final long NOON = Instant.parse("2026-01-31T12:00:00Z").toEpochMilli();
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final long DAY = Duration.ofDays(1).toMillis();

    private final EntityTestKit<StationMessage> station = EntityTestKit.of(Station.definition(() -> NOON));

    @AfterEach
    void close() {
        station.close();
    }

    private static Reading reading(long at, double temperature) {
        return new Reading(at, temperature, 1000, 4);
    }

    private List<Aggregates.Aggregate> sums(Period period) {
        return station.ask(new Sum(period, period.kept())).sums();
    }

    @Test
    void sumsItsReadingsOverHoursAndDays() {
        assertNull(station.ask(new Read()).last());
        assertEquals(List.of(), sums(Period.DAILY));
        station.ask(new Take(List.of(
                reading(NOON - DAY, 7),
                reading(NOON - 2 * HOUR, 1),
                reading(NOON - 2 * HOUR + 1, 6),
                reading(NOON - HOUR - 1, -1),
                reading(NOON - HOUR, 4))));

        var hours = sums(Period.HOURLY);
        assertEquals(
                List.of(NOON - DAY, NOON - 2 * HOUR, NOON - HOUR),
                hours.stream().map(Aggregates.Aggregate::from).toList());
        assertEquals(new Measure(-1, 2, 6), hours.get(1).temperature());
        assertEquals(new Measure(1000, 1000, 1000), hours.get(1).pressure());
        var days = sums(Period.DAILY);
        assertEquals(
                List.of(1L, 4L),
                days.stream().map(Aggregates.Aggregate::readings).toList());
        assertEquals(new Measure(-1, 2.5, 6), days.get(1).temperature());
        assertEquals(hours.subList(2, 3), station.ask(new Sum(Period.HOURLY, 1)).sums());
    }

    @Test
    void countsAReadingOnceAndRefusesThoseOfTheFuture() {
        var first = List.of(reading(NOON - 2, 1), reading(NOON - 1, 2));
        station.ask(new Take(first));
        var again = station.ask(new Take(List.of(first.get(1), reading(NOON, 3))));
        assertEquals(3, again.taken());
        assertEquals(1, again.passedOver());

        var ahead = new Take(List.of(reading(NOON + 1, 5), reading(NOON + HOUR + 1, 5)));
        assertEquals(
                Station.AHEAD_OF_TIME,
                assertThrows(ShardingException.class, () -> station.ask(ahead)).entityCode());
        assertEquals(reading(NOON, 3), station.ask(new Read()).last());
    }

    @Test
    void keepsTwoWeeksOfHoursAndAYearOfDays() {
        var all = LongStream.rangeClosed(0, 2 * 400)
                .mapToObj(half -> reading(NOON - 400 * DAY + half * DAY / 2, 5))
                .toList();
        station.ask(new Take(all));
        assertEquals(366, sums(Period.DAILY).size());
        assertEquals(28, sums(Period.HOURLY).size());
    }

    @Test
    void takesItsSumsAlong() {
        station.ask(new Take(List.of(reading(NOON - DAY, 7), reading(NOON - HOUR, 1), reading(NOON, 2))));
        var before = station.ask(new Read());
        var hours = sums(Period.HOURLY);
        var days = sums(Period.DAILY);
        station.move();
        assertEquals(before.last(), station.ask(new Read()).last());
        assertEquals(before.taken(), station.ask(new Read()).taken());
        assertEquals(hours, sums(Period.HOURLY));
        assertEquals(days, sums(Period.DAILY));
        assertEquals(1, station.counters().get("handover_taken"));
    }
}
