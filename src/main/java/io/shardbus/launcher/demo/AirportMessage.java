package io.shardbus.launcher.demo;

import io.shardbus.Ask;

/** Messages of an airport. */
public sealed interface AirportMessage {
    /** A flight took off; answered with the departures so far. */
    record Departed(int miles) implements AirportMessage, Ask<Long> {}

    /** A flight landed, so many minutes late, or early if negative; answered with the arrivals so far. */
    record Arrived(int minutesLate) implements AirportMessage, Ask<Long> {}

    /** Asks for the totals. */
    record GetTotals() implements AirportMessage, Ask<AirportTotals> {}
}
