package io.shardbus.launcher.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The data: real flights between real airports; the files say where they come from.
 *
 * @param cities of the airports, by their codes
 */
record FlightLog(List<Flight> flights, Map<String, String> cities) {
    private static final String FOLDER = "/shardbus/demo/";

    /** Reads it from the class path; blocks for some milliseconds. */
    static FlightLog read() {
        return new FlightLog(
                rows("flights.csv", FlightLog::flight),
                rows("airports.csv", Function.identity()).stream()
                        .collect(Collectors.toMap(cells -> cells[0], cells -> cells[1] + ", " + cells[2])));
    }

    private static Flight flight(String[] cells) {
        return new Flight(cells[0], Integer.parseInt(cells[1]), Integer.parseInt(cells[2]), cells[3], cells[4]);
    }

    private static <T> List<T> rows(String file, Function<String[], T> row) {
        var in = Objects.requireNonNull(FlightLog.class.getResourceAsStream(FOLDER + file), file);
        try (var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> row.apply(line.split(",", -1)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
