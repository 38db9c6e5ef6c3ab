package verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * What is said of runs, on the standard output and in a file.
 *
 * @param log the name of the file; empty for none
 */
record Report(String log) {
    private static final int MOST_LINES = 20;

    void say(String line) {
        System.out.println(line);
        if (!log.isEmpty()) {
            append(Path.of(log), line);
        }
    }

    /** @param load of the machine when the run began */
    void run(int number, int seed, double load, Object run) {
        say(String.format(
                Locale.ROOT,
                "%s run=%d seed=%d load=%.1f %s",
                LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS),
                number,
                seed,
                load,
                run));
    }

    static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /** The first ones. */
    void list(String word, List<String> lines) {
        lines.stream().limit(MOST_LINES).forEach(line -> say(word + line));
    }

    private static void append(Path log, String line) {
        try {
            Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
