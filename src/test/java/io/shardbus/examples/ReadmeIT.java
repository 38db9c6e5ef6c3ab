package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the README, in a process of its own. */
class ReadmeIT {
    private static final String FENCE = "```";
    private static final String STATEMENTS = "// 3.";
    private static final long LONGEST_RUN_S = 60;

    @TempDir
    private Path directory;

    /**
     * The first Java of the README: types up to its third part, then statements. A port of its own keeps others out of
     * its cluster.
     */
    private static String program() throws IOException {
        var readme = Files.readString(Path.of("README.md"));
        int begin = readme.indexOf(FENCE + "java") + FENCE.length() + "java".length();
        var code = readme.substring(begin, readme.indexOf(FENCE, begin));
        int statements = code.indexOf(STATEMENTS);
        return """
                import io.shardbus.*;
                import io.shardbus.options.*;
                import io.shardbus.membership.ShardbusClusterManager;
                import io.vertx.core.*;
                interface Readme {
                %s
                    static void main(String[] arguments) {
                %s
                    }
                }
                """.formatted(
                code.substring(0, statements), DocumentedCode.inAClusterOfItsOwn(code.substring(statements), "readme"));
    }

    private List<String> run(String program) throws IOException, InterruptedException {
        var code = new DocumentedCode(directory);
        code.compile(Map.of("Readme.java", program));
        var process = code.start("Readme");
        try (var lines = process.inputReader()) {
            var answer = lines.lines()
                    .filter(line -> line.equals("1") || line.contains("Exception"))
                    .findFirst();
            return answer.stream().toList();
        } finally {
            process.destroy();
            process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS);
        }
    }

    @Test
    void countsToOne() throws IOException, InterruptedException {
        assertEquals(List.of("1"), run(program()));
    }
}
