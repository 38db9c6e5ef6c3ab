package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("examples/benchmark measures entities in a store")
@Tag("slow")
class StoreBenchmarksIT {
    private static final long LONGEST_RUN_S = 100;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "persist, '--entities=20', 'persist store=sqlite entities=20 window=20 .*of_floor=[0-9.]+ p50_us=.*'",
        "recover, '--entities=20 --events=500', 'recover .* entities=1 events=500 snapshots=true .*of_floor=.*'",
        "project, '--events=200 --rate=100', 'project store=sqlite kind=lag events_per_s=100 .*p99_ms=[0-9]+ .*'",
        "deliver, '--entities=20 --events=200', 'deliver .*identified_per_s=[0-9.]+ .*queue_per_s=[0-9.]+ .*'"
    })
    void printsWhatItMeasured(String command, String flags, String line) throws Exception {
        List<String> words = new ArrayList<>(List.of(command, "--store=sqlite", "--rounds=1"));
        words.addAll(List.of(flags.split(" ")));
        if (!command.equals("recover") && !command.equals("deliver")) {
            words.add("--seconds=1");
        }
        assertEquals(0, run(words), () -> said("errors"));
        assertTrue(said("output").lines().anyMatch(printed -> printed.matches(line)), () -> said("output"));
    }

    @Test
    @DisplayName("and refuses a store that it does not know")
    void refusesAnotherStore() throws Exception {
        assertEquals(2, run(List.of("persist", "--store=files")), () -> said("errors"));
        assertTrue(said("errors").contains("--store=files: use postgres or sqlite"), () -> said("errors"));
    }

    private int run(List<String> arguments) throws Exception {
        var command = new ArrayList<>(
                List.of(Path.of("examples/benchmark/run.sh").toAbsolutePath().toString()));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command)
                .redirectOutput(directory.resolve("output").toFile())
                .redirectError(directory.resolve("errors").toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().put("JAVA_OPTS", "-Xms64m -Xmx512m");
        var process = builder.start();
        try {
            assertTrue(process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS), () -> "still runs: " + said("errors"));
        } finally {
            process.destroyForcibly();
        }
        return process.exitValue();
    }

    private String said(String file) {
        try {
            return Files.readString(directory.resolve(file));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
