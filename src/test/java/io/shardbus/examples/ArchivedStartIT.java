package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.WholeMachine;
import io.shardbus.verify.CounterNodeProcess;
import io.shardbus.verify.LoopbackHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What examples/prepare.sh promises: nodes of the examples take their classes from its archive. */
@Tag("slow")
@WholeMachine
class ArchivedStartIT {
    private static final String SCRIPT =
            Path.of("examples/prepare.sh").toAbsolutePath().toString();
    private static final long LONGEST_PREPARATION_S = 120;
    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private void prepare() throws IOException, InterruptedException {
        var output = directory.resolve("preparation");
        var builder = new ProcessBuilder(SCRIPT).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        var process = builder.start();
        try {
            assertTrue(
                    process.waitFor(LONGEST_PREPARATION_S, TimeUnit.SECONDS),
                    "not prepared after " + LONGEST_PREPARATION_S + " s");
            assertEquals(0, process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void nodesTakeTheirClassesFromTheArchive() throws Exception {
        prepare();
        var loaded = directory.resolve("loaded");
        var settings = Map.of("JAVA_OPTS", "-Xlog:class+load:file=" + loaded);
        try (var node = CounterNodeProcess.ofExample("counter", 8080, 1, LoopbackHosts.of(1), settings)) {
            node.awaitReady(LONGEST_START);
        }
        try (var lines = Files.lines(loaded)) {
            var ours = lines.filter(line -> line.contains(" io.shardbus.") || line.contains(" org.infinispan."))
                    .filter(line -> !line.contains("Lambda"))
                    .toList();
            var archived = ours.stream()
                    .filter(line -> line.contains("shared objects file"))
                    .toList();
            assertTrue(archived.size() > ours.size() / 2, () -> archived.size() + " of " + ours.size() + example(ours));
        }
    }

    private static String example(List<String> lines) {
        return lines.isEmpty() ? "" : ", as " + lines.get(0);
    }
}
