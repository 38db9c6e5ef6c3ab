package benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Replays traces under every policy of passivation: how often an entity was active when its message came. */
final class PassivationRun {
    private static final int BAR = 22;
    private static final int ROW = 26;
    private static final int LEFT = 130;
    private static final int WIDTH = 400;

    private final int limit;
    private final int accesses;
    private final Path plot;

    PassivationRun(Arguments told) {
        limit = number(told.get("limit", "2000"), 10, 20_000);
        accesses = number(told.get("accesses", "300000"), 1000, 100_000_000);
        plot = Path.of(told.get("plot", "passivation.svg"));
    }

    private static int number(String text, int min, int max) {
        int number = Integer.parseInt(text);
        if (number < min || number > max) {
            throw new IllegalArgumentException(text + ": use " + min + " to " + max);
        }
        return number;
    }

    void run() throws IOException {
        var outcomes = new ArrayList<Replay.Outcome>();
        for (int trace = 0; trace < Trace.all(limit).size(); trace++) {
            for (var policy : Policy.all(limit)) {
                // each replay draws its own numbers from the beginning
                var outcome = Replay.of(Trace.all(limit).get(trace), policy, limit, accesses);
                System.out.println(String.format(
                        Locale.ROOT,
                        "passivation trace=%s policy=%s hit_rate=%.4f live=%.0f",
                        outcome.trace(),
                        outcome.policy(),
                        outcome.hitRate(),
                        outcome.live()));
                outcomes.add(outcome);
            }
        }
        Files.writeString(plot, svg(outcomes));
        System.err.println("the plot is in " + plot.toAbsolutePath());
    }

    private String svg(List<Replay.Outcome> outcomes) {
        var rows = new StringBuilder();
        var trace = "";
        int y = ROW;
        for (var outcome : outcomes) {
            if (!outcome.trace().equals(trace)) {
                trace = outcome.trace();
                y += ROW;
                rows.append(text(10, y, "trace " + trace + ", limit " + limit));
                y += ROW / 2;
            }
            rows.append(row(outcome, y));
            y += ROW;
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" font-size=\"13\" width=\""
                + (LEFT + WIDTH + 170) + "\" height=\"" + (y + ROW) + "\">\n"
                + text(10, ROW, "Share of messages that found their entity active") + rows + "</svg>\n";
    }

    private static String row(Replay.Outcome outcome, int y) {
        var bar = String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#4a7ebb\"/>%n",
                LEFT,
                y,
                outcome.hitRate() * WIDTH,
                BAR);
        var label = String.format(Locale.ROOT, "%.1f %%, %.0f live", outcome.hitRate() * 100, outcome.live());
        int middle = y + BAR - 6;
        return bar
                + text(20, middle, outcome.policy())
                + text(LEFT + 8 + (int) (outcome.hitRate() * WIDTH), middle, label);
    }

    private static String text(int x, int y, String text) {
        return "<text x=\"" + x + "\" y=\"" + y + "\">" + text + "</text>\n";
    }
}
