package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** examples/benchmark runs, with a thousandth of its messages, and prints the lines that the peer prints. */
@Tag("slow")
class BenchmarkExampleIT {
    private static final Path SCRIPT = Path.of("examples/benchmark/run.sh").toAbsolutePath();
    private static final Path LOGS = Path.of("target/benchmark-logs").toAbsolutePath();
    private static final long LONGEST_RUN_S = 100;
    private static final long LONGEST_DUMP_S = 10;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"local", "remote"})
    void printsWhatItMeasured(String run) throws Exception {
        var lines = run(0, run, "--scale=0.001", "-DframeWindow=16");
        assertHas(lines, "tell msgs_per_s=[0-9]+");
        assertHas(lines, "tell payload=1024 msgs_per_s=[0-9]+");
        assertHas(lines, "tell msgs_per_cpu_s=([0-9]+|Infinity)");
        for (var window : List.of(256, 1)) {
            assertHas(
                    lines, "ask window=" + window + " asks_per_s=[0-9]+ p50_us=[0-9.]+ p99_us=[0-9.]+ p999_us=[0-9.]+");
        }
        if (run.equals("remote")) {
            assertHas(lines, "bus window=1 asks_per_s=[0-9]+ p50_us=[0-9.]+ p99_us=[0-9.]+ p999_us=[0-9.]+");
        }
        if (run.equals("local")) {
            assertHas(lines, "activate entities_per_s=[0-9]+ bytes_per_entity=-?[0-9]+");
        }
    }

    @Test
    void replaysTracesUnderEveryPolicy() throws Exception {
        var plot = directory.resolve("plot.svg");
        var lines = run(0, "passivation", "--limit=500", "--accesses=50000", "--plot=" + plot);
        assertEquals(28, lines.size());
        assertHas(lines, "passivation trace=loop policy=lru hit_rate=0.0000 live=49[0-9]");
        assertHas(lines, "passivation trace=loop policy=mru hit_rate=0.[3-9][0-9]* live=49[0-9]");
        assertHas(lines, "passivation trace=zipf policy=composite hit_rate=0.[3-9][0-9]* live=[0-9]+");
        assertTrue(Files.readString(plot).contains("trace shifting, limit 500"));
        run(2, "passivation", "--limit=1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"performance.md", "faults.md"})
    void drawsThePlotsOfAPageAsTheyAre(String page) throws Exception {
        var copy = Files.createDirectories(directory.resolve("measurements")).resolve(page);
        Files.copy(Path.of("docs/measurements", page), copy);
        var images = Files.createDirectories(directory.resolve("images"));
        var lines = run(0, "plot", copy.toString());
        assertHas(lines, "plot file=.*svg rows=[1-9][0-9]*");
        try (var drawn = Files.list(images)) {
            for (var plot : drawn.toList()) {
                var present = Path.of("docs/images", String.valueOf(plot.getFileName()));
                assertEquals(Files.readString(present), Files.readString(plot), "draw it anew: " + present);
            }
        }
        Files.writeString(copy, "no picture");
        run(2, "plot", copy.toString());
    }

    @Test
    void comparesTheCostOfEveryPolicy() throws Exception {
        var lines = run(0, "passivate", "--messages=20000", "--rounds=1");
        for (var policy : List.of("none", "idle", "least-recently-used", "composite")) {
            assertHas(lines, "passivate policy=" + policy + " msgs_per_s=[0-9]+ ns_per_msg=[0-9.]+ .*");
        }
    }

    @Test
    void bringsRememberedEntitiesBack() throws Exception {
        var lines = run(0, "remember", "--ids=500");
        assertHas(lines, "remember store=replicated event=move ids=500 ids_per_s=[0-9]+ .*");
        assertHas(lines, "remember store=durable event=restart ids=500 ids_per_s=[0-9]+ .*");
    }

    @Test
    void measuresGrowth() throws Exception {
        assertHas(
                run(0, "growth", "allocation", "--shards=50", "--hosts=1"),
                "growth allocation shards=50 hosts=1 all_s=[0-9.]+ .* least=50 most=50 .*");
        assertHas(
                run(0, "growth", "shards", "--upTo=10", "--scale=0.001", "--only=local"),
                "growth shards where=local shards=10 tells_per_s=[0-9]+ .*");
    }

    @Tag("long-fault")
    @ParameterizedTest
    @ValueSource(strings = {"term", "join"})
    void noAskFailsWhenANodeLeavesOrComes(String fault) throws Exception {
        var lines = run(0, "fault", fault);
        var last = lines.get(lines.size() - 1);
        var asker = lines.get(lines.size() - 2);
        assertTrue(
                asker.matches("asker late_ms: process=[0-9]+ loops=[0-9]+ asking=[0-9]+ collections=[0-9]+"
                        + " failed_meanwhile=[0-9]+"),
                lines::toString);
        // what failed while the asker got no time itself says nothing of the cluster
        assertTrue(
                last.matches("probe ok=[1-9][0-9]* failed=" + asker.replaceFirst(".*=", "")
                        + " gap_ms: median=[0-9]+ p90=[0-9]+ max=[0-9]+ still_silent=0"),
                () -> String.join("\n", lines) + whatHostsSay());
    }

    private static String whatHostsSay() {
        try (var logs = Files.list(LOGS)) {
            return logs.sorted().map(log -> "\n" + log + "\n" + read(log)).collect(Collectors.joining());
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void refusesWhatItDoesNotKnow() throws Exception {
        run(2, "growth", "flood");
        run(2, "fault", "flood");
        run(2, "local", "--speed=high");
        run(2, "local", "-DframeWindows=16");
    }

    private static void assertHas(List<String> lines, String pattern) {
        assertTrue(
                lines.stream().anyMatch(line -> line.matches(pattern)),
                () -> "no line like " + pattern + " in " + lines);
    }

    private List<String> run(int status, String... arguments) throws IOException, InterruptedException {
        var output = directory.resolve("output");
        var errors = directory.resolve("errors");
        var command = new ArrayList<>(List.of(SCRIPT.toString()));
        command.addAll(List.of(arguments));
        var builder =
                new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().put("JAVA_OPTS", "-Xms64m -Xmx512m");
        builder.environment().put("SECONDS_PROBE", "25");
        var process = builder.start();
        try {
            if (!process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS)) {
                fail("still runs: " + whereItStands(process, output) + read(errors));
            }
        } finally {
            process.destroyForcibly();
        }
        assertEquals(status, process.exitValue(), () -> read(errors));
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }

    /** What it has printed, with what its threads do. */
    private static String whereItStands(Process process, Path output) throws IOException, InterruptedException {
        var quit = new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start();
        assertTrue(quit.waitFor(LONGEST_DUMP_S, TimeUnit.SECONDS), "kill still runs");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_DUMP_S);
        while (!read(output).contains("JNI global refs") && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        return read(output);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
