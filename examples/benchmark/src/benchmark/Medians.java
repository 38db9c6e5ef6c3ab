package benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Figures by name, each measured in several rounds, of which the first does not count. */
final class Medians {
    private static final int LARGE = 1000;

    private final Map<String, List<Double>> rounds = new LinkedHashMap<>();

    Medians add(String name, double value) {
        rounds.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
        return this;
    }

    /** Percentiles of times, in microseconds. */
    Medians add(String prefix, Times times) {
        return add(prefix + "p50_us", times.micros(0.5))
                .add(prefix + "p99_us", times.micros(0.99))
                .add(prefix + "p999_us", times.micros(0.999));
    }

    /** Of the round that goes on. */
    double last(String name) {
        var values = rounds.getOrDefault(name, List.of());
        return values.isEmpty() ? Double.NaN : values.get(values.size() - 1);
    }

    double median(String name) {
        var values = rounds.getOrDefault(name, List.of());
        var counted =
                values.stream().skip(Math.min(1, values.size() - 1)).sorted().toList();
        int middle = counted.size() / 2;
        return counted.size() % 2 == 1 ? counted.get(middle) : (counted.get(middle - 1) + counted.get(middle)) / 2;
    }

    /** The medians as {@code name=value}, in the order in which they were first added. */
    @Override
    public String toString() {
        return rounds.keySet().stream().map(this::line).collect(Collectors.joining(" "));
    }

    private String line(String name) {
        double median = median(name);
        return String.format(Locale.ROOT, Math.abs(median) >= LARGE ? "%s=%.0f" : "%s=%.2f", name, median);
    }
}
