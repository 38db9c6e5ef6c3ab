package benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The outputs of several runs of both sides as medians and their ratios. Of each run the last three lines of a kind
 * count, since the earlier ones warm up.
 */
final class Comparison {
    private static final Pattern FIGURE = Pattern.compile("([a-z0-9_]+)=([0-9.]+)");
    private static final List<String> LABELS = List.of("window", "payload", "entities");
    private static final int COUNTED = 3;

    private final Map<String, List<Double>> ours = new LinkedHashMap<>();
    private final Map<String, List<Double>> theirs = new LinkedHashMap<>();

    /** @param outputs files named {@code shardbus-*} and {@code pekko-*} */
    static void print(Path outputs) throws IOException {
        var comparison = new Comparison();
        try (var files = Files.list(outputs)) {
            for (var file : files.sorted().toList()) {
                boolean isOurs = file.getFileName().toString().startsWith("shardbus");
                comparison.add(isOurs ? comparison.ours : comparison.theirs, Files.readAllLines(file));
            }
        }
        comparison.print();
    }

    private void add(Map<String, List<Double>> side, List<String> lines) {
        var run = new LinkedHashMap<String, List<Double>>();
        for (var line : lines) {
            var name = new StringBuilder(line.replaceFirst(" .*", ""));
            Matcher figures = FIGURE.matcher(line);
            while (figures.find()) {
                if (LABELS.contains(figures.group(1))) {
                    name.append(' ').append(figures.group());
                } else {
                    run.computeIfAbsent(name + " " + figures.group(1), key -> new ArrayList<>())
                            .add(Double.valueOf(figures.group(2)));
                }
            }
        }
        run.forEach((name, values) -> side.computeIfAbsent(name, key -> new ArrayList<>())
                .addAll(values.subList(Math.max(0, values.size() - COUNTED), values.size())));
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%-46s %14s %14s %8s   %s%n",
                "median",
                "shardbus",
                "pekko",
                "ratio",
                "from least to most of shardbus; of pekko");
        theirs.forEach((name, values) -> {
            var mine = ours.get(name);
            if (mine != null) {
                double[] a = sorted(mine);
                double[] b = sorted(values);
                System.out.printf(
                        Locale.ROOT,
                        "%-46s %14.1f %14.1f %8.2f   %s; %s%n",
                        name,
                        median(a),
                        median(b),
                        median(a) / median(b),
                        range(a),
                        range(b));
            }
        });
        ours.keySet().stream().filter(name -> name.startsWith("bus")).forEach(name -> {
            double[] a = sorted(ours.getOrDefault(name, List.of()));
            System.out.printf(Locale.ROOT, "%-46s %14.1f %14s %8s   %s%n", name, median(a), "-", "-", range(a));
        });
    }

    private static double[] sorted(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted;
    }

    private static double median(double[] sorted) {
        return sorted[sorted.length / 2];
    }

    private static String range(double[] sorted) {
        return String.format(Locale.ROOT, "%.1f-%.1f", sorted[0], sorted[sorted.length - 1]);
    }
}
