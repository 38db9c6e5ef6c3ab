package killrweather;

/**
 * What a station measured at one moment.
 *
 * @param at milliseconds since 1970, UTC
 * @param temperature degrees Celsius
 * @param pressure hectopascal
 * @param wind metres per second
 */
public record Reading(long at, double temperature, double pressure, double wind) {
    public Reading {
        if (at < 0 || !Double.isFinite(temperature) || !Double.isFinite(pressure) || !Double.isFinite(wind)) {
            throw new IllegalArgumentException("a reading has a time from 1970 on, and finite numbers");
        }
    }
}
