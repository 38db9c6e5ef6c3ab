package io.shardbus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The command line as one file, which mvn package builds")
class CommandLineJarIT {
    private record Ended(int code, String output) {}

    private static Ended run(String... arguments) throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = Stream.concat(Stream.of(java, "-jar", jar().toString()), Stream.of(arguments))
                .toList();
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), output);
    }

    private static Path jar() throws IOException {
        var built = Path.of(ShardbusCommand.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .getParent();
        try (Stream<Path> files = Files.list(built)) {
            List<Path> found =
                    files.filter(file -> file.toString().endsWith("-cli.jar")).toList();
            assertEquals(1, found.size(), () -> built + " is to have one *-cli.jar, of mvn package: " + found);
            return found.get(0);
        }
    }

    @Test
    @DisplayName("explains its commands, and says what to do where no node answers")
    void isComplete() throws IOException, InterruptedException {
        Ended help = run("--help");
        assertEquals(0, help.code(), help::output);
        assertTrue(help.output().contains("rebalance"), help::output);
        Ended unanswered = run("--url", "http://127.0.0.1:1/sharding", "nodes", "--json");
        assertEquals(ExitCode.UNREACHABLE.code(), unanswered.code(), unanswered::output);
        assertTrue(unanswered.output().contains("http://127.0.0.1:1/sharding"), unanswered::output);
    }
}
