package io.shardbus.launcher.demo;

/** Totals of one airport, or of several. */
public record AirportTotals(long departures, long milesOut, long arrivals, long minutesLate) {
    static final AirportTotals NONE = new AirportTotals(0, 0, 0, 0);

    AirportTotals departed(int miles) {
        return new AirportTotals(departures + 1, milesOut + miles, arrivals, minutesLate);
    }

    AirportTotals arrived(int late) {
        return new AirportTotals(departures, milesOut, arrivals + 1, minutesLate + late);
    }

    AirportTotals plus(AirportTotals other) {
        return new AirportTotals(
                departures + other.departures,
                milesOut + other.milesOut,
                arrivals + other.arrivals,
                minutesLate + other.minutesLate);
    }
}
