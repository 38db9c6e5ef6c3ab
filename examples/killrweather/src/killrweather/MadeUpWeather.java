package killrweather;

import java.time.Duration;
import java.util.List;

/**
 * Readings by a formula, which README.md states: no station has measured them. The same station has the same reading at
 * the same moment, in each process and each run.
 *
 * @param id of the station
 * @param mean the temperature of its place over all years
 * @param yearly how much warmer than that the summer is, and colder the winter
 * @param daily how much warmer than the day's mean the afternoon is, and colder the night
 * @param windy the mean speed of the wind
 */
public record MadeUpWeather(String id, double mean, double yearly, double daily, double windy) {
    /** The stations of the feed. */
    public static final List<MadeUpWeather> STATIONS = List.of(
            new MadeUpWeather("harbour", 10.5, 7, 2.5, 7),
            new MadeUpWeather("island", 11, 5, 1.5, 9),
            new MadeUpWeather("plain", 9.5, 10, 5, 4),
            new MadeUpWeather("valley", 8.5, 10, 7, 2),
            new MadeUpWeather("pass", 1, 8, 4, 8),
            new MadeUpWeather("summit", -4, 7, 2, 12),
            new MadeUpWeather("desert", 21, 9, 11, 5),
            new MadeUpWeather("oasis", 22, 8, 8, 3),
            new MadeUpWeather("jungle", 26, 1, 4, 1.5),
            new MadeUpWeather("tundra", -9, 17, 4, 6));

    private static final double DAY_MS = Duration.ofDays(1).toMillis();
    private static final double YEAR_DAYS = 365.25;
    private static final double WARMEST_DAY = 196;
    private static final double WARMEST_HOUR = 15.0 / 24;
    private static final double FRONT_DAYS = 5.3;
    private static final double HIGH_DAYS = 7.1;
    private static final double GUST_DAYS = 0.37;
    private static final double NOISE = 0.3;

    /** The reading at a moment, milliseconds since 1970. */
    public Reading at(long moment) {
        double day = moment / DAY_MS;
        double phase = Math.floorMod(id.hashCode(), 1000) / 1000.0;
        double temperature = mean
                + yearly * wave((day - WARMEST_DAY) / YEAR_DAYS)
                + daily * wave(day - WARMEST_HOUR)
                + 3 * wave(day / FRONT_DAYS + phase)
                + NOISE * noise(moment);
        double pressure = 1013 + 9 * wave(day / HIGH_DAYS + phase);
        double wind = windy * (1 + 0.6 * wave(day / GUST_DAYS + phase)) + NOISE * noise(moment + 1);
        return new Reading(moment, tenth(temperature), tenth(pressure), Math.max(0, tenth(wind)));
    }

    /** 1 at each whole number, -1 half way between two. */
    private static double wave(double turns) {
        return Math.cos(2 * Math.PI * turns);
    }

    /** From -1 to 1, by the bits of the moment and the station alone. */
    private double noise(long moment) {
        long mixed = (moment ^ id.hashCode()) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return (mixed >> 11) / (double) (1L << 52);
    }

    private static double tenth(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
